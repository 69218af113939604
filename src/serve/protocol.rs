//! The protocols, by name.

use super::command::Command;
use super::{ucci, uci};

/// A language in which engines are spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface, as engines of Xiangqi speak it: squares
    /// `a0` to `i9`.
    Uci,
    /// The Universal Chinese Chess Protocol, version 3.0.
    Ucci,
}

impl Protocol {
    /// Reads a line, which may be anything. `milliseconds` says whether times
    /// of [`Ucci`](Protocol::Ucci) are in these; if not they are in seconds.
    pub fn parse(self, line: &str, milliseconds: bool) -> Command {
        match self {
            Protocol::Uci => uci::parse(line),
            Protocol::Ucci => ucci::parse(line, if milliseconds { 1 } else { 1000 }),
        }
    }
}
