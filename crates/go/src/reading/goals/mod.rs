//! Goals beside the capture of a block: semeais, in which the attacker must not lose a
//! block of his own first, and connections.
//!
//! One AND/OR tree serves both ([`Fight`]): its ends and its candidates are those of the
//! goal ([`race`], [`link`]). How a verdict comes of several searches is in [`settle`].

mod apart;
mod fight;
mod link;
mod race;
mod settle;

pub use fight::Fight;
