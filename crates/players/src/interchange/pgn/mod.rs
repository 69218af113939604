//! Games in PGN, one at a time.
//!
//! [`PgnReader`] finds raw games of any kind: tags, words, a result. [`Game`] is a replayed game:
//! all of its moves are legal.

mod game;
mod lexer;
mod own;
mod raw;
mod reader;
mod result;
mod searched;
mod text;
mod write;

pub use game::{Doubt, Game};
pub use leitai_game::card::Tags;
pub use own::{BEYOND_TAG, CLUSTER_TAG, GATE, OWN_EVENT, RUN_TAG, event_of, own_tags, round_of};
pub use raw::{RawGame, Words};
pub use reader::{PgnReader, Tally};
pub use result::{half_points, result_text};
pub use searched::Searched;
pub use text::pgn_text;
pub use write::{PgnEnding, PgnGame, PgnPlayer, PgnTags};
