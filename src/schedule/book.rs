//! The openings that a tournament begins from.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::{self, Write as _};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::epd::parse_epd;
use crate::card::{AnyPosition, GameCard};
use crate::foreign::{Foreign, excerpt};
use crate::game::{Move, PositionError};

/// How many bad lines a message shows.
const SHOWN: usize = 10;

/// One opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Its name: the operation `id` of the line, or the name that a line of moves
    /// has; or else `opening 12`.
    pub id: String,
    /// The position's text.
    pub fen: String,
    /// The line of the file, or the number in a set of problems, from 1; 0 if it comes
    /// from no file.
    pub line: usize,
    /// The position.
    pub position: Box<dyn AnyPosition>,
    /// The moves that lead there from the usual start, where the book tells them.
    pub moves: Option<Vec<Move>>,
}

/// A line that was dropped, for an earlier one is the same up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Number of the line.
    pub line: usize,
    /// Number of the earlier line.
    pub first: usize,
}

/// Openings of a game, in the order of their file, no two the same up to
/// the symmetries of the board; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// The openings.
    pub openings: Vec<Opening>,
    /// The lines that were dropped.
    pub duplicates: Vec<Duplicate>,
}

/// One line that is no opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line.
    pub text: Foreign,
    /// What is wrong with it, as a lowercase fragment.
    pub reason: Foreign,
}

/// Why there is no book.
#[derive(Debug, Error)]
pub enum BookError {
    /// Some lines are no openings.
    #[error("{}", show(name, lines))]
    Lines {
        /// The name of the file.
        name: Foreign,
        /// All of them, in the order of the file.
        lines: Vec<BadLine>,
    },
    /// No line is an opening.
    #[error("`{name}` holds no openings")]
    Empty {
        /// The name of the file.
        name: Foreign,
    },
}

fn show(name: &Foreign, lines: &[BadLine]) -> String {
    let mut text = match lines.len() {
        1 => format!("a line of `{name}` is no opening"),
        count => format!("{count} lines of `{name}` are no openings"),
    };
    for BadLine {
        line,
        text: source,
        reason,
    } in lines.iter().take(SHOWN)
    {
        let [reason, source] = [reason, source].map(|it| excerpt(it.raw(), LETTERS));
        let _ = write!(text, "\n  {name}:{line}: {reason}\n    {source}");
    }
    if lines.len() > SHOWN {
        let _ = write!(text, "\n  and {} more", lines.len() - SHOWN);
    }
    text
}

/// Letters of a line that a message shows.
const LETTERS: usize = 200;

impl fmt::Display for Duplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, first } = self;
        write!(
            f,
            "line {line} is dropped: up to symmetry it is the same as line {first}"
        )
    }
}

impl Book {
    /// The usual starting position and nothing else.
    pub fn initial(card: &'static dyn GameCard) -> Self {
        let position = card.initial();
        Self {
            openings: vec![Opening {
                id: "initial".to_owned(),
                fen: position.to_fen(),
                line: 0,
                position,
                moves: Some(Vec::new()),
            }],
            duplicates: Vec::new(),
        }
    }

    /// Reads the openings in `text`, a line each: EPD, FEN, a board and a side
    /// (OBF too), or where the game has such lines, moves from the usual start.
    /// Empty lines and those that begin with `#` or `%` are passed over.
    ///
    /// # Errors
    /// A line is no opening, or none is; `name` is what messages call the text.
    pub fn parse(card: &'static dyn GameCard, text: &str, name: &str) -> Result<Self, BookError> {
        let mut bad = Vec::new();
        let mut openings = Vec::new();
        // Old Macintosh files end their lines with a carriage return alone.
        let text = text.trim_start_matches('\u{feff}');
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (number, source) in (1..).zip(text.lines().map(str::trim)) {
            if source.is_empty() || source.starts_with(['#', '%']) {
                continue;
            }
            match opening(card, source, number) {
                Ok(opening) => openings.push(opening),
                Err(reason) => bad.push(BadLine {
                    line: number,
                    text: source.into(),
                    reason: reason.into(),
                }),
            }
        }
        if !bad.is_empty() {
            let name = name.to_owned();
            return Err(BookError::Lines {
                name: name.into(),
                lines: bad,
            });
        }
        Self::collect(openings, name)
    }

    /// A book of these openings, but for those that are the same as an earlier one up
    /// to symmetry. One without a name gets its place among those that are kept.
    ///
    /// # Errors
    /// There are none; `name` is what messages call their source.
    pub fn collect(
        openings: impl IntoIterator<Item = Opening>,
        name: &str,
    ) -> Result<Self, BookError> {
        let mut book = Self {
            openings: Vec::new(),
            duplicates: Vec::new(),
        };
        let mut seen = HashMap::new();
        for mut opening in openings {
            let line = opening.line;
            match seen.entry(opening.position.symmetric_key()) {
                Entry::Occupied(first) => {
                    let first = *first.get();
                    book.duplicates.push(Duplicate { line, first });
                }
                Entry::Vacant(place) => {
                    place.insert(line);
                    if opening.id.is_empty() {
                        // Not the line's number: comments must not matter.
                        opening.id = format!("opening {}", book.openings.len() + 1);
                    }
                    book.openings.push(opening);
                }
            }
        }
        if book.openings.is_empty() {
            let name = name.to_owned();
            return Err(BookError::Empty { name: name.into() });
        }
        Ok(book)
    }

    /// The number of openings.
    #[expect(clippy::len_without_is_empty, reason = "a book is never empty")]
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// A hash of the names and positions in their order, in hexadecimal: part
    /// of a run's identity. Comments and layout of the file do not enter it.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        for opening in &self.openings {
            for part in [&opening.id, &opening.fen] {
                hasher.update(part.as_bytes());
                hasher.update(b"\n");
            }
        }
        hexadecimal(&hasher.finalize())
    }
}

/// Bytes as lowercase hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn opening(card: &dyn GameCard, source: &str, line: usize) -> Result<Opening, String> {
    let (position, id, moves) = if let Some(read) = card.read_opening(source) {
        let (line, id) = read?;
        (line.position().boxed(), id, Some(line.moves()))
    } else {
        let (position, id) = read_epd(card, source)?;
        (position, id, None)
    };
    if position.count_legal_moves() == 0 {
        return Err("the game is over there".to_owned());
    }
    if position.is_dead() {
        return Err("nobody has the material to win there".to_owned());
    }
    Ok(Opening {
        id,
        fen: position.to_fen(),
        line,
        position,
        moves,
    })
}

/// The position of a line of EPD, and its `id`.
fn read_epd(card: &dyn GameCard, source: &str) -> Result<(Box<dyn AnyPosition>, String), String> {
    let epd = parse_epd(source, card.facts().fen_fields)?;
    let position = card
        .read(&epd.position)
        .map_err(|PositionError { reason, .. }| reason)?;
    Ok((position, epd.id().unwrap_or_default().to_owned()))
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
