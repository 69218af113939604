//! Certificates as compact text: header lines, the board, and one line per node.
//! `docs/go-proofs.md` describes it.

mod error;
mod node;
mod read;
mod write;

pub use error::{ReadError, Trouble};
pub use read::{Listed, read};

/// The first line of a certificate: the name of the format and its version.
const BEGINS: &str = "leitai proof 1";
/// The last line of a certificate.
const ENDS: &str = "end";
/// The key of the answer to unlisted plays.
const OTHERWISE: &str = "*";
/// The mark of a node without a play.
const NOTHING: &str = "-";

#[cfg(test)]
mod tests;
