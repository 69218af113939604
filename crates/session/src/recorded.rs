//! Restores the plan of a run from its record.

use std::path::Path;

use anyhow::{Context, bail};

use super::Failure;
use super::books::{Reader, make_plan};
use leitai_base::count::{count, quoted};
use leitai_base::foreign::shown_path;
use leitai_config::{Config, Loaded, parse, path_word};
use leitai_game::card::{GameCard, Games};
use leitai_runs::store::{Mode, RunEntry, RunMeta, Store, StoreError};
use leitai_runs::tournament::{Plan, recorded_book};

/// Opens a record for reading.
///
/// # Errors
/// The record is missing, damaged or locked.
pub fn open_to_read(store: &Path) -> Result<Store, Failure> {
    Ok(Store::open(store, Mode::Read)?)
}

/// Opens a record and finds a run in it.
///
/// # Errors
/// The record is missing, damaged or locked, or has no such run.
pub fn open_recorded(store: &Path, run: Option<&str>) -> Result<(Store, RunEntry), Failure> {
    if !store.exists() {
        bail!("there is no record {}", shown_path(store));
    }
    let store = Store::open(store, Mode::Read)?;
    if run.is_none() && store.runs()?.is_empty() {
        let name = shown_path(store.path());
        let (cells, games) = (store.count_cells()?, store.human_games()?.len());
        if cells > 0 {
            bail!(
                "{name} has no runs, but {} of studies\n\
                 help: `leitai study` with the same config shows them",
                count(cells, "finished search", "finished searches"),
            );
        }
        if games > 0 {
            bail!(
                "{name} has no runs, but {} against a person\n\
                 help: `leitai report {} --human games.pgn` writes them",
                count(games as u64, "game", "games"),
                path_word(store.path()),
            );
        }
    }
    let entry = store.run(run.unwrap_or("latest"))?;
    Ok((store, entry))
}

/// Returns the game of a recorded run.
///
/// # Errors
/// This program does not know the game.
pub fn recorded_game(entry: &RunEntry, games: &Games) -> Result<&'static dyn GameCard, Failure> {
    known_game(&entry.meta, games)
}

fn known_game(meta: &RunMeta, games: &Games) -> Result<&'static dyn GameCard, Failure> {
    let game = &meta.game;
    games.named(game).with_context(|| {
        let known = games.iter().map(GameCard::name);
        format!(
            "the run is of the game `{game}`, and this program has {}\n\
             help: call the program that played it",
            quoted(known)
        )
    })
}

/// Parses the config with which a run was begun.
///
/// # Errors
/// The config is not valid here.
pub fn recorded_config(meta: &RunMeta, games: &Games) -> Result<Loaded, Failure> {
    known_game(meta, games)?;
    let mut loaded = parse(&meta.source_text, &meta.source_name, games)
        .context("this version cannot read the config of the run")?;
    loaded.config.recall(&meta.config);
    Ok(loaded)
}

leitai_base::settings::choice! {
    /// The kind of a recorded run.
    pub enum Kind {
        /// A tournament.
        Run = "run",
        /// A gate.
        Gate = "gate",
        /// The games of a tune.
        Tune = "tune",
    }
}

leitai_base::settings::choice! {
    /// The state of a recorded run.
    pub enum State {
        /// A process is playing it.
        Playing = "playing",
        /// All its pairs are recorded.
        Finished = "finished",
        /// Unfinished; it can be continued.
        Stopped = "stopped",
    }
}

impl Kind {
    /// Returns the kind of a run with this config; a tournament if this version cannot read the
    /// config.
    pub fn of(config: Option<&Config>) -> Self {
        match config {
            Some(config) if config.gate.is_some() => Self::Gate,
            Some(config) if config.tune.is_some() => Self::Tune,
            _ => Self::Run,
        }
    }
}

/// Returns the kind of a recorded run.
pub fn kind_of(meta: &RunMeta, games: &Games) -> Kind {
    let parsed = parse(&meta.source_text, &meta.source_name, games);
    Kind::of(parsed.ok().map(|loaded| loaded.config).as_ref())
}

/// Counts the recorded pairs of a run. For a tune, counts the pairs of whole batches.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_pairs(store: &Store, entry: &RunEntry) -> Result<u64, StoreError> {
    let [_, in_batches] = store.count_batches(&entry.handle)?;
    Ok(match in_batches {
        0 => entry.recorded,
        whole => whole,
    })
}

/// Returns the state of a run with `recorded` pairs.
///
/// # Errors
/// The record cannot be read.
pub fn state_of(store: &Store, entry: &RunEntry, recorded: u64) -> Result<State, StoreError> {
    Ok(if recorded >= entry.meta.pairs {
        State::Finished
    } else if store.is_played(&entry.handle)? {
        State::Playing
    } else {
        State::Stopped
    })
}

/// Restores the plan of a recorded run of any kind from the record alone.
///
/// # Errors
/// The record cannot be read, or its config is not valid here.
pub fn restored_plan(store: &Store, entry: &RunEntry, reader: Reader<'_>) -> Result<Plan, Failure> {
    let games = &reader.games.cards;
    let plan = planned(store, entry, recorded_config(&entry.meta, games)?, games)?;
    if plan.id() != entry.meta.id {
        let (recorded, this) = (&entry.meta.version, env!("CARGO_PKG_VERSION"));
        reader.listener.warn(if recorded == this {
            "another program or build recorded the run, and this one may play it differently: its \
             config makes another run here"
                .to_owned()
        } else {
            format!(
                "leitai {recorded} recorded the run; this is {this}, which may play it differently"
            )
        });
    }
    Ok(plan)
}

/// Restores the plan of a recorded tournament or gate from the record alone.
///
/// # Errors
/// As for [`restored_plan`]; or the run is a tune.
pub fn recorded_plan(store: &Store, entry: &RunEntry, reader: Reader<'_>) -> Result<Plan, Failure> {
    let loaded = recorded_config(&entry.meta, &reader.games.cards)?;
    if loaded.config.tune.is_some() {
        bail!(
            "run {} is a tune: the record holds the results of its games, and no moves\n\
             help: `leitai report` shows them; `--run ID` names another run of the record, \
             `leitai report --list` lists the runs",
            entry.meta.id.get(..12).unwrap_or_default(),
        );
    }
    restored_plan(store, entry, reader)
}

/// Plans a recorded run, begun with the config `loaded`, as this version does.
pub(super) fn planned(
    store: &Store,
    entry: &RunEntry,
    loaded: Loaded,
    games: &Games,
) -> Result<Plan, Failure> {
    let book = recorded_book(store, &entry.handle, recorded_game(entry, games)?)?;
    let mut plan = make_plan(loaded, book)?;
    plan.speeds = store.speeds(&entry.handle)?;
    plan.read_starts(store, &entry.handle)?;
    Ok(plan)
}
