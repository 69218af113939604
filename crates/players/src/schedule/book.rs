//! The openings of a tournament.

mod lines;
mod recorded;

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::{self, Write as _};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::thread;

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use thiserror::Error;

use self::lines::BookLines;
pub(super) use self::lines::{AT_ONCE, content};
pub use self::lines::{line_ends, numbered_lines};
use self::recorded::RecordedBook;
use super::opening::{Opening, numbered};
use leitai_base::foreign::{Foreign, excerpt};
use leitai_base::threads::pool;
use leitai_game::Move;
use leitai_game::card::{AnyPosition, GameCard, GameChoice, KeyIndex, Ways};
use leitai_interchange::epd::parse_epd;

/// Greatest number of bad lines in a message.
const SHOWN: usize = 10;

/// Greatest number of bad lines kept, since a file may contain nothing else.
const MAX_BAD: usize = 1_000;

/// Most lines of a book that are all parsed and checked when the book is read.
pub const MOST_CHECKED: usize = 1 << 14;

/// A dropped line that equals an earlier one up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Number of the line, or of the game in a binary file.
    pub line: usize,
    /// Number of the earlier one.
    pub first: usize,
    /// `line` or `game`.
    pub unit: &'static str,
}

/// Openings of a game, in the order of their file, no two the same up to the symmetries of the
/// board; never empty.
///
/// A book of more than [`MOST_CHECKED`] lines keeps their text and parses a line when it is drawn.
/// Duplicates are then found by 64-bit keys of the lines: among a million openings, two different
/// ones have the same key with a probability of 3e-8, and the later one is dropped. Copies share
/// their content.
#[derive(Clone)]
pub struct Book {
    content: Content,
    /// The dropped lines.
    pub duplicates: Vec<Duplicate>,
}

/// The openings of a book.
#[derive(Clone)]
enum Content {
    /// All are parsed.
    Parsed(Arc<ParsedBook>),
    /// Lines that are parsed when they are drawn.
    Lines(Arc<BookLines>),
    /// Those in a record.
    Recorded(Arc<RecordedBook>),
}

struct ParsedBook {
    openings: Vec<Opening>,
    /// Indices by meeting key.
    places: OnceLock<KeyIndex>,
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
    /// The record of a run does not have an opening.
    #[error(
        "the record does not have opening {number} of the book: it has those that were played\n\
         help: run the config, which names the file of the book"
    )]
    NotRecorded {
        /// The number of the opening, from 1.
        number: usize,
    },
    /// The protocol of the engines cannot express an opening.
    #[error("`{name}`, line {line}: {problem}\nhelp: {help}")]
    Inexpressible {
        /// The name of the file.
        name: Foreign,
        /// The number of the line.
        line: usize,
        /// The problem.
        problem: &'static str,
        /// A correction.
        help: &'static str,
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
        let Self { line, first, unit } = self;
        write!(
            f,
            "{unit} {line} is dropped: up to symmetry it is the same as {unit} {first}"
        )
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book({} openings)", self.len())
    }
}

impl Book {
    /// A book of the usual starting position only.
    pub fn initial(card: &'static dyn GameCard) -> Self {
        Self::of(vec![Opening::initial(card)])
    }

    /// A book of these openings, all different up to symmetry.
    pub fn of(openings: Vec<Opening>) -> Self {
        let places = OnceLock::new();
        Self {
            content: Content::Parsed(Arc::new(ParsedBook { openings, places })),
            duplicates: Vec::new(),
        }
    }

    /// The book of a recorded run: `len` openings with that [digest](Self::digest), none known
    /// before [`recall`](Self::recall).
    pub fn recorded(len: usize, digest: [u8; 32]) -> Self {
        Self {
            content: Content::Recorded(Arc::new(RecordedBook::new(len, digest))),
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
    /// each line of moves. Of a book of more than [`MOST_CHECKED`] lines, only those are checked
    /// whose key does not follow from their text.
    ///
    /// # Errors
    /// As for [`parse`](Book::parse).
    pub fn parse_to<'a>(
        card: &'static dyn GameCard,
        text: impl Into<Cow<'a, str>>,
        name: &str,
        plies: Option<usize>,
    ) -> Result<Self> {
        let text = text.into();
        // Openings that a prover decides are dropped, so that all are needed.
        let is_long = numbered_lines(&text).nth(MOST_CHECKED).is_some();
        if is_long && !card.facts().has_prover {
            let (lines, duplicates) = BookLines::of(card, text.into_owned(), name, plies)?;
            let read = Self::of_lines(lines)?;
            return Ok(Self { duplicates, ..read });
        }
        let lines: Vec<_> = numbered_lines(&text).collect();
        let mut reading = Reading::default();
        reading.take(in_order(&lines, |&(number, line)| {
            let (opening, position) = read_line(card, line, number, plies)?;
            Ok((opening, position.symmetric_key()))
        }));
        reading.book(name, "line")
    }

    /// The book of these lines, which are parsed if they are few.
    fn of_lines(lines: BookLines) -> Result<Self> {
        if lines.len() <= MOST_CHECKED {
            return Ok(Self::of(lines.parse(lines.len())?));
        }
        Ok(Self {
            content: Content::Lines(Arc::new(lines)),
            duplicates: Vec::new(),
        })
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

    /// The book of the first `count` openings, as if its file ended there.
    ///
    /// # Errors
    /// One of them is bad, or unknown.
    pub fn prefix(&self, count: usize) -> Result<Self> {
        if count >= self.len() {
            return Ok(self.clone());
        }
        if let Content::Lines(lines) = &self.content {
            return Self::of_lines(lines.prefix(count));
        }
        let openings = (0..count).map(|index| self.opening(index));
        let openings = openings.map(|it| it.map(Cow::into_owned));
        Ok(Self::of(openings.collect::<Result<_>>()?))
    }

    /// Returns the number of openings.
    #[expect(clippy::len_without_is_empty, reason = "a book is never empty")]
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Parsed(parsed) => parsed.openings.len(),
            Content::Lines(lines) => lines.len(),
            Content::Recorded(recorded) => recorded.len,
        }
    }

    /// The same book with all openings parsed and checked.
    ///
    /// # Errors
    /// The lines that are bad; or an opening is unknown.
    pub fn checked(self) -> Result<Self> {
        let openings = match &self.content {
            Content::Parsed(_) => return Ok(self),
            Content::Lines(lines) => lines.parse(lines.len())?,
            Content::Recorded(recorded) => {
                let openings = (0..recorded.len).map(|index| self.opening(index));
                openings
                    .map(|it| it.map(Cow::into_owned))
                    .collect::<Result<_>>()?
            }
        };
        Ok(Self {
            duplicates: self.duplicates,
            ..Self::of(openings)
        })
    }

    /// Returns whether every opening has been read and checked.
    pub fn is_checked(&self) -> bool {
        matches!(self.content, Content::Parsed(_))
    }

    /// The opening with that index.
    ///
    /// # Errors
    /// Its line is bad, or the record does not have it.
    pub fn opening(&self, index: usize) -> Result<Cow<'_, Opening>> {
        let found = match &self.content {
            Content::Parsed(parsed) => parsed.openings.get(index).map(Cow::Borrowed),
            Content::Lines(lines) => lines.opening(index).transpose()?.map(Cow::Owned),
            Content::Recorded(recorded) => recorded.get(index).map(Cow::Owned),
        };
        found.ok_or(BookError::NotRecorded { number: index + 1 })
    }

    /// The opening with that index, if it is known and good.
    pub fn get(&self, index: usize) -> Option<Cow<'_, Opening>> {
        self.opening(index).ok()
    }

    /// The name of the opening with that index.
    pub fn id(&self, index: usize) -> String {
        let opening = self.get(index);
        opening.map_or_else(|| numbered(index + 1), |opening| opening.id().into_owned())
    }

    /// All openings that are known and good, in order. Parses each line of a large book.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Cow<'_, Opening>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Checks that these openings can be drawn and expressed in the notation of engines with these
    /// `ways`; `name` is the name of the file.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check(
        &self,
        indices: impl IntoIterator<Item = usize>,
        ways: Option<&Ways>,
        name: &str,
    ) -> Result<()> {
        let problem = |&index: &usize| {
            let opening = self.opening(index)?;
            let problem = ways.and_then(|ways| opening.position().start_problem(ways));
            let Some([problem, help]) = problem else {
                return Ok(());
            };
            Err(BookError::Inexpressible {
                name: name.into(),
                line: opening.line,
                problem,
                help,
            })
        };
        let indices: Vec<usize> = indices.into_iter().collect();
        in_order(&indices, problem).into_iter().collect()
    }

    /// The first opening with that [meeting key](Opening::meeting_key), by its index.
    pub fn place(&self, meeting_key: u64) -> Option<usize> {
        match &self.content {
            Content::Parsed(parsed) => {
                let keyed = || {
                    let openings = parsed.openings.iter().enumerate();
                    openings.map(|(place, opening)| (opening.meeting_key(), place))
                };
                let places = parsed.places.get_or_init(|| keyed().rev().collect());
                places.get(meeting_key)
            }
            Content::Lines(lines) => lines.place(meeting_key),
            Content::Recorded(recorded) => recorded.place(meeting_key),
        }
    }

    /// Adds openings of the record by their indices; does nothing for a book from a file.
    pub fn recall(&self, openings: impl IntoIterator<Item = (usize, Opening)>) {
        if let Content::Recorded(recorded) = &self.content {
            recorded.recall(openings);
        }
    }

    /// The number of known openings of a recorded book; `None` for a book from a file.
    pub fn recalled(&self) -> Option<usize> {
        match &self.content {
            Content::Recorded(recorded) => Some(recorded.known()),
            _ => None,
        }
    }

    /// The lines of a large book as a text for [`parse_to`](Self::parse_to) that gives the same
    /// book, and the number of moves of a line; `None` for other books.
    pub fn source(&self) -> Option<(String, Option<usize>)> {
        match &self.content {
            Content::Lines(lines) => Some(lines.source()),
            _ => None,
        }
    }

    /// Returns a SHA-256 that is part of a run's identity. Comments, empty lines, line ends and
    /// surrounding blanks do not affect it.
    ///
    /// That of a large book is a digest of its lines. That of others is one of the names and
    /// positions in their order, if `with_lines` also of the moves to them, as runs need that vary
    /// these.
    pub fn digest(&self, with_lines: bool) -> [u8; 32] {
        let openings = match &self.content {
            Content::Parsed(parsed) => &parsed.openings,
            Content::Lines(lines) => return lines.digest(),
            Content::Recorded(recorded) => return recorded.digest,
        };
        let mut hasher = Sha256::new();
        for opening in openings {
            for part in [&*opening.id(), opening.fen()] {
                hasher.update(part.as_bytes());
                hasher.update(b"\n");
            }
            if with_lines {
                let moves = opening.line().unwrap_or_default();
                hasher.update(moves.len().to_le_bytes());
                for mv in moves {
                    hasher.update(mv.0.to_le_bytes());
                }
            }
        }
        hasher.finalize().into()
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
    bad: BadLines,
    /// The unit of the numbers of openings, by default `line`.
    pub unit: Option<&'static str>,
    /// The lines of the kept openings, by their symmetric keys.
    seen: HashMap<u64, u32>,
}

impl Reading {
    /// Adds the next openings or errors.
    pub fn take(&mut self, read: impl IntoIterator<Item = Keyed>) {
        for read in read {
            match read {
                Err(bad) => self.bad.add(bad),
                // A bad line has already ruled out a book.
                Ok(_) if !self.bad.first.is_empty() => {}
                Ok((mut opening, key)) => match self.seen.entry(key) {
                    Entry::Occupied(first) => {
                        let first = *first.get() as usize;
                        let line = opening.line;
                        let unit = self.unit.unwrap_or("line");
                        self.duplicates.push(Duplicate { line, first, unit });
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
        self.bad.check(name, what)?;
        if self.openings.is_empty() {
            return Err(BookError::Empty { name: name.into() });
        }
        Ok(Book {
            duplicates: self.duplicates,
            ..Book::of(self.openings)
        })
    }
}

/// The bad lines of a file.
#[derive(Debug, Default)]
pub struct BadLines {
    first: Vec<BadLine>,
    /// Number of bad lines that are not kept.
    beyond: usize,
}

impl BadLines {
    /// Adds a line.
    pub fn add(&mut self, line: BadLine) {
        if self.first.len() < MAX_BAD {
            self.first.push(line);
        } else {
            self.beyond += 1;
        }
    }

    /// Refuses a file with bad lines; `unit` is that of its openings.
    ///
    /// # Errors
    /// There are bad lines.
    pub fn check(self, name: &str, unit: &'static str) -> Result<()> {
        if self.first.is_empty() {
            return Ok(());
        }
        Err(BookError::Lines {
            name: name.into(),
            what: unit,
            lines: self.first,
            beyond: self.beyond,
        })
    }
}

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

/// Parses the opening of a line, and its position.
pub(super) fn read_line(
    card: &'static dyn GameCard,
    source: &str,
    line: usize,
    plies: Option<usize>,
) -> Result<(Opening, Box<dyn AnyPosition>), BadLine> {
    let read = || {
        let opening = if let Some(read) = card.read_opening(source) {
            let (mut played, id) = read?;
            while plies.is_some_and(|most| played.len() > most) {
                played.undo();
            }
            Opening::new(played.position(), &id, line, Some(played.moves()))
        } else {
            read_epd(card, source, line, plies)?
        };
        let position = opening.position();
        check_start(&*position)?;
        Ok((opening, position))
    };
    read().map_err(|reason: String| BadLine {
        line,
        text: source.into(),
        reason: reason.into(),
    })
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

/// Reads a position with its operations, and the moves that follow it.
fn read_epd(
    card: &dyn GameCard,
    source: &str,
    line: usize,
    plies: Option<usize>,
) -> Result<Opening, String> {
    let epd = parse_epd(source, card.facts())?;
    let mut played = epd.line(card)?;
    while plies.is_some_and(|most| played.len() > most) {
        played.undo();
    }
    let position = played.position();
    let comment = epd.operations.iter().find(|it| it.name == "c0");
    let start = played.start();
    let is_usual = start.equals(&*card.initial());
    let moves = if is_usual && !played.is_empty() {
        Some(played.moves())
    } else {
        comment.and_then(|it| moves_to(position, &it.operands()))
    };
    let mut opening = Opening::new(position, epd.id().unwrap_or_default(), line, moves);
    let is_played = !is_usual && !played.is_empty();
    opening.fen_start = is_played.then(|| Box::new((start.to_fen(), played.moves())));
    Ok(opening)
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
