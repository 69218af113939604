//! Plays the pairs of a plan that the record does not have yet.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::dispatch::{DispatchOutcome, PairReply, RunContext, WorkSource, dispatch, reply_of};
use super::fold::{Fold, Replays};
use super::plan::canonical;
use super::remote::{RemovedPairs, WorkersUnreachable, remove_rejected};
use super::{BadTune, Goal, Plan, Replay, Standings};
use crate::store::{PairNumbers, PairRow, RunHandle, RunMeta, Speed, Store, StoreError};
use leitai_config::FailurePolicies;
use leitai_players::play::{Cancel, EvidenceList, Fault, PairRecord, Players, Unit, play_pair};
use leitai_players::player::PvFault;
use leitai_players::schedule::BookError;

/// Follows a run.
pub trait Progress<G> {
    /// A pair of the record was counted while the record was read, before play begins.
    fn on_recorded_pair(&mut self, _so_far: &G, _pair: &PairRecord) {}

    /// The record has been read, with this number of pairs of the whole schedule, including those
    /// beyond the counted prefix; play begins.
    fn begun(&mut self, _so_far: &G, _recorded: u64, _total: u64) {}

    /// The next pair in the order of the schedule has been counted.
    fn counted(&mut self, _so_far: &G, _pair: &PairRecord) {}

    /// All pairs of a batch of a tune have been counted.
    fn learned(&mut self, _so_far: &G) {}

    /// Pairs were removed from the record because their worker reported games that do not replay.
    /// The record is read again, and play begins again.
    fn forgotten(&mut self, _pairs: &RemovedPairs) {}
}

impl<G> Progress<G> for () {}

/// The way in which a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every pair that is wanted is recorded.
    Complete,
    /// The run was cancelled; the same command continues it.
    Cancelled,
    /// A player failed in a way that stops the run. Its pair is not recorded; the same command
    /// plays it again and continues.
    Stopped(StoppingFailure),
    /// A player reported a faulty line of play, which a strict run does not allow. The pair is
    /// recorded and counts; later pairs do not.
    Warned(FirstPvWarning),
}

/// The first warning of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstPvWarning {
    /// The pair's number in the schedule.
    pub pair: u64,
    /// The game of the pair, 0 or 1.
    pub game: usize,
    /// Index of the variant.
    pub variant: usize,
    /// The fault of its line of play.
    pub fault: PvFault,
}

impl FirstPvWarning {
    /// The first warning of a pair.
    pub(super) fn of(record: &PairRecord) -> Option<Self> {
        let mut games = record.games.iter().enumerate();
        games.find_map(|(number, game)| {
            let warnings = game.pv_warnings.first()?;
            Some(Self {
                pair: record.index,
                game: number,
                variant: game.variant(warnings.side),
                fault: warnings.first.kind,
            })
        })
    }
}

/// The failure that stopped a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct StoppingFailure {
    /// The pair's number in the schedule.
    pub pair: u64,
    /// Index of its opening in the book.
    pub opening: usize,
    /// The player that failed, and the cause.
    pub fault: Fault,
    /// The delay of a late move in microseconds.
    pub late: Option<u32>,
    /// The evidence of the failure.
    #[serde(skip)]
    pub evidence: EvidenceList,
}

/// The reason why a run could not continue.
#[derive(Debug, Error)]
pub enum RunError {
    /// The record cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The remote workers cannot be reached.
    #[error(transparent)]
    WorkersUnreachable(#[from] WorkersUnreachable),
    /// The pairs of a rejected worker cannot be removed.
    #[error(
        "the pairs of worker `{0}`, whose games do not replay, must be played again, but another \
         process is playing this run\nhelp: let that process end first"
    )]
    StillPlayed(String),
    /// A recorded pair differs from the plan's pair of the same number.
    #[error(
        "recorded pair {0} differs from the plan: another version of leitai played this run\n\
         help: use that version, or another record (`--store FILE`)"
    )]
    OtherPlan(u64),
    /// A recorded batch of a tune differs from the batch that the plan proposes.
    #[error(
        "recorded batch {0} differs from the plan: another version of leitai played this tune, \
         or an earlier batch was removed or changed\n\
         help: use that version, or another record (`--store FILE`)"
    )]
    OtherBatch(u64),
    /// The line of a drawn opening is bad, or the protocol of the engines cannot express it.
    #[error(transparent)]
    Opening(#[from] BookError),
    /// The machine could not start an engine for long.
    #[error(
        "the variant `{variant}` does not play pair {pair}: {reason}\n\
         help: the pair is not recorded and decides nothing; play on fewer --threads or raise the \
         limit of the machine, then the same command resumes with that pair"
    )]
    NoResources {
        /// Name of the variant.
        variant: String,
        /// Number of the pair in the schedule, from 0.
        pair: u64,
        /// The exhausted limit, and the system's error.
        reason: String,
    },
    /// The tuner cannot be created.
    #[error(transparent)]
    Tune(#[from] BadTune),
}

/// Plays the remaining pairs of a tournament: [`play_for`] its standings.
///
/// # Errors
/// The same as for [`play_for`].
pub fn play(
    plan: &Plan,
    store: &Store,
    threads: NonZeroUsize,
    cancel: &Cancel,
    progress: &mut dyn Progress<Standings>,
) -> Result<(Ending, Standings), RunError> {
    let standings = Standings::of(plan);
    play_for(&standings, plan, store, threads, cancel, progress)
}

/// Plays the remaining pairs of `plan` on `threads` threads into `store`, as long as `goal` wants
/// them. Every finished pair is recorded before it is counted, and pairs are counted in schedule
/// order, so that the result at any point does not depend on timing. Pairs begun before the goal
/// was reached are recorded and not counted.
///
/// Another process may play the same run into the same record: both share the work.
///
/// # Errors
/// The record cannot be read or written, or is no longer at its path; or the machine cannot start an
/// engine. Recorded pairs remain.
pub fn play_for<G: Goal + Clone>(
    goal: &G,
    plan: &Plan,
    store: &Store,
    threads: NonZeroUsize,
    cancel: &Cancel,
    progress: &mut dyn Progress<G>,
) -> Result<(Ending, G), RunError> {
    let run = begin(plan, store)?;
    let make = |index| plan.player(index);
    let policies = plan.policies();
    let context = RunContext {
        plan,
        store,
        run: &run,
        threads,
        cancel,
    };
    loop {
        remove_rejected(&context, None, progress)?;
        let recorded = store.recorded_indices(&run)?;
        plan.read_starts(store, &run)?;
        let recalled = |so_far: &G, pair: &PairRecord| progress.on_recorded_pair(so_far, pair);
        let fold = Fold::of_record(goal.clone(), plan, store, &run, recalled)?;
        if !fold.is_complete() {
            add_speeds(&plan.speeds, store, &run)?;
        }
        progress.begun(&fold.goal, recorded.count(), plan.schedule.len());

        let mut source = Schedule {
            store,
            run: &run,
            fold,
            plan,
            recorded,
            next: 0,
            progress,
        };
        let outcome = dispatch(&mut source, &context, || {
            let mut players = Players::new(&make, plan.config.variants.len())
                .waiting(plan.execution_options.wait)
                .observed(plan.execution_options.observer.clone());
            move |unit: &Unit| play_one(plan, unit.pair, &mut players, policies, cancel)
        })?;
        let DispatchOutcome::Ended(stop) = outcome else {
            continue;
        };
        let fold = source.fold;
        let ending = match stop {
            _ if fold.warned.is_some() => fold.warned.map_or(Ending::Complete, Ending::Warned),
            _ if fold.is_complete() => Ending::Complete,
            Some(stop) => Ending::Stopped(stop),
            None => Ending::Cancelled,
        };
        return Ok((ending, fold.goal));
    }
}

/// The pairs of a schedule that a goal wants.
struct Schedule<'a, 'p, G> {
    store: &'a Store,
    run: &'a RunHandle,
    fold: Fold<'a, G>,
    plan: &'a Plan,
    /// The pairs that were recorded at the start.
    recorded: PairNumbers,
    /// The next pair to examine.
    next: u64,
    progress: &'p mut dyn Progress<G>,
}

impl<G: Goal> WorkSource for Schedule<'_, '_, G> {
    fn next(&mut self) -> Option<Unit> {
        while self.next < self.plan.schedule.len() && !self.fold.is_complete() {
            let pair = self.next;
            self.next += 1;
            if !self.recorded.contains(pair) && self.wants(pair) {
                return Some(Unit::of(pair));
            }
        }
        None
    }

    fn wants(&self, pair: u64) -> bool {
        let pairing = self.plan.schedule.pair(pair).pairing;
        self.fold.goal.wants(pairing)
    }

    fn replay(&self, row: &PairRow) -> Result<Replay, RunError> {
        self.fold.replay(row)
    }

    fn take(&mut self, row: PairRow, replay: Replay) -> Result<bool, RunError> {
        let mut counted = |so_far: &G, pair: &PairRecord| self.progress.counted(so_far, pair);
        let changed = self.fold.put(row, replay, &mut counted);
        self.plan.record_starts(self.store, self.run)?;
        Ok(changed)
    }

    fn is_complete(&self) -> bool {
        self.fold.is_complete()
    }
}

/// Plays a pair of the schedule; `Err` if a failure stops the run, `None` if the pair was
/// cancelled.
pub(super) fn play_one(
    plan: &Plan,
    index: u64,
    players: &mut Players<'_>,
    policies: &FailurePolicies,
    cancel: &AtomicBool,
) -> Option<PairReply> {
    let started = Instant::now();
    let spec = plan.schedule.pair(index);
    let start = plan.start(&spec)?;
    let played = play_pair(&spec, &*start, players, &plan.terms, policies, cancel)?;
    Some(reply_of(played, &spec, started))
}

pub(super) fn add_speeds(
    speeds: &[Speed],
    store: &Store,
    run: &RunHandle,
) -> Result<(), StoreError> {
    let known = store.speeds(run)?.len();
    let mut new = speeds.iter().skip(known);
    new.try_for_each(|speed| store.add_speed(run, *speed))
}

/// Begins the run of a plan in the store or continues it. A new run takes over the pairs of others
/// that count for the plan.
pub(super) fn begin(plan: &Plan, store: &Store) -> Result<RunHandle, StoreError> {
    let carried = plan.earlier.iter();
    let carried = carried.flat_map(|carried| carried.rows(plan, store));
    let taken = plan.taken.iter().flat_map(|taken| taken.rows(plan, store));
    let config = &plan.config;
    let variants = config.variants.iter();
    let meta = RunMeta {
        id: plan.id().to_owned(),
        game: config.game.name().to_owned(),
        config: canonical(config),
        source_name: plan.source.name.clone(),
        source_text: plan.source.text.clone(),
        seed: config.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        variants: variants.map(|variant| variant.name.clone()).collect(),
        pairs: plan.schedule.len(),
        reproducible: config.is_reproducible(),
    };
    let replays = Replays::new(plan);
    let others = carried.chain(taken).map(|row| {
        let row = row?;
        let replay = replays.of(&row).unwrap_or_default();
        Ok((row, replay.openings))
    });
    let opening = |index| plan.stored_opening(index);
    let run = store.begin_with(&meta, &plan.stored_book(), others, opening)?;
    store.update_source(&meta)?;
    // Detects a damaged book in the record before pairs are added.
    store.check_openings(&run)?;
    Ok(run)
}
#[cfg(test)]
mod tests;
