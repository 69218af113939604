//! A run as one page that opens from disk, without network or other files.
//!
//! ```text
//! shell      the document: head, security policy, style, scripts, data
//! boards     boards as data for a browser
//! shown      games, likewise: what changes at each ply
//! games      those of a page, for its viewer
//! choice     which games a page has
//! spent      what players spent on their moves
//! course     strength over pairs
//! run        the parts of a run or a gate, in the order of reading
//! recorded   a page from a record
//! charts     what is drawn in them
//! html, number    elements and numbers as HTML
//! board.js, viewer.js, viewer.css    boards and games in a browser
//! ```
//!
//! The page depends only on the record.

mod boards;
mod charts;
mod choice;
mod course;
mod games;
pub(crate) mod html;
pub(crate) mod number;
mod recorded;
mod run;
pub(crate) mod shell;
mod shown;
mod spent;

pub use boards::{Boards, Pick};
pub use choice::GamesShown;
pub use course::Course;
pub use games::Viewer;
pub use recorded::{commands, recorded_page, viewer};
pub use run::{Part, RunPage};
pub use shell::{BOARD_SCRIPT, PAGE_STYLE, VIEWER_SCRIPT, VIEWER_STYLE};
pub use shown::Shown;
