//! Records become tables, PGN, JSON and plots.

mod games;
pub mod pgn;
pub mod study;
mod summary;
mod terminal;

pub use games::{ExportError, write_games};
pub use pgn::{PgnGame, PgnPlayer, PgnStyle, PgnTags, Squares};
pub use summary::{CauseCount, Results, Row, Summary, Versus};
pub use terminal::{render, render_table, sentence};
