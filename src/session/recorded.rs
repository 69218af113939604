//! From a record to the plan of a run in it.

use std::path::Path;

use anyhow::{Context, bail};

use super::books::Reader;
use super::books::make_plan;
use super::{Failure, Listener};
use crate::card::{GameCard, Games};
use crate::config::{Config, Gate, Loaded, parse, path_word};
use crate::count::count;
use crate::foreign::shown_path;
use crate::schedule::{Book, Opening};
use crate::store::{Mode, RunEntry, RunMeta, Store, StoreError};
use crate::tournament::{Plan, TunePlan};

/// A record, to be read.
pub(crate) fn open_to_read(store: &Path) -> Result<Store, Failure> {
    Ok(Store::open(store, Mode::Read)?)
}

/// A recorded run: the open store, and the run's entry.
pub(crate) fn open_recorded(store: &Path, run: Option<&str>) -> Result<(Store, RunEntry), Failure> {
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
                 help: `leitai study` with the same config tells what they say",
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

/// The game of a recorded run.
pub(crate) fn recorded_game(
    entry: &RunEntry,
    games: &Games,
) -> Result<&'static dyn GameCard, Failure> {
    let game = &entry.meta.game;
    let card = games.named(game);
    card.with_context(|| format!("the run is about an unknown game `{game}`"))
}

/// The config of a run that was begun with this, as it was.
pub(crate) fn recorded_config(meta: &RunMeta, games: &Games) -> Result<Loaded, Failure> {
    let mut loaded = parse(&meta.source_text, &meta.source_name, games)
        .context("this version cannot read the config of the run")?;
    loaded.config.recall(&meta.config);
    loaded.config.recall_bets(&meta.config);
    Ok(loaded)
}

crate::settings::choice! {
    /// What a run was begun for.
    pub(crate) enum Kind {
        /// A tournament.
        Run = "run",
        /// A gate.
        Gate = "gate",
        /// The games of a tune.
        Tune = "tune",
    }
}

crate::settings::choice! {
    /// Whether a run goes on.
    pub(crate) enum State {
        /// Somebody plays it.
        Playing = "playing",
        /// All its pairs are recorded.
        Finished = "finished",
        /// It can be carried on.
        Stopped = "stopped",
    }
}

impl Kind {
    /// What a run of this config was begun for; of one that this version cannot read, a
    /// tournament.
    pub(crate) fn of(config: Option<&Config>) -> Self {
        match config {
            Some(config) if config.gate.is_some() => Self::Gate,
            Some(config) if config.tune.is_some() => Self::Tune,
            _ => Self::Run,
        }
    }
}

/// What a run was begun for.
pub(crate) fn kind_of(meta: &RunMeta, games: &Games) -> Kind {
    let parsed = parse(&meta.source_text, &meta.source_name, games);
    Kind::of(parsed.ok().map(|loaded| loaded.config).as_ref())
}

/// Recorded pairs of a run: of a tune those of whole batches, those of before their games were
/// recorded included.
pub(crate) fn recorded_pairs(store: &Store, entry: &RunEntry) -> Result<u64, StoreError> {
    let [_, in_batches] = store.count_batches(&entry.handle)?;
    Ok(match in_batches {
        0 => entry.recorded,
        whole => whole,
    })
}

/// Whether a run of so many recorded pairs goes on.
pub(crate) fn state_of(
    store: &Store,
    entry: &RunEntry,
    recorded: u64,
) -> Result<State, StoreError> {
    Ok(if recorded >= entry.meta.pairs {
        State::Finished
    } else if store.is_played(&entry.handle)? {
        State::Playing
    } else {
        State::Stopped
    })
}

/// The openings of a recorded run.
fn recorded_book(store: &Store, entry: &RunEntry, games: &Games) -> Result<Book, Failure> {
    let card = recorded_game(entry, games)?;
    let mut openings = Vec::new();
    for opening in store.openings(&entry.handle)? {
        let position = card.read(&opening.fen)?;
        let moves = (!opening.moves.is_empty()).then_some(opening.moves);
        let read = Opening::recorded(&*position, &opening.id, moves);
        openings.push(read.context("an opening of the record is damaged")?);
    }
    Ok(Book {
        openings,
        duplicates: Vec::new(),
    })
}

/// Warns if this version has another plan for what was recorded.
fn warn_of_other_plan(entry: &RunEntry, id: &str, listener: &dyn Listener) {
    if id != entry.meta.id {
        listener.warn(format!(
            "the run was recorded by leitai {}; this is {}, which may play it differently",
            entry.meta.version,
            env!("CARGO_PKG_VERSION")
        ));
    }
}

/// The plan of a recorded run, from the record alone.
pub(crate) fn recorded_plan(
    store: &Store,
    entry: &RunEntry,
    reader: Reader<'_>,
) -> Result<Plan, Failure> {
    let games = reader.games.cards();
    let loaded = recorded_config(&entry.meta, games)?;
    if loaded.config.tune.is_some() {
        bail!(
            "run {} is a tune: of its games it is recorded how they ended, no moves\n\
             help: `leitai report` says more of it; `--run ID` names another run of the record, \
             `leitai report --list` lists them",
            entry.meta.id.get(..12).unwrap_or_default(),
        );
    }
    let plan = planned(store, entry, loaded, games)?;
    warn_of_other_plan(entry, plan.id(), reader.listener);
    Ok(plan)
}

/// The plan of a recorded run as this version makes it, from the record alone.
pub(super) fn plan_as_it_was(
    store: &Store,
    entry: &RunEntry,
    games: &Games,
) -> Result<Plan, Failure> {
    planned(store, entry, recorded_config(&entry.meta, games)?, games)
}

fn planned(
    store: &Store,
    entry: &RunEntry,
    loaded: Loaded,
    games: &Games,
) -> Result<Plan, Failure> {
    let mut plan = make_plan(loaded, recorded_book(store, entry, games)?)?;
    plan.speeds = store.speeds(&entry.handle)?;
    plan.recall_starts(store, &entry.handle)?;
    Ok(plan)
}

/// The plan and the terms of a recorded gate of a game; `None` if the run is none.
pub(crate) fn recorded_gate(
    store: &Store,
    entry: &RunEntry,
    games: &Games,
) -> Result<Option<(Plan, Gate)>, Failure> {
    let loaded = recorded_config(&entry.meta, games)?;
    let Some(gate) = loaded.config.gate.clone() else {
        return Ok(None);
    };
    Ok(Some((planned(store, entry, loaded, games)?, gate)))
}

/// The plan of a recorded tune, from the record alone; `None` if the run is none.
pub(crate) fn recorded_tune(
    store: &Store,
    entry: &RunEntry,
    reader: Reader<'_>,
) -> Result<Option<TunePlan>, Failure> {
    let games = reader.games.cards();
    let loaded = recorded_config(&entry.meta, games)?;
    if loaded.config.tune.is_none() {
        return Ok(None);
    }
    let mut plan = TunePlan::new(loaded.config, recorded_book(store, entry, games)?)?;
    if let Some(plan) = &mut plan {
        plan.speeds = store.speeds(&entry.handle)?;
    }
    if let Some(plan) = &plan {
        warn_of_other_plan(entry, plan.id(), reader.listener);
    }
    Ok(plan)
}
