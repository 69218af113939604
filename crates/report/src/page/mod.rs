//! A run as one page that opens from disk, without network or other files.
//!
//! ```text
//! shell             the document: head, security policy, style, scripts, data
//! boards            boards as data for a browser
//! game_data         games as data for a browser: the changes of each ply
//! games             the games of a page, for its viewer
//! move_costs        nodes, depth and time of the players' moves
//! course            strength over pairs
//! run               the parts of a run or a gate, in the order of reading
//! recorded          a page from a record
//! charts            the drawings in them
//! elements, number  elements and numbers as HTML
//! board.js, viewer.js, viewer.css    boards and games in a browser
//! ```
//!
//! The page depends only on the record.

mod boards;
mod charts;
mod course;
pub(crate) mod elements;
mod game_data;
mod games;
mod move_costs;
pub(crate) mod number;
mod recorded;
mod run;
pub(crate) mod shell;

pub use boards::{Boards, SelectableMove};
pub use course::Course;
pub use game_data::GameData;
pub use games::Viewer;
pub use recorded::{commands, recorded_page, viewer};
pub(crate) use run::parts_of;
pub use run::{Part, RunPage};
pub use shell::{BOARD_SCRIPT, PAGE_STYLE, VIEWER_SCRIPT, VIEWER_STYLE};
