//! Loads the openings and the plan of a config from its files.

mod games;
pub(crate) mod packed;
mod well_known;

use std::path::Path;

use anyhow::{Context, bail};

use super::{Failure, KnownGames, Listener, tables};
use leitai_base::count::count;
use leitai_base::foreign::{read_bytes, shown_path};
use leitai_config::{BookFormat, Config, Loaded, Openings, Study, Variant};
use leitai_game::card::{GameCard, GameChoice, KnownBook};
use leitai_players::schedule::{Book, Opening, ScheduleError, in_order};
use leitai_runs::tournament::{Plan, Source};

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
pub fn load_plan(mut loaded: Loaded, reader: Reader<'_>) -> Result<Plan, Failure> {
    tables::open(&mut loaded.config)?;
    let book = book_of(&loaded, reader)?;
    let plan = make_plan(loaded, book)?;
    plan.origins.check(&plan.config, &plan.book)?;
    Ok(plan)
}

/// Reads the openings of a config, or returns the usual ones if the config names none.
///
/// # Errors
/// The book cannot be read, or holds no opening.
pub fn book_of(loaded: &Loaded, reader: Reader<'_>) -> Result<Book, Failure> {
    let place = || loaded.warnings.place(&["openings", "file"]);
    named_book(&loaded.config, reader).with_context(place)
}

fn named_book(config: &Config, reader: Reader<'_>) -> Result<Book, Failure> {
    let game = &config.game;
    let Some(file) = &config.openings.file else {
        return Ok(Book::usual(game)?);
    };
    let (book, _) = read_openings(game, file, &config.openings, reader)?;
    let name = shown_path(file).to_string();
    if config.openings.start > book.len() as u64 {
        reader.listener.warn(format!(
            "`openings.start` is {}, and {name} has {}: the count continues from the first",
            config.openings.start,
            count(book.len() as u64, "opening", "openings")
        ));
    }
    refuse_inexpressible(&book, config, &name)?;
    without_decided(book, game, &name, reader.listener)
}

/// Refuses a book with an opening that the protocol of the config's engines cannot express: all of
/// them use the same notation.
fn refuse_inexpressible(book: &Book, config: &Config, name: &str) -> Result<(), Failure> {
    let program = |variant: &Variant| Some(variant.program.as_ref()?.profile.ways());
    let Some(ways) = config.variants.iter().find_map(program) else {
        return Ok(());
    };
    let problems = in_order(&book.openings, |it: &Opening| {
        it.position().start_problem(&ways)
    });
    for (opening, problem) in book.openings.iter().zip(problems) {
        if let Some([problem, help]) = problem {
            bail!("`{name}`, line {}: {problem}\nhelp: {help}", opening.line);
        }
    }
    Ok(())
}

/// Reads the positions of a study.
///
/// # Errors
/// The file cannot be read, or holds no position.
pub fn suite_of(loaded: &Loaded, study: &Study, reader: Reader<'_>) -> Result<Book, Failure> {
    let game = GameChoice::usual(loaded.config.game.card);
    let read = read_openings(&game, &study.suite, &Openings::default(), reader);
    let (suite, _) = read.with_context(|| loaded.warnings.place(&["study", "suite"]))?;
    Ok(suite)
}

/// Reads a book of openings in the given format and number of plies, and reports dropped lines.
/// Also returns which well-known book it is, if any.
///
/// # Errors
/// The file cannot be read, or holds no opening.
pub fn read_openings(
    game: &GameChoice,
    file: &Path,
    terms: &Openings,
    reader: Reader<'_>,
) -> Result<(Book, Option<KnownBook>), Failure> {
    let Reader { games, listener } = reader;
    let card = game.card;
    let name = shown_path(file).to_string();
    let cannot = || format!("cannot read the openings `{name}`");
    let bytes = match games.shipped(file) {
        Some(book) => book?,
        None => read_bytes(file, LARGEST).with_context(cannot)?,
    };
    packed::refuse(&bytes, &name)?;
    let recognised = well_known::recognise(card, file, &bytes);
    let is_pgn = match terms.format {
        Some(format) => format == BookFormat::Pgn,
        None => games::is_pgn(file, &bytes),
    };
    let book = if is_pgn {
        games::read(game, &bytes, &name, terms.plies, reader)?
    } else {
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| anyhow::anyhow!("{}: it is not UTF-8", cannot()))?;
        let mut books = games.books.iter().filter(|(of, _)| *of == card);
        // `None` for a text in the common format.
        if let Some(read) = books.find_map(|(_, read)| read(&text, &name, listener)) {
            refuse_other_game(card, &text, &name, games)?;
            return Ok((read?, None));
        }
        let book = Book::parse_to(card, &text, &name, terms.plies);
        if book.is_err() {
            refuse_other_game(card, &text, &name, games)?;
        }
        book?
    };
    let known = recognised.report(&name, &book, listener);
    for duplicate in book.duplicates.iter().take(REPORTED) {
        listener.warn(format!("{name}: {duplicate}"));
    }
    if let more @ 1.. = book.duplicates.len().saturating_sub(REPORTED) {
        listener.warn(format!("{name}: {more} more lines are dropped likewise"));
    }
    Ok((book, known))
}

/// Number of leading lines that determine the game of a book.
const FIRST_LINES: usize = 5;

/// Refuses a book whose first lines are openings of another game.
fn refuse_other_game(
    card: Card,
    text: &str,
    name: &str,
    games: &KnownGames,
) -> Result<(), Failure> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%']));
    let first = lines.take(FIRST_LINES).collect::<Vec<_>>().join("\n");
    let is_of = |card: &Card| Book::parse(*card, &first, name).is_ok();
    let other = games.cards.iter().find(is_of);
    if let Some(other) = other.filter(|&other| other != card) {
        bail!(
            "`{name}` is a book of {other:?}, and the game is {card:?}\n\
             help: name a book of {card:?}, or make it a game of {other:?}",
        );
    }
    Ok(())
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
    plan.source = Source {
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
    let openings: Vec<Opening> = book.openings.into_iter().filter(|it| is_open(it)).collect();
    warn_likewise("openings are left out likewise", &decided, listener);
    let left = Book::collect(openings, name)?;
    Ok(Book {
        duplicates: book.duplicates,
        ..left
    })
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
