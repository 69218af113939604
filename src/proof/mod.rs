//! Certificates: strategies that show that a block of Go is captured or escapes,
//! and a checker that believes nothing but the rules.
//!
//! Nothing here uses the board, the knowledge or the searches that found the
//! strategy, so that a mistake in those cannot hide in the check.

mod certificate;

pub use certificate::{Certificate, Claim, Master, Node, Play, Spot, Statement, Stone};
