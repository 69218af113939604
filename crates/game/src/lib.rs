//! Two-player games: the interface of a game, searches, numbers of evaluations, and the card.
//!
//! Searches and solvers are generic over [`Position`]; all other code uses a game by its
//! [card](card::GameCard), an object.

pub mod card;
pub mod conformance;
pub mod eval;
mod line;
mod moves;
pub mod numbers;
mod perft;
mod position;
pub mod search;
mod verdict;
pub mod view;

pub use leitai_base::side::Side;
#[doc(inline)]
pub use leitai_protocols as protocol;
pub use line::Line;
pub(crate) use moves::Ranks;
pub use moves::{MoveBuffer, MoveList, legal_moves};
pub use perft::perft;
#[doc(hidden)]
pub use position::has_promotion_sign;
pub use position::{ImageKeys, Move, MoveError, Position, PositionError, Scope};
pub use position::{check_columns, fen_rows, without_number};
pub use verdict::{Cause, OwnCause, Verdict};
pub use view::View;
