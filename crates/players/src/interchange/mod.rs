//! Games and positions in the formats of other programs, read line by line and game by game in any
//! encoding and notation.
//!
//! ```text
//! bytes ─ lines ─┬─ PGN: lexer ─ raw games ─ games of a type, replayed
//!                ├─ forms of a game's own, which its folder reads
//!                └─ EPD, OBF: positions with their operations
//! ```
//!
//! Only an unreadable file is fatal: a damaged game or line is reported with its place, and the
//! rest is still read.

mod encoding;
pub mod epd;
mod error;

mod lines;
mod own;
pub mod pgn;

pub use error::{Damage, TextError};
pub use lines::{Content, Lines, shown};
pub use own::{OwnForm, ReadGames, Reader};
