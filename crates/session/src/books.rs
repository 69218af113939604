//! Loads the openings and the plan of a config from its files.

mod file;
mod games;
mod well_known;

use std::borrow::Cow;
use std::path::Path;

use anyhow::Context;

use self::file::BookSource;
use super::{Failure, KnownGames, Listener, tables};
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_config::{Config, Loaded, Openings, Study};
use leitai_game::card::{GameCard, GameChoice, KnownBook};
use leitai_players::schedule::{Book, Duplicate, Opening, OpeningConnections, ScheduleError};
use leitai_runs::tournament::{self, Plan};

type Card = &'static dyn GameCard;

/// Size limit in bytes of files that are read as a whole.
pub const LARGEST: u64 = 256 << 20;

/// Reads books.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// The games that the books may belong to.
    pub games: &'a KnownGames,
    /// Receives warnings about openings that are left out.
    pub listener: &'a dyn Listener,
}

/// Builds the plan of a config: reads its book and opens its endgame tables.
///
/// # Errors
/// The book or the tables cannot be read, or the config cannot be played with them.
pub fn load_plan(loaded: Loaded, reader: Reader<'_>) -> Result<Plan, Failure> {
    let read = read_book(&loaded.config.game, &loaded.config.openings, reader);
    plan_of(loaded, read, reader)
}

/// Like [`load_plan`], with a book that [`read_book`] has already read, or its error.
pub(crate) fn plan_of(
    mut loaded: Loaded,
    read: Result<Option<Book>, Failure>,
    reader: Reader<'_>,
) -> Result<Plan, Failure> {
    tables::open(&mut loaded.config)?;
    let book = located_book(&loaded, read, reader)?;
    let plan = make_plan(loaded, book)?;
    if !plan.book.is_checked() {
        plan.check_openings(plan.schedule.first_openings(FIRST_ROUNDS))?;
    }
    plan.origins.check(&plan.config, &plan.book)?;
    Ok(plan)
}

/// Number of rounds whose openings are checked before the first game, where not all are.
const FIRST_ROUNDS: u64 = 1_000;

/// Reads the openings of a config, or returns the usual ones if the config names none.
///
/// # Errors
/// The book cannot be read, or holds no opening.
pub fn book_of(loaded: &Loaded, reader: Reader<'_>) -> Result<Book, Failure> {
    let read = read_book(&loaded.config.game, &loaded.config.openings, reader);
    located_book(loaded, read, reader)
}

/// Reads the openings of a config; `None` if it names no file.
pub(crate) fn read_book(
    game: &GameChoice,
    terms: &Openings,
    reader: Reader<'_>,
) -> Result<Option<Book>, Failure> {
    let file = terms.file.as_ref();
    let read = file.map(|file| read_openings(game, file, terms, reader));
    read.transpose()
}

fn located_book(
    loaded: &Loaded,
    read: Result<Option<Book>, Failure>,
    reader: Reader<'_>,
) -> Result<Book, Failure> {
    let book = read.and_then(|read| book_or_usual(&loaded.config, read, reader));
    book.with_context(|| loaded.warnings.place(&["openings", "file"]))
}

fn book_or_usual(config: &Config, read: Option<Book>, reader: Reader<'_>) -> Result<Book, Failure> {
    let game = &config.game;
    let (Some(file), Some(book)) = (&config.openings.file, read) else {
        return Ok(Book::usual(game)?);
    };
    let name = shown_path(file).to_string();
    if config.openings.start > book.len() as u64 {
        reader.listener.warn(format!(
            "`openings.start` is {}, and {name} has {}: the count continues from the first",
            config.openings.start,
            count(book.len() as u64, "opening", "openings")
        ));
    }
    if book.is_checked() {
        book.check(0..book.len(), config.ways().as_ref(), &name)?;
    }
    without_decided(book, game, &name, reader.listener)
}

/// Reads the positions of a study.
///
/// # Errors
/// The file cannot be read, or holds no position.
pub fn suite_of(loaded: &Loaded, study: &Study, reader: Reader<'_>) -> Result<Book, Failure> {
    let game = GameChoice::usual(loaded.config.game.card);
    let read = read_openings(&game, &study.suite, &Openings::default(), reader);
    let suite = read.with_context(|| loaded.warnings.place(&["study", "suite"]))?;
    Ok(suite.checked()?)
}

/// Reads a book of openings in the given format and number of plies, and reports dropped lines.
///
/// # Errors
/// The file cannot be read, or holds no opening.
fn read_openings(
    game: &GameChoice,
    file: &Path,
    terms: &Openings,
    reader: Reader<'_>,
) -> Result<Book, Failure> {
    BookSource::open(game, file, terms, reader)?.read()
}

/// The result of checking a book.
#[derive(Debug)]
pub struct CheckedBook {
    /// The well-known book that it is.
    pub known: Option<KnownBook>,
    /// The number of openings without duplicates.
    pub openings: usize,
    /// The lines of duplicates, and of the openings that they equal.
    pub dropped: Vec<[u32; 2]>,
    /// Openings that lead into each other.
    pub connections: OpeningConnections,
    /// A warning about connected openings.
    pub warning: Option<String>,
    /// The openings, if they were requested.
    pub book: Option<Book>,
}

/// Parses all openings of a book and compares them, in memory that hardly grows with the file. Also
/// returns the openings if `keeps` is true.
///
/// # Errors
/// The file cannot be read, or a line of it, or it holds no opening.
pub fn check_openings(
    game: &GameChoice,
    file: &Path,
    terms: &Openings,
    reader: Reader<'_>,
    keeps: bool,
) -> Result<CheckedBook, Failure> {
    let source = BookSource::open(game, file, terms, reader)?;
    let mut checked = source.check()?;
    checked.book = keeps.then(|| source.read()).transpose()?;
    Ok(checked)
}

fn report_duplicates(
    duplicates: impl ExactSizeIterator<Item = Duplicate>,
    name: &str,
    listener: &dyn Listener,
) {
    let more = duplicates.len().saturating_sub(REPORTED);
    for duplicate in duplicates.take(REPORTED) {
        listener.warn(format!("{name}: {duplicate}"));
    }
    if more > 0 {
        listener.warn(format!("{name}: {more} more are dropped likewise"));
    }
}

/// Builds the plan of a config from these openings.
pub(crate) fn make_plan(loaded: Loaded, book: Book) -> Result<Plan, Failure> {
    let pairs: &[&str] = if loaded.study.is_some() {
        &["study", "games", "pairs"]
    } else if loaded.config.gate.is_some() {
        &["gate", "max_pairs"]
    } else {
        &["tournament", "pairs"]
    };
    let text = loaded.warnings;
    let mut plan = Plan::new(loaded.config, book).map_err(|error| match error {
        ScheduleError::TooFewOpenings { .. } => Failure::from(error).context(text.place(pairs)),
        _ => Failure::from(error),
    })?;
    plan.source = tournament::Source {
        name: text.name,
        text: text.text,
    };
    Ok(plan)
}

/// Drops openings that the rules already decide before the first move, with a warning.
///
/// # Errors
/// No opening is left.
fn without_decided(
    book: Book,
    game: &GameChoice,
    name: &str,
    listener: &dyn Listener,
) -> Result<Book, Failure> {
    if !game.card.facts().has_prover {
        return Ok(book);
    }
    let mut decided = Vec::new();
    let mut is_open = |opening: &Opening| {
        let verdict = game.card.line(&*opening.position()).verdict(&game.rules);
        decided.extend(verdict.map(|verdict| {
            let winner = verdict.winner;
            let winner = winner.map_or("winner", |side| game.card.side_names()[side.index()]);
            format!(
                "{name}: the opening `{}` is left out: the {winner} has won there before the \
                 first move ({})",
                opening.id(),
                verdict.cause
            )
        }));
        verdict.is_none()
    };
    let openings = book.iter().filter(|it| is_open(it));
    let openings: Vec<Opening> = openings.map(Cow::into_owned).collect();
    warn_likewise("openings are left out likewise", &decided, listener);
    let mut left = Book::collect(openings, name)?;
    left.duplicates = book.duplicates;
    Ok(left)
}

/// Number of faults to report individually.
const REPORTED: usize = 3;

/// Warns of the first few faults, and of the number of others.
pub fn warn_likewise(likewise: &str, faults: &[String], listener: &dyn Listener) {
    for fault in faults.iter().take(REPORTED) {
        listener.warn(fault);
    }
    if let more @ 1.. = faults.len().saturating_sub(REPORTED) {
        listener.warn(format!("{more} more {likewise}"));
    }
}
