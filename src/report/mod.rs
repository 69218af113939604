//! Records become tables, PGN and JSON.

mod summary;
mod terminal;

pub use summary::{CauseCount, Results, Row, Summary, Versus};
pub use terminal::{render, render_table, sentence};
