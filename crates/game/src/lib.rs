//! What a game is: positions, moves, lines of play and verdicts.
//!
//! Search, play and tuning are generic over [`Position`]; the choice of the
//! game is made once, at the door of a command. The games themselves know
//! rules and text formats only: no search, no files, no clocks.

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
pub use perft::{divide, perft, perft_of_full_depth};
pub(crate) use position::MAX_MOVES;
pub use position::without_number;
pub use position::{ImageKeys, Move, MoveError, MoveList, Position, PositionError, Scope, Side};
pub use verdict::{Cause, Verdict};
pub use view::View;
