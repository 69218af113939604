//! Evaluation of Othello: a sum of terms, each a weight times a count, with weights that change
//! with the stage of the game.
//!
//! Squares and discs, terms that are counted on the whole board ([`Terms`]), and short lines by
//! their pattern ([`Length`]). The sum is linear in the weights, so it has [`features`] and
//! gradients. Terms without a weight are not counted.

mod count;
mod evaluation;
mod features;
mod lines;
pub mod numbers;
mod params;
mod stage;
mod terms;
mod tuples;

#[cfg(test)]
mod tests;

pub use evaluation::{OthelloEvaluation, finished};
pub use features::features;
pub use params::OthelloParams;
pub use stage::{Stage, UNIT};
pub use terms::{Edges, Terms};
pub use tuples::{DIGITS, Length, Shape, Tuple};
