//! Goals other than the capture of a block: semeais, in which the attacker must not lose a block
//! first, and connections.
//!
//! One AND/OR tree serves both ([`Fight`]): its ends and its candidates are those of the goal
//! ([`race`], [`link`]). [`settle`] combines several searches into a verdict.

mod apart;
mod fight;
mod link;
mod race;
mod settle;

pub use fight::Fight;
