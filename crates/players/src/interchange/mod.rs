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

mod lines;
pub mod pgn;

use std::fmt;
use std::io::BufRead;

use thiserror::Error;

pub use lines::{Content, Lines, shown};

use self::pgn::Game;
use leitai_base::foreign::Foreign;
use leitai_game::card::{Rules, TextForm};

/// A format for reading and writing games.
#[derive(Clone, Copy, Debug)]
pub struct OwnForm {
    /// The description of the format.
    pub form: &'static TextForm,
    /// Reads the games of a file.
    pub reader: Reader,
    /// Formats a game of this form, without a line end.
    pub write: fn(&Game) -> Option<String>,
}

/// Starts reading a file.
pub type Reader = fn(Lines<Box<dyn BufRead>>) -> Box<dyn ReadGames>;

/// Reads the games of a file one by one.
pub trait ReadGames {
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

/// An error that ends the reading of a text file.
#[derive(Debug, Error)]
pub enum TextError {
    /// The operating system refused to read.
    #[error("cannot read {name}")]
    Read {
        /// Name of the file.
        name: Foreign,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file as a whole has the wrong contents.
    #[error("{name}: {problem}\nhelp: {help}")]
    File {
        /// Name of the file.
        name: Foreign,
        /// The problem.
        problem: Foreign,
        /// The correct form.
        help: Foreign,
    },
}

/// A game or position that cannot be read. The others of its file can.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Damage {
    /// Name of the file.
    pub name: Foreign,
    /// Number of the line, from 1.
    pub line: u64,
    /// Number of the game in the file, from 1; `None` for a position.
    pub game: Option<u64>,
    /// Number of the faulty ply, from 1.
    pub ply: Option<usize>,
    /// The problem, with the offending text.
    pub problem: Foreign,
    /// The correct form.
    pub help: Foreign,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.name, self.line)?;
        if let Some(game) = self.game {
            write!(f, ", game {game}")?;
        }
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        write!(f, ": {}", self.problem)?;
        if self.help.raw().is_empty() {
            Ok(())
        } else {
            write!(f, "\n  help: {}", self.help)
        }
    }
}
