//! A run as one page that opens from disk: no network, nothing beside it.
//!
//! ```text
//! shell      the document: head, security policy, style, scripts, data
//! games      games as data for the viewer: boards by what changes at each ply
//! choice     which games a page has
//! course     strength over pairs
//! recorded   a page from a record
//! run        the sections of a run or a gate, in the order of reading
//! charts     what is drawn in them
//! number, words    numbers and sentences as HTML
//! board.js, viewer.js, viewer.css    boards and games in a browser
//! ```
//!
//! Everything on it is a function of what was recorded.

mod charts;
mod choice;
mod course;
mod games;
pub(in crate::report) mod number;
mod recorded;
mod run;
pub(in crate::report) mod shell;
pub(in crate::report) mod words;

pub use choice::GamesShown;
pub use course::{Course, recalled_with_course};
pub use games::Viewer;
pub use recorded::recorded_page;
pub use run::{RunPage, run_page};
