//! Evaluation of Xiangqi: a sum of terms, each a weight times a count.
//!
//! Material and squares are updated move by move. The other [`terms`](Terms) are counted when a
//! position is evaluated, but not without weights. The sum is linear in the weights, so it has
//! [`features`] and gradients.

mod count;
mod evaluation;
mod features;
pub mod numbers;
mod params;
mod taper;
mod terms;

#[cfg(test)]
mod tests;

pub use evaluation::XiangqiEvaluation;
pub use features::features;
pub use params::{Phase, Weights, XiangqiParams};
pub use taper::{Balance, PHASES};
pub use terms::{
    Cannons, Guards, Hanging, Horses, KingSafety, Mobility, Pawns, Rooks, Teamwork, Terms, Threats,
};
