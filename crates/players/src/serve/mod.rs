//! Serving: a variant plays as an engine for another program.
//!
//! The protocol's own parser ([`Protocol`]) converts a line of text to a [`Command`], and a
//! [`Session`] executes it. The session runs in the input thread and never waits. Each search has
//! its own thread, which owns the game's memory during the search, and so has the construction of a
//! table. All answers go through a function from the caller.
//!
//! This module knows no games: positions, moves and engines come from the game's card.

mod command;
mod control;
mod engine;
mod engine_slot;
mod options;
mod protocol;
mod session;
mod task;
#[cfg(test)]
mod tests;

pub use command::{Command, Go, PositionText, Thinking};
pub use protocol::Protocol;
pub use session::{Output, Player, Session};
