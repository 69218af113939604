//! The protocols, by name.

use super::command::Command;
use super::parse::parse;
use crate::card::{self, GameCard};

/// A language in which engines are spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface, with positions and moves as the game writes them.
    Uci,
    /// The Universal Chinese Chess Protocol, version 3.0.
    Ucci,
}

impl Protocol {
    /// Those by which players of the game play for other programs.
    pub fn of(card: &dyn GameCard) -> Vec<Self> {
        let carried = card.facts().protocols.iter();
        let served = carried.filter_map(|protocol| match protocol {
            card::Protocol::Uci => Some(Protocol::Uci),
            card::Protocol::Ucci => Some(Protocol::Ucci),
            _ => None,
        });
        served.collect()
    }

    /// The name that the command line uses.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
        }
    }

    /// Reads a line, which may be anything. `milliseconds` says whether times
    /// of [`Ucci`](Protocol::Ucci) are in these; if not they are in seconds.
    pub fn parse(self, line: &str, milliseconds: bool) -> Command {
        parse(self, line, if milliseconds { 1 } else { 1000 })
    }
}
