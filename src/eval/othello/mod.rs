//! Evaluation of Othello.

mod disc_square;
mod params;

pub use disc_square::DiscSquare;
pub use params::OthelloParams;
