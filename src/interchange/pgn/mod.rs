//! Games in PGN, one at a time.
//!
//! [`PgnReader`] finds games, whatever they are of: tags, words, a result.
//! [`Game`] is such a game replayed: its moves are legal moves of its type.

mod game;
mod lexer;
mod own;
mod raw;
mod reader;
mod result;
mod searched;

pub use crate::card::Tags;
pub use game::{Doubt, Game};
pub use own::{BEYOND_TAG, CLUSTER_TAG, GATE, OWN_EVENT, RUN_TAG, event_of, own_tags, round_of};
pub use raw::{RawGame, Words};
pub use reader::{PgnReader, Tally};
pub use result::half_points;
pub use searched::Searched;
