//! Games: positions, moves, lines of play and verdicts.
//!
//! Search, play and tuning are generic over [`Position`]; each command chooses the game once, at
//! its start. The games themselves contain only rules and text formats: no search, no files, no
//! clocks.

pub mod card;
pub mod conformance;
pub mod eval;
mod line;
pub mod numbers;
mod perft;
mod position;
pub mod search;
mod verdict;
pub mod view;

pub use line::Line;
pub use perft::perft;
pub(crate) use position::MAX_MOVES;
pub use position::{ImageKeys, Move, MoveError, MoveList, Position, PositionError, Scope, Side};
pub use position::{fen_rows, legal_moves, without_number};
pub use verdict::{Cause, Verdict};
pub use view::View;
