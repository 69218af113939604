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
pub mod pgn;

use std::io::BufRead;

pub use error::{Damage, TextError};
pub use lines::{Content, Lines, shown};

use self::pgn::Game;
use leitai_game::card::{Rules, TextForm};

/// A format for reading and writing games.
#[derive(Clone, Copy, Debug)]
pub struct OwnFormat {
    /// The description of the format.
    pub form: &'static TextForm,
    /// Reads the games of a file.
    pub reader: Reader,
    /// Formats a game of this form, without a line end.
    pub write: fn(&Game) -> Option<String>,
}

/// Starts reading a file.
pub type Reader = fn(Lines<Box<dyn BufRead>>) -> Box<dyn GameReader>;

/// Reads the games of a file one by one.
pub trait GameReader {
    /// The next game by `rules`, or the damage that prevents reading it; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read.
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError>;

    /// The file's name.
    fn name(&self) -> &str;

    /// Notes on the file, once all games have been read.
    fn notes(&self) -> Vec<String>;
}
