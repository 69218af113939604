//! Games and positions in the formats of other programs, read line by line and game by game in any
//! encoding and notation.
//!
//! ```text
//! bytes ─ text ─┬─ PGN: lexer ─ raw games ─ games of a type, replayed
//!                ├─ formats of one game, which its crate reads
//!                └─ EPD, OBF: positions with their operations
//! ```
//!
//! Only an unreadable file is fatal: a damaged game or line is reported with its place, and the
//! rest is still read.

mod bytes;
mod decoder;
mod encoding;
pub mod epd;
mod error;
mod lines;
mod moves;
pub mod pgn;
pub mod positions;
mod source;
mod stated;
mod unpack;

use std::io::BufReader;

pub use bytes::Bytes;
pub use error::{Damage, GameLocation, TextError, left_out};
pub use lines::{Lines, decoded, decoded_as, shown};
pub use source::{Content, SGF_HELP, Source, open};
pub use stated::{NumberedLines, ReadStated, StatedGame};
pub use unpack::unpacked;

use self::pgn::{Game, PgnGame};
use leitai_game::card::{GameCard, GameFormat, Rules};

/// A format of a game's own.
#[derive(Clone, Copy, Debug)]
pub struct OwnFormat {
    /// The description of the format.
    pub form: &'static GameFormat,
    /// Reads the games of a file.
    pub reader: OpenReader,
    /// Formats a game; `None` if the format is only read.
    pub write: Option<WriteGame>,
    /// The line between two games in a file; none if it is empty.
    pub between: &'static str,
}

/// A text format of one game, with the functions that read and write it.
#[derive(Clone, Copy, Debug)]
pub struct TextFormat {
    /// Its names, and its detection in files; one of [`Facts::forms`](leitai_game::card::Facts::forms).
    pub form: &'static GameFormat,
    /// Reads the next game. Leitai plays its moves, and reports those that are not legal.
    pub read: ReadStated,
    /// Formats a game, without a line end; `None` for a game that the format cannot express. Without
    /// the function the format is only read.
    pub write: Option<fn(&PgnGame) -> Option<String>>,
    /// The line between two games in a file; none if it is empty.
    pub between: &'static str,
}

/// A function that formats a game, without a line end; it returns `None` for a game that the format
/// cannot express.
#[derive(Clone, Copy, Debug)]
pub enum WriteGame {
    /// From the game with its positions.
    Played(fn(&Game) -> Option<String>),
    /// From the game as plain data.
    Plain(fn(&PgnGame) -> Option<String>),
}

impl WriteGame {
    /// The text of a game.
    pub fn text(self, game: &Game) -> Option<String> {
        match self {
            Self::Played(write) => write(game),
            Self::Plain(write) => write(&PgnGame::of(game)),
        }
    }
}

impl OwnFormat {
    /// A text format of the game with this card.
    pub const fn of_text(format: TextFormat, card: &'static dyn GameCard) -> Self {
        Self {
            form: format.form,
            reader: OpenReader::Stated(card, format.read),
            write: match format.write {
                Some(write) => Some(WriteGame::Plain(write)),
                None => None,
            },
            between: format.between,
        }
    }
}

/// The function that opens a reader of a format.
#[derive(Clone, Copy, Debug)]
pub enum OpenReader {
    /// For text formats.
    Text(for<'r> fn(Lines<'r>) -> Box<dyn GameReader + 'r>),
    /// For text formats of a game that state moves as words.
    Stated(&'static dyn GameCard, ReadStated),
    /// For binary formats.
    Bytes(for<'r> fn(Bytes<'r>) -> Box<dyn GameReader + 'r>),
}

impl OpenReader {
    /// Starts reading bytes.
    pub fn of_bytes(self, bytes: Bytes<'_>) -> Box<dyn GameReader + '_> {
        match self {
            Self::Bytes(read) => read(bytes),
            Self::Text(_) | Self::Stated(..) => self.of_text(bytes.lines()),
        }
    }

    /// Starts reading a text.
    pub fn of_text(self, lines: Lines<'_>) -> Box<dyn GameReader + '_> {
        match self {
            Self::Bytes(read) => {
                let name = lines.name().to_owned();
                read(Bytes::new(BufReader::new(lines), &name))
            }
            Self::Text(read) => read(lines),
            Self::Stated(card, read) => Box::new(stated::StatedReader {
                lines,
                card,
                read,
                games: 0,
                next: None,
            }),
        }
    }
}

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
