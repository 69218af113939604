//! Othello: rules, notation, evaluation and an endgame solver.
//!
//! Squares are numbered a1 = 0, b1 = 1, ... h8 = 63; row 1 is the **top** row and black opens on
//! d3, c4, f5 or e6. A set of squares is a `u64` whose bit number is the square. A move is its
//! square, or [`PASS`]. A side without a move must pass, and the game ends when neither side can
//! move.

pub(crate) mod bits;
pub mod endgame;
pub mod eval;
pub mod forms;
mod game;
#[cfg(feature = "interchange")]
pub mod ggf;
mod opening;
mod origin;
mod position;
#[cfg(feature = "interchange")]
pub mod records;
mod rules;
#[cfg(feature = "interchange")]
pub mod sgf;
mod stability;
mod symmetry;
mod tactics;
mod text;
mod transcript;
#[cfg(feature = "interchange")]
mod transcripts;
mod view;
#[cfg(feature = "interchange")]
pub mod wthor;

#[cfg(test)]
pub(crate) mod tests;

pub use game::card;
pub use opening::split_moves;
pub use position::{Othello, PASS};
pub use rules::{EmptySquares, OthelloRules};
pub use stability::{safe_along_lines, stable_discs};
pub use symmetry::{SQUARE_CLASS, transpose};
pub use text::{read_move, split_board, square_name};
pub use transcript::{
    MoveFault, Transcript, TranscriptError, is_transcript, read_transcript, write_transcript,
};
#[cfg(feature = "interchange")]
pub use transcripts::TranscriptReader;
