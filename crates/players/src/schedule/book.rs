//! The openings of a tournament.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::{self, Write as _};
use std::num::NonZeroUsize;
use std::thread;

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::Opening;
use super::epd::parse_epd;
use leitai_base::foreign::{Foreign, excerpt};
use leitai_base::threads::pool;
use leitai_game::Move;
use leitai_game::card::{AnyPosition, GameCard, GameChoice};

/// Greatest number of bad lines in a message.
const SHOWN: usize = 10;

/// Greatest number of bad lines kept, since a file may contain nothing else.
const MAX_BAD: usize = 1_000;

/// A dropped line that equals an earlier one up to symmetry. Openings of a game in the order of
/// their file, distinct up to the symmetries of the board; never empty.
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
    /// The dropped lines.
    pub duplicates: Vec<Duplicate>,
}

/// One line that is not an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line.
    pub text: Foreign,
    /// The problem, as a lowercase fragment.
    pub reason: Foreign,
}

/// The result of reading a book.
type Result<T, E = BookError> = std::result::Result<T, E>;

/// An error while reading a book.
#[derive(Debug, Error)]
pub enum BookError {
    /// Some lines are not openings.
    #[error("{}", show(name, what, lines, *beyond))]
    Lines {
        /// The name of the file.
        name: Foreign,
        /// The unit of openings in the file: `line` or `game`.
        what: &'static str,
        /// The first bad lines, in the order of the file.
        lines: Vec<BadLine>,
        /// Number of further bad lines.
        beyond: usize,
    },
    /// No line is an opening.
    #[error("`{name}` holds no openings")]
    Empty {
        /// The name of the file.
        name: Foreign,
    },
}

fn show(name: &Foreign, what: &str, lines: &[BadLine], beyond: usize) -> String {
    let all = lines.len() + beyond;
    let mut text = match all {
        1 => format!("a {what} of `{name}` is not an opening"),
        count => format!("{count} {what}s of `{name}` are not openings"),
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
    if all > SHOWN {
        let _ = write!(text, "\n  and {} more", all - SHOWN);
    }
    text
}

/// Greatest number of characters of a line in a message.
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
    /// A book of the usual starting position only.
    pub fn initial(card: &'static dyn GameCard) -> Self {
        Self {
            openings: vec![Opening::initial(card)],
            duplicates: Vec::new(),
        }
    }

    /// The default openings of a game without a configured book: the usual start, or the openings
    /// of its rules.
    ///
    /// # Errors
    /// The game's own openings are unreadable to the game.
    pub fn usual(game: &GameChoice) -> Result<Self> {
        let lines = game.card.usual_openings(&game.rules);
        if lines.is_empty() {
            return Ok(Self::initial(game.card));
        }
        Self::parse(game.card, &lines.join("\n"), "the usual openings")
    }

    /// Reads the openings in `text`, a line each: EPD, FEN, a board and a side (also OBF), or moves
    /// from the usual start if the game supports such lines. Empty lines and those that begin with
    /// `#` or `%` are ignored.
    ///
    /// # Errors
    /// A line is not an opening, or there are no openings; messages call the text `name`.
    pub fn parse(card: &'static dyn GameCard, text: &str, name: &str) -> Result<Self> {
        Self::parse_to(card, text, name, None)
    }

    /// Reads the openings like [`parse`](Book::parse), but uses at most the first `plies` moves of
    /// each line of moves.
    ///
    /// # Errors
    /// As for [`parse`](Book::parse).
    pub fn parse_to(
        card: &'static dyn GameCard,
        text: &str,
        name: &str,
        plies: Option<usize>,
    ) -> Result<Self> {
        let text = text.trim_start_matches('\u{feff}');
        // Classic Mac OS files end lines with a carriage return alone.
        let text = if text.contains('\r') {
            Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
        } else {
            Cow::Borrowed(text)
        };
        let lines = (1..).zip(text.lines().map(str::trim));
        let lines = lines.filter(|(_, it)| !it.is_empty() && !it.starts_with(['#', '%']));
        let read = |&(number, source): &(usize, &str)| {
            opening(card, source, number, plies).map_err(|reason| BadLine {
                line: number,
                text: source.into(),
                reason: reason.into(),
            })
        };
        let mut reading = Reading::default();
        let mut lines = lines.peekable();
        while lines.peek().is_some() {
            let block: Vec<_> = lines.by_ref().take(BLOCK).collect();
            reading.take(in_order(&block, read));
        }
        reading.book(name, "line")
    }

    /// Collects openings into a book, without those that equal an earlier one up to symmetry. An
    /// opening without a name is named after its place in the book.
    ///
    /// # Errors
    /// There are no openings; messages call their source `name`.
    pub fn collect(openings: impl IntoIterator<Item = Opening>, name: &str) -> Result<Self> {
        let mut reading = Reading::default();
        let openings = openings.into_iter().map(|opening| {
            let key = opening.position().symmetric_key();
            Ok((opening, key))
        });
        reading.take(openings);
        reading.book(name, "line")
    }

    /// Returns the number of openings.
    #[expect(clippy::len_without_is_empty, reason = "a book is never empty")]
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Returns a hexadecimal hash of the names and positions in their order, which is part of a
    /// run's identity. Comments and layout of the file do not affect the hash.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        for opening in &self.openings {
            for part in [&*opening.id(), opening.fen()] {
                hasher.update(part.as_bytes());
                hasher.update(b"\n");
            }
        }
        hexadecimal(&hasher.finalize())
    }
}

/// Formats bytes as lowercase hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A parsed opening with its symmetric key, or the error.
pub type Keyed = Result<(Opening, u64), BadLine>;

/// Collects openings, without duplicates up to symmetry.
#[derive(Debug, Default)]
pub struct Reading {
    openings: Vec<Opening>,
    duplicates: Vec<Duplicate>,
    bad: Vec<BadLine>,
    /// Number of bad lines that are not kept.
    beyond: usize,
    /// The lines of the kept openings, by their symmetric keys.
    seen: HashMap<u64, u32>,
}

impl Reading {
    /// Adds the next openings or errors.
    pub fn take(&mut self, read: impl IntoIterator<Item = Keyed>) {
        for read in read {
            match read {
                Err(_) if self.bad.len() >= MAX_BAD => self.beyond += 1,
                Err(bad) => self.bad.push(bad),
                // A bad line has already ruled out a book.
                Ok(_) if !self.bad.is_empty() => {}
                Ok((mut opening, key)) => match self.seen.entry(key) {
                    Entry::Occupied(first) => {
                        let first = *first.get() as usize;
                        let line = opening.line;
                        self.duplicates.push(Duplicate { line, first });
                    }
                    Entry::Vacant(place) => {
                        place.insert(u32::try_from(opening.line).unwrap_or(u32::MAX));
                        // Not the line's number: comments must not matter.
                        opening.number(self.openings.len() + 1);
                        self.openings.push(opening);
                    }
                },
            }
        }
    }

    /// Builds the book; `what` is the unit of openings in the file.
    ///
    /// # Errors
    /// The file has broken lines, or no opening.
    pub fn book(self, name: &str, what: &'static str) -> Result<Book> {
        let name = || name.to_owned().into();
        if !self.bad.is_empty() {
            return Err(BookError::Lines {
                name: name(),
                what,
                lines: self.bad,
                beyond: self.beyond,
            });
        }
        if self.openings.is_empty() {
            return Err(BookError::Empty { name: name() });
        }
        Ok(Book {
            openings: self.openings,
            duplicates: self.duplicates,
        })
    }
}

/// Number of openings that are parsed at a time, on all processors.
pub const BLOCK: usize = 1 << 16;
/// Least number of openings for a second thread.
const FEW: usize = 1 << 12;

/// Applies `read` to each item and returns the results in order.
pub fn in_order<T: Sync, R: Send>(all: &[T], read: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    if all.len() < FEW || processors.get() == 1 {
        return all.iter().map(read).collect();
    }
    let read = &read;
    pool(processors).install(|| all.par_iter().map(read).collect())
}

fn opening(
    card: &'static dyn GameCard,
    source: &str,
    line: usize,
    plies: Option<usize>,
) -> Result<(Opening, u64), String> {
    let (position, id, moves) = if let Some(read) = card.read_opening(source) {
        let (mut played, id) = read?;
        while plies.is_some_and(|most| played.len() > most) {
            played.undo();
        }
        (played.position().boxed(), id, Some(played.moves()))
    } else {
        read_epd(card, source)?
    };
    check_start(&*position)?;
    let opening = Opening::new(&*position, &id, line, moves);
    Ok((opening, position.symmetric_key()))
}

/// Checks that a game can begin at a position, or returns the reason why not.
///
/// # Errors
/// No game can begin there; the message says why.
pub fn check_start(position: &dyn AnyPosition) -> Result<(), String> {
    if position.count_legal_moves() == 0 {
        return Err("the game is over there".to_owned());
    }
    if position.is_dead() {
        return Err("neither side has the material to win there".to_owned());
    }
    let card = position.card();
    if let Some(verdict) = card.line(position).verdict(&card.rules())
        && verdict.winner.is_none()
    {
        return Err(format!("the game is drawn there by {}", verdict.cause));
    }
    Ok(())
}

/// The position of an EPD line, its `id`, and the moves that lead to the position.
type ReadEpd = (Box<dyn AnyPosition>, String, Option<Vec<Move>>);

fn read_epd(card: &dyn GameCard, source: &str) -> Result<ReadEpd, String> {
    let epd = parse_epd(source, card.facts())?;
    let position = card.read(&epd.position).map_err(|error| error.reason)?;
    let id = epd.id().unwrap_or_default().to_owned();
    let comment = epd.operations.iter().find(|it| it.name == "c0");
    let moves = comment.and_then(|it| moves_to(&*position, &it.operands()));
    Ok((position, id, moves))
}

/// Returns the moves in a comment if they lead from the usual start to the position, as in our own
/// books.
fn moves_to(position: &dyn AnyPosition, comment: &[&str]) -> Option<Vec<Move>> {
    let mut reached = position.card().initial();
    let mut moves = Vec::new();
    for word in comment.iter().flat_map(|text| text.split_whitespace()) {
        let mv = reached.parse_move(word).ok()?;
        reached.play(mv);
        moves.push(mv);
    }
    (reached.key() == position.key()).then_some(moves)
}

#[cfg(test)]
mod tests;
