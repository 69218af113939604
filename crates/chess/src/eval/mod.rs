//! Evaluation of Chess: a sum of terms, each a weight times a count, interpolated between
//! middlegame and endgame.
//!
//! Material and squares are updated move by move; the other [terms](terms) are counted when a
//! position is evaluated, and not at all if no term has a weight. The sum is linear in the weights,
//! so it has [`features`] and gradients.

mod count;
mod evaluation;
mod features;
pub mod numbers;
mod taper;
pub mod terms;

#[cfg(test)]
mod tests;

pub use evaluation::ChessEvaluation;
pub use features::features;
pub use taper::PHASES;
