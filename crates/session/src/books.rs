//! Loads the openings and the plan of a config from its files.

mod games;
mod well_known;

use std::borrow::Cow;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use anyhow::{Context, bail};

use super::{Failure, KnownGames, Listener, tables};
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_config::{BookFormat, Config, Loaded, Openings, Study};
use leitai_game::card::{GameCard, GameChoice, KnownBook};
use leitai_game::without_number;
use leitai_interchange::{Content, GameReader, Lines, Source, open};
use leitai_players::schedule::{Book, Opening, ScheduleError, numbered_lines};
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
    Ok(read.transpose()?.map(|(book, _)| book))
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
    let (suite, _) = read.with_context(|| loaded.warnings.place(&["study", "suite"]))?;
    Ok(suite.checked()?)
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
        Some(book) => Box::new(Cursor::new(book?)) as Box<dyn Read>,
        None => Box::new(File::open(file).with_context(cannot)?),
    };
    let mut lines = match open(bytes, &name, &games.cards)? {
        Source::Text(lines) => lines,
        Source::Record => bail!(
            "`{name}` is a record of a run, not a book\n\
             help: `leitai convert {name} --ply 12 -o book.epd` makes one of its games"
        ),
        Source::Own(of, form, bytes) => {
            let games_of = games.reader(of, form)?.of_bytes(bytes);
            return Ok((own_book(game, of, games_of, &name, terms, reader)?, None));
        }
    };
    let content = lines.content(&games.cards)?;
    let is_named = |ending: &str| {
        file.extension()
            .is_some_and(|it| it.eq_ignore_ascii_case(ending))
    };
    let is_pgn = match (terms.format, content) {
        (Some(format), _) => format == BookFormat::Pgn,
        // Moves alone may be lines of a book.
        (None, Content::Games) => is_named("pgn") || is_pgn(lines.first()?, card),
        (None, _) => false,
    };
    if let Content::Own(of, form) = content
        && !form.is_usual
    {
        let games_of = games.reader(of, form)?.of_text(lines);
        return Ok((own_book(game, of, games_of, &name, terms, reader)?, None));
    }
    let text = lines.read_all(LARGEST)?;
    for note in lines.notes() {
        listener.warn(note);
    }
    let recognised = well_known::recognise(card, file, &text, is_pgn);
    let book = if is_pgn {
        games::read(game, Lines::of_text(text, &name), terms.plies, reader)?
    } else {
        let first = first_lines(&text);
        let mut books = games.books.iter().filter(|(of, _)| *of == card);
        // `None` for a text in the common format.
        if let Some(read) = books.find_map(|(_, read)| read(&text, &name, listener)) {
            refuse_other_game(card, &first, &name, games)?;
            return Ok((read?, None));
        }
        let book = Book::parse_to(card, text, &name, terms.plies);
        if book.is_err() {
            refuse_other_game(card, &first, &name, games)?;
        }
        book?
    };
    let known = recognised.report(&name, &book, listener);
    report_duplicates(&book, &name, listener);
    Ok((book, known))
}

/// Returns whether a book of games begins with a tag, or with a numbered move that is no opening of
/// a line.
fn is_pgn(first: &str, card: Card) -> bool {
    let is_numbered = || {
        first.split(char::is_whitespace).next().is_some_and(|word| {
            word.starts_with(|letter: char| letter.is_ascii_digit()) && without_number(word) != word
        })
    };
    let is_opening = || card.read_opening(first).is_some_and(|read| read.is_ok());
    // Not a list in JSON.
    let tag = first.strip_prefix('[').map(str::trim_start);
    let is_tag = tag.is_some_and(|tag| tag.starts_with(char::is_alphabetic));
    is_tag || is_numbered() && !is_opening()
}

/// The book of games in a form of their own.
fn own_book(
    game: &GameChoice,
    of: Card,
    games_of: Box<dyn GameReader + '_>,
    name: &str,
    terms: &Openings,
    reader: Reader<'_>,
) -> Result<Book, Failure> {
    if of != game.card {
        return Err(other_game(name, of, game.card));
    }
    let book = games::read_own(game, games_of, terms.plies, reader)?;
    report_duplicates(&book, name, reader.listener);
    Ok(book)
}

fn report_duplicates(book: &Book, name: &str, listener: &dyn Listener) {
    for duplicate in book.duplicates.iter().take(REPORTED) {
        listener.warn(format!("{name}: {duplicate}"));
    }
    if let more @ 1.. = book.duplicates.len().saturating_sub(REPORTED) {
        listener.warn(format!("{name}: {more} more are dropped likewise"));
    }
}

/// The error of a book of another game.
fn other_game(name: &str, of: Card, card: Card) -> Failure {
    anyhow::anyhow!(
        "`{name}` is a book of {of:?}, and the game is {card:?}\n\
         help: name a book of {card:?}, or make it a game of {of:?}",
    )
}

/// Number of leading lines that determine the game of a book.
const FIRST_LINES: usize = 5;

/// The first lines of a text that are no comments.
fn first_lines(text: &str) -> String {
    let lines = numbered_lines(text).take(FIRST_LINES);
    lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// Refuses a book whose first lines are openings of another game.
fn refuse_other_game(
    card: Card,
    first: &str,
    name: &str,
    games: &KnownGames,
) -> Result<(), Failure> {
    let is_of = |card: &Card| Book::parse(*card, first, name).is_ok();
    let other = games.cards.iter().find(is_of);
    if let Some(other) = other.filter(|&other| other != card) {
        return Err(other_game(name, other, card));
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
