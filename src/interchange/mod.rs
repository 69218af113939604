//! Games and positions as other programs write them: everything is read here,
//! line by line and game by game, whatever its age, letters and notation.
//!
//! ```text
//! bytes ─ lines ─┬─ PGN: lexer ─ raw games ─ games of a type, replayed
//!                ├─ forms of a game's own, which its folder reads
//!                └─ EPD, OBF: positions with their operations
//! ```
//!
//! Nothing here is fatal but a file that cannot be read: a damaged game or line
//! is told with its place, and the rest is still read.

mod ahead;

mod encoding;
pub mod epd;
mod error;

mod lines;
mod own;
pub mod pgn;

pub use error::{Damage, TextError};
pub use lines::{Content, Lines, shown};
pub use own::{OwnForm, ReadGames, Reader};
