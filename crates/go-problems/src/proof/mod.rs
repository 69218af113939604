//! Certificates: strategies that prove that a block of Go is captured or escapes, wins a race or is
//! connected, and a checker that trusts only the rules.
//!
//! Nothing here uses the board, the knowledge or the searches that found the strategy, so that a
//! bug in those cannot hide in the check.

mod apart;
mod certificate;
mod check;
mod life;
mod names;
mod points;
mod refusal;
mod rules;
mod sgf;
mod shrink;
#[cfg(test)]
mod tests;
mod text;
mod zone;

pub use certificate::{Ban, Certificate, Claim, Master, Node, Play, Spot, Statement, Stone};
pub use check::{Effort, Summary, check, check_until};
pub use refusal::{Reason, Refusal};
pub use sgf::to_sgf;
pub use text::{Listed, ReadError, Trouble, read};
