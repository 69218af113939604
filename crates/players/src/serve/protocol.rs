//! The protocols, by name.

use super::command::Command;
use super::parse::parse;
use leitai_game::card::{self, GameCard};

/// An engine protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface, with positions and moves as the game writes them.
    Uci,
    /// The Universal Chinese Chess Protocol, version 3.0.
    Ucci,
}

impl Protocol {
    /// Returns the protocols that Leitai can serve for the game.
    pub fn of(card: &dyn GameCard) -> Vec<Self> {
        let carried = card.facts().protocols.iter();
        let served = carried.filter_map(|protocol| match protocol {
            card::Protocol::Uci => Some(Protocol::Uci),
            card::Protocol::Ucci => Some(Protocol::Ucci),
            _ => None,
        });
        served.collect()
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
        }
    }

    /// Parses a line of any content. `milliseconds` selects the unit of [`Ucci`](Protocol::Ucci)
    /// times: milliseconds if true, otherwise seconds.
    pub fn parse(self, line: &str, milliseconds: bool) -> Command {
        parse(self, line, if milliseconds { 1 } else { 1000 })
    }
}
