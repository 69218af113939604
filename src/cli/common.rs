//! What the commands share: failures, output, and the way from files to plans.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use super::Exit;
use super::board::note_board;
use super::games::{Card, games};
use super::input::LARGEST;
use super::json::json;
use super::output::CannotWrite;
use super::problem_set::{self, is_problem_set, without_decided};
use super::signals::{has_hung_up, unheeded};
use crate::config::{Config, Gate, Loaded, Variant, parse};
use crate::count::count;
use crate::foreign::{coloured, on_terminal, read_text, shown_path};
use crate::player::ProgramError;
use crate::report::ExportError;
use crate::schedule::{Book, Opening};
use crate::store::{Mode, Patience, RunEntry, Store, StoreError};
use crate::tournament::{Plan, Reach, RunError, TunePlan};

/// Why a command could not do its work: a message for a person.
pub(super) type Failure = anyhow::Error;

/// What every command returns.
pub(super) type Outcome = Result<Exit, Failure>;

/// How many games are played at once.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Threads {
    /// Games, searches or problems at once, 1 to 1024; by default one per processor.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(super) fn get(self) -> NonZeroUsize {
        let asked = self
            .threads
            .and_then(|threads| NonZeroUsize::new(threads.into()));
        asked.unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

/// The variant of that name, or the first.
pub(super) fn choose<'a>(config: &'a Config, name: Option<&str>) -> Result<&'a Variant, Failure> {
    let Some(name) = name else {
        return config
            .variants
            .first()
            .context("the config has no variants");
    };
    config
        .variants
        .iter()
        .find(|variant| variant.name == name)
        .with_context(|| {
            let names: Vec<_> = config
                .variants
                .iter()
                .map(|variant| variant.name.as_str())
                .collect();
            format!("no variant `{name}`; there are {}", names.join(", "))
        })
}

/// The plan of a config with its book read.
pub(super) fn load_plan(loaded: Loaded) -> Result<Plan, Failure> {
    let book = book_of(&loaded.config)?;
    let plan = make_plan(loaded, book)?;
    plan.origins.check(&plan.config, &plan.book)?;
    Ok(plan)
}

/// The openings of a config; the usual start where it names none.
pub(super) fn book_of(config: &Config) -> Result<Book, Failure> {
    let Some(file) = &config.openings.file else {
        return Ok(Book::initial(config.game.card));
    };
    let book = read_book(config.game.card, file)?;
    without_decided(book, &config.game, &shown_path(file).to_string())
}

/// Reads a book of openings; lines that were dropped are told on standard
/// error.
pub(super) fn read_book(card: Card, file: &Path) -> Result<Book, Failure> {
    let name = shown_path(file).to_string();
    let text =
        read_text(file, LARGEST).with_context(|| format!("cannot read the openings `{name}`"))?;
    if is_problem_set(card, &text) {
        refuse_other_game(card, &text, &name)?;
        return problem_set::read(card, &text, &name);
    }
    let book = Book::parse(card, &text, &name);
    if book.is_err() {
        refuse_other_game(card, &text, &name)?;
    }
    let book = book?;
    for duplicate in book.duplicates.iter().take(3) {
        note(&format!("warning: {}: {duplicate}", shown_path(file)));
    }
    if let more @ 1.. = book.duplicates.len().saturating_sub(3) {
        note(&format!(
            "warning: {}: {more} more lines are dropped likewise",
            shown_path(file)
        ));
    }
    Ok(book)
}

/// Lines by which it is known what game a book is of.
const TELLING: usize = 5;

/// Refuses a book that is not of this game for what it is, if its first lines are openings of
/// another game.
fn refuse_other_game(card: Card, text: &str, name: &str) -> Result<(), Failure> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%']));
    let first = lines.take(TELLING).collect::<Vec<_>>().join("\n");
    let is_of = |card: &Card| Book::parse(*card, &first, name).is_ok();
    match games().iter().find(is_of) {
        Some(other) if other != card => bail!(
            "`{name}` is a book of {other:?}, and the game is {card:?}\n\
             help: name a book of {card:?}, or make it a game of {other:?}",
        ),
        _ => Ok(()),
    }
}

/// The plan of a config from these openings.
pub(super) fn make_plan(loaded: Loaded, book: Book) -> Result<Plan, Failure> {
    Ok(Plan::new(loaded.config, book)?)
}

/// Opens a record to write. Another process may hold its lock for half a minute: that is
/// told after two seconds.
pub(super) fn open_to_record(path: &Path) -> Result<Store, StoreError> {
    let patience = Patience {
        whole: Duration::from_secs(30),
        silent: Duration::from_secs(2),
        tell: |path| {
            note(&format!(
                "{} is locked by another process: waiting for up to half a minute",
                shown_path(path)
            ));
        },
    };
    unheeded(|| Store::open_patiently(path, Mode::Write, patience))
}

/// A recorded run: the open store, and the run's entry.
pub(super) fn open_recorded(store: &Path, run: Option<&str>) -> Result<(Store, RunEntry), Failure> {
    if !store.exists() {
        bail!("there is no record {}", shown_path(store));
    }
    let store = Store::open(store, Mode::Read)?;
    if let (None, cells @ 1.., true) = (run, store.count_cells()?, store.runs()?.is_empty()) {
        bail!(
            "{} has no runs, but {} of studies\n\
             help: `leitai study` with the same config tells what they say",
            shown_path(store.path()),
            count(cells, "finished search", "finished searches"),
        );
    }
    let entry = store.run(run.unwrap_or("latest"))?;
    Ok((store, entry))
}

/// The game of a recorded run.
pub(super) fn recorded_game(entry: &RunEntry) -> Result<Card, Failure> {
    let game = &entry.meta.game;
    let card = games().named(game);
    card.with_context(|| format!("the run is about an unknown game `{game}`"))
}

/// The config of a recorded run, as it was.
fn recorded_config(entry: &RunEntry) -> Result<Loaded, Failure> {
    let mut loaded = parse(&entry.meta.source_text, &entry.meta.source_name, games())
        .context("this version cannot read the config of the recorded run")?;
    loaded.config.recall(&entry.meta.config);
    loaded.config.recall_bets(&entry.meta.config);
    Ok(loaded)
}

/// The openings of a recorded run.
fn recorded_book(store: &Store, entry: &RunEntry) -> Result<Book, Failure> {
    let card = recorded_game(entry)?;
    let mut openings = Vec::new();
    for opening in store.openings(&entry.handle)? {
        let position = card.read(&opening.fen)?;
        openings.push(Opening {
            id: opening.id,
            fen: opening.fen,
            line: 0,
            position,
            moves: None,
        });
    }
    Ok(Book {
        openings,
        duplicates: Vec::new(),
    })
}

/// Warns if this version has another plan for what was recorded.
fn warn_of_other_plan(entry: &RunEntry, id: &str) {
    if id != entry.meta.id {
        note(&format!(
            "warning: the run was recorded by leitai {}; this is {}, which may play it differently",
            entry.meta.version,
            env!("CARGO_PKG_VERSION")
        ));
    }
}

/// The plan of a recorded run, from the record alone.
pub(super) fn recorded_plan(store: &Store, entry: &RunEntry) -> Result<Plan, Failure> {
    let loaded = recorded_config(entry)?;
    if loaded.config.tune.is_some() {
        bail!(
            "run {} is a tune: of its games it is recorded how they ended, no moves\n\
             help: `leitai report` says more of it; `--run ID` names another run of the record, \
             `leitai report --list` lists them",
            entry.meta.id.get(..12).unwrap_or_default(),
        );
    }
    let mut plan = make_plan(loaded, recorded_book(store, entry)?)?;
    plan.speeds = store.speeds(&entry.handle)?;
    warn_of_other_plan(entry, plan.id());
    Ok(plan)
}

/// The plan and the terms of a recorded gate of a game; `None` if the run is none.
pub(super) fn recorded_gate(
    store: &Store,
    entry: &RunEntry,
) -> Result<Option<(Plan, Gate)>, Failure> {
    let loaded = recorded_config(entry)?;
    let Some(gate) = loaded.config.gate.clone() else {
        return Ok(None);
    };
    let mut plan = make_plan(loaded, recorded_book(store, entry)?)?;
    plan.speeds = store.speeds(&entry.handle)?;
    Ok(Some((plan, gate)))
}

/// The plan of a recorded tune, from the record alone; `None` if the run is none.
pub(super) fn recorded_tune(store: &Store, entry: &RunEntry) -> Result<Option<TunePlan>, Failure> {
    let loaded = recorded_config(entry)?;
    if loaded.config.tune.is_none() {
        return Ok(None);
    }
    let mut plan = TunePlan::new(loaded.config, recorded_book(store, entry)?)?;
    if let Some(plan) = &mut plan {
        plan.speeds = store.speeds(&entry.handle)?;
    }
    match &plan {
        Some(plan) if plan.former_id() == Some(entry.meta.id.as_str()) => note(&format!(
            "warning: this tune was recorded by an earlier version of the {}, which asked for \
             other players; `leitai tune` begins it anew",
            plan.tune.algorithm.name()
        )),
        Some(plan) => warn_of_other_plan(entry, plan.id()),
        None => {}
    }
    Ok(plan)
}

/// Which games of a record are read.
#[derive(Clone, Debug, Args)]
pub(super) struct FromRecord {
    /// The run of a record, by its id or the beginning of it; the latest if not
    /// given.
    #[arg(long, value_name = "ID")]
    pub(super) run: Option<String>,
    /// Take in also the games of our own runs that their results are not made of, which
    /// were played beyond a verdict or beyond a pair that is missing; in PGN a tag marks
    /// them.
    #[arg(long)]
    pub(super) beyond: bool,
}

/// Tells on standard error which recorded pairs are left out, or taken in as was asked.
pub(super) fn tell_reach(reach: &Reach, beyond: bool) {
    let told = if beyond {
        reach.marked()
    } else {
        reach.gap().map(|gap| gap.to_string())
    };
    if let Some(told) = told {
        note(&format!("note: {told}"));
    }
}

/// Writes a line for a person to standard output: what in it came from outside commands
/// no terminal. A closed pipe is no error: whoever reads has seen enough.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    say_raw(&on_terminal(text))
}

/// The same of a text that has colours of its own.
pub(super) fn say_coloured(text: &str) -> Result<(), Failure> {
    say_raw(&coloured(text))
}

/// Whether a stream shows colours: a terminal does, unless `NO_COLOR` says something
/// (<https://no-color.org>).
pub(super) fn has_colours(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    stream.is_terminal() && !refused
}

/// Writes data and a line end to standard output, as they are.
pub(super) fn say_raw(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
    {
        // A terminal that is gone has no reader either.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe && !has_hung_up() => {
            Err(error.into())
        }
        _ => Ok(()),
    }
}

/// Whether somebody has closed the pipe that was written to: whoever reads has
/// seen enough.
pub(super) fn is_broken_pipe(error: &Failure) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Writes a value as one line of JSON to standard output.
pub(super) fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    say_raw(&json(value)?)
}

/// Writes a note for a person to standard error: what in it came from outside commands no
/// terminal.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", on_terminal(text));
}

/// The same of a text that has colours of its own and none from outside.
pub(super) fn note_coloured(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", coloured(text));
}

/// A message that is complete as it stands, with its colours.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Rendered(pub(super) String);

/// Tells a failure on standard error, with its causes, and gives the exit code.
pub(super) fn report(failure: &Failure) -> Exit {
    if let Some(Rendered(text)) = failure.downcast_ref() {
        note_coloured(text);
        return Exit::Usage;
    }
    if failure
        .downcast_ref()
        .is_some_and(|error: &ProgramError| error.cancelled)
    {
        note("stopped before the first game; the same command begins again");
        return Exit::Interrupted;
    }
    note(&format!("error: {failure:#}"));
    note_board(failure);
    if let Some(CannotWrite { help, .. }) = failure.downcast_ref() {
        note(&format!("help: {help}"));
    } else if let Some(hint) = store_error(failure).and_then(StoreError::hint) {
        note(&format!("help: {hint}"));
    }
    Exit::Usage
}

/// The store's error, in whatever it came wrapped.
fn store_error(failure: &Failure) -> Option<&StoreError> {
    let run = failure.downcast_ref::<RunError>();
    let export = failure.downcast_ref::<ExportError>();
    match (failure.downcast_ref::<StoreError>(), run, export) {
        (Some(error), _, _)
        | (_, Some(RunError::Store(error)), _)
        | (_, _, Some(ExportError::Run(RunError::Store(error)))) => Some(error),
        _ => None,
    }
}
