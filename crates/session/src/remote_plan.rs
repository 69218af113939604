//! Builds a worker's plan from the description of a remote run.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use serde_json::Value;

use super::books::make_plan;
use super::recorded::recorded_config;
use super::{Failure, tables};
use leitai_base::foreign::shown_path;
use leitai_config::{Config, Program, Variant};
use leitai_game::card::{GameCard, Games};
use leitai_players::player::{adopt_orphans, file_digest, identify, locate, watch_pauses};
use leitai_players::schedule::{Book, Opening};
use leitai_runs::tournament::{DescribedBook, Plan, RunDescription};

/// Finds files of a run by their SHA-256 in hexadecimal.
pub trait FileSource {
    /// Returns the path of a file with that digest and name, which can be started as a program.
    ///
    /// # Errors
    /// The file is not available, or cannot be stored.
    fn find(&self, sha256: &str, name: &str) -> Result<PathBuf, Failure>;
}

/// The reason why a worker refuses a run: the run would differ here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{difference}\nhelp: {help}")]
pub struct Refused {
    difference: String,
    help: String,
}

impl Refused {
    fn new(difference: impl Into<String>, help: impl Into<String>) -> Self {
        let (difference, help) = (difference.into(), help.into());
        Self { difference, help }
    }

    /// Refuses a run because of an error.
    pub fn because(error: &Failure) -> Self {
        Self::new(
            format!("{error:#}"),
            "install on the worker's machine the part that is missing",
        )
    }
}

/// Builds the plan of a described run, which must play the same here as on the coordinator: the
/// same identity, which includes a small search by each variant, and the same program files.
///
/// # Errors
/// [`Refused`] with the difference; or files cannot be fetched.
pub fn remote_plan(
    run: &RunDescription,
    games: &Games,
    files: &dyn FileSource,
    cancel: &AtomicBool,
) -> Result<Plan, Failure> {
    let (meta, own) = (&run.meta, env!("CARGO_PKG_VERSION"));
    if meta.version != own {
        let difference = format!("leitai {} plays the run, this is {own}", meta.version);
        return Err(Refused::new(difference, "install the coordinator's version").into());
    }
    let card = games.named(&meta.game).ok_or_else(|| {
        let difference = format!(
            "this program does not know the game `{}` of the run",
            meta.game
        );
        Refused::new(difference, "use the same engine binary as the coordinator")
    })?;
    let mut loaded = recorded_config(meta, games)?;
    tables::open(&mut loaded.config)?;
    let resolved = loaded.config.resolved().unwrap_or_default();
    let book = described_book(&run.book, card);
    let book = book.context("an opening of the run cannot be read")?;
    let mut plan = make_plan(loaded, book)?;
    plan.execution_options.strict = run.strict;
    if plan.id() != meta.id {
        return Err(difference(&resolved, &meta.config).into());
    }
    bring_programs(&mut plan.config, files, cancel)?;
    Ok(plan)
}

fn described_book(book: &DescribedBook, card: &'static dyn GameCard) -> Result<Book, Failure> {
    let openings = match book {
        DescribedBook::Lines(text, plies) => {
            return Ok(Book::parse_to(card, text, "the book of the run", *plies)?);
        }
        DescribedBook::Openings(openings) => openings.iter().map(|opening| {
            let position = card.read(&opening.fen)?;
            let (id, moves) = (&opening.id, opening.moves());
            Opening::recorded(&*position, id, moves).context("its moves lead elsewhere")
        }),
    };
    Ok(Book::of(openings.collect::<Result<_, Failure>>()?))
}

/// Returns the program files of a config with their SHA-256, which [`FileSource`] looks up.
pub(super) fn files_of(config: &Config) -> Vec<(String, PathBuf)> {
    let programs = config.variants.iter();
    let programs = programs.filter_map(|it| it.program.as_deref());
    let of_program = |program: &Program| {
        let found = program.found.clone()?;
        let folder = program.working_folder.clone().unwrap_or_default();
        let read = found.files.into_iter();
        let read = read.map(move |(word, sha256)| (sha256, folder.join(word)));
        Some(read.chain([(found.sha256, program.executable.clone())]))
    };
    programs.filter_map(of_program).flatten().collect()
}

/// Returns the reason why a run has another identity here, with its config resolved to `here`.
fn difference(here: &str, there: &str) -> Refused {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    if let Some((key, here, there)) = first_difference("", &read(here), &read(there)) {
        return Refused::new(
            format!("the config resolves differently here: `{key}` is {here}, and was {there}"),
            "use the same build as the coordinator",
        );
    }
    Refused::new(
        "the same config is played differently here: a search of 2,000 nodes has another result",
        "use the same build as the coordinator; `leitai bench` tells builds apart",
    )
}

/// Returns the path of the first difference of two configs, with both values.
fn first_difference(key: &str, here: &Value, there: &Value) -> Option<(String, Value, Value)> {
    let within = |name: &dyn fmt::Display| match key {
        "" => name.to_string(),
        key => format!("{key}.{name}"),
    };
    match (here, there) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let mut names = ours.keys().chain(theirs.keys());
            names.find_map(|name| first_difference(&within(name), &here[name], &there[name]))
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            let mut both = ours.iter().zip(theirs).enumerate();
            both.find_map(|(at, (ours, theirs))| first_difference(&within(&at), ours, theirs))
        }
        _ => (here != there).then(|| (key.to_owned(), here.clone(), there.clone())),
    }
}

/// Sets the programs of a config to those of the run: at the path in the config if the file is the
/// same, otherwise as found by `files`. Starts each program once.
fn bring_programs(
    config: &mut Config,
    files: &dyn FileSource,
    cancel: &AtomicBool,
) -> Result<(), Failure> {
    if !config.has_programs() {
        return Ok(());
    }
    for variant in &mut config.variants {
        if let Some(program) = &mut variant.program {
            let brought = bring(program, files);
            brought.with_context(|| format!("the program of `{}`", variant.name))?;
        }
    }
    adopt_orphans();
    watch_pauses()?;
    // Checks that they start here, and identify themselves in the same way.
    let mut met = config.clone();
    identify(&mut met, cancel)?;
    for (variant, met) in config.variants.iter().zip(&met.variants) {
        let name = |variant: &Variant| Some(variant.program.as_ref()?.found.as_ref()?.name.clone());
        let (there, here) = (name(variant), name(met));
        if there != here {
            let difference = format!(
                "the program of `{}` has the name {:?} here, and {:?} there",
                variant.name,
                here.unwrap_or_default(),
                there.unwrap_or_default()
            );
            let help = "check the files that the program reads and the config does not name";
            return Err(Refused::new(difference, help).into());
        }
    }
    Ok(())
}

fn bring(program: &mut Program, files: &dyn FileSource) -> Result<(), Failure> {
    let found = program.found.clone();
    let found = found.context("the coordinator has not started it")?;
    let base = |path: &str| {
        path.rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    program.executable = match locate(program) {
        Ok((path, sha256)) if sha256 == found.sha256 => path,
        _ => files.find(&found.sha256, &base(&program.command[0]))?,
    };
    program.working_folder = program.working_folder.take().filter(|it| it.is_dir());
    let folder = program.working_folder.clone().unwrap_or_default();
    for (word, sha256) in &found.files {
        let there = folder.join(word);
        if file_digest(&there).is_ok_and(|digest| digest == *sha256) {
            continue;
        }
        let path = files.find(sha256, &base(word))?;
        let text = path.to_str();
        let text = text.with_context(|| format!("{} is not UTF-8", shown_path(&path)))?;
        program.replace_word(word, text);
    }
    Ok(())
}
