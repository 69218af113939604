//! Shogi: rules, notation, records of games, and an evaluation.

mod attacks;
mod board;
pub mod eval;
mod exchange;
pub mod forms;
mod game;
mod generate;
mod moves;
mod notation;
mod piece;
mod position;
#[cfg(feature = "interchange")]
pub mod records;
mod referee;
mod rules;
mod sfen;
mod square;
mod tactics;
mod view;
mod zobrist;

pub use board::{Shogi, Undo};
pub use game::card;
pub use piece::{Kind, Piece};
pub use rules::ShogiRules;
pub use square::Square;

#[cfg(test)]
mod tests;
