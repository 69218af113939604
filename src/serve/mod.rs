//! Serving: a variant plays under the orders of another program.
//!
//! A line of text becomes a [`Command`] by the protocol's own parser ([`Protocol`]),
//! and a [`Session`] obeys it. The session lives in the thread that hears the
//! commands and never waits; each search has a thread of its own, which owns the
//! memory of the game for as long as it searches, and so has the making of a table.
//! What is answered goes through one function that the caller gives.
//!
//! No game is known here: positions, moves and what thinks about them come from its card.

mod clock;
mod codec;
mod command;
mod control;
mod engine;
mod engine_slot;
mod options;
mod parse;
mod protocol;
mod reading;
mod session;
mod settle;
mod task;
#[cfg(test)]
mod tests;

pub use command::{Command, Go, PositionText, Thinking};
pub use protocol::Protocol;
pub use session::{Output, Player, Session};
