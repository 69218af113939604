//! Records become tables, PGN and JSON.

mod games;
pub mod pgn;
mod summary;
mod terminal;

pub use games::{ExportError, write_games};
pub use pgn::{PgnGame, PgnPlayer, PgnStyle, PgnTags, Squares};
pub use summary::{CauseCount, Results, Row, Summary, Versus};
pub use terminal::{render, render_table, sentence};
