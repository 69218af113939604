//! Certificates as compact text: some header lines, the board, and a line for each
//! node. `docs/go-proofs.md` describes it.

mod error;
mod node;
mod read;
mod write;

pub use error::{ReadError, Trouble};
pub use read::{Listed, read};

/// How every certificate begins: the name of the format and its version.
const BEGINS: &str = "leitai proof 1";
/// How every certificate ends.
const ENDS: &str = "end";
/// What answers every play that is not listed.
const OTHERWISE: &str = "*";
/// Where nothing is played.
const NOTHING: &str = "-";

#[cfg(test)]
mod tests;
