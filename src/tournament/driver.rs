//! Plays the pairs of a plan that the record does not hold yet.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use thiserror::Error;

use super::fold::Fold;
use super::plan::canonical;
use super::{Goal, Plan, Standings};
use crate::config::{Config, FailurePolicies};
use crate::play::{Fault, PairRecord, Played, Players, play_pair, work};
use crate::player::Player;
use crate::schedule::Book;
use crate::store::{
    Appended, Finished, Opening, PairRow, RunHandle, RunMeta, Speed, Store, StoreError,
};

/// What happens during a run, for whoever watches.
#[derive(Debug)]
pub enum Event<'a, G = Standings> {
    /// The record has been read; play begins.
    Begun {
        /// What the recorded prefix adds up to.
        so_far: &'a G,
        /// Pairs recorded, those beyond the prefix included.
        recorded: u64,
        /// Pairs in the whole schedule.
        total: u64,
    },
    /// The next pair in schedule order has been counted.
    Pair {
        /// What all pairs so far add up to.
        so_far: &'a G,
        /// It.
        pair: &'a PairRecord,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every pair that is wanted is recorded.
    Complete,
    /// It was cancelled; the same command carries on.
    Cancelled,
    /// A player failed in a way that is to stop the run. Its pair is not
    /// recorded; the same command plays it again and carries on.
    Stopped(Stop),
}

/// The failure that stopped a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The pair's number in the schedule.
    pub pair: u64,
    /// Index of its opening in the book.
    pub opening: usize,
    /// Who failed, and how.
    pub fault: Fault,
}

/// Why a run could not go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The record cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A recorded pair is not the one that the plan has under its number.
    #[error(
        "pair {0} of the record is not that of the plan: the run was played by another version \
         of leitai"
    )]
    OtherPlan(u64),
    /// A recorded batch of a tune is not the one that its plan asks for.
    #[error(
        "batch {0} of the record is not that of the plan: the tune was played by another \
         version of leitai, or a batch before it was removed or changed"
    )]
    OtherBatch(u64),
}

/// What the config file was called and said, to be kept with the run.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name, as given.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// Plays what is left of a tournament: [`play_for`] its standings.
///
/// # Errors
/// As there.
pub fn play(
    plan: &Plan,
    source: Source<'_>,
    store: &Store,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    watch: impl FnMut(Event<'_>),
) -> Result<(Ending, Standings), RunError> {
    let standings = Standings::new(plan.schedule.pairings());
    play_for(standings, plan, source, store, threads, cancel, watch)
}

/// Plays what is left of `plan` on `threads` threads into `store`, as long as
/// `goal` wants it. Every finished pair is recorded before it is counted, and
/// pairs are counted in schedule order, so what they add up to at any point does
/// not depend on timing. Pairs that were begun before the goal was reached are
/// recorded and not counted.
///
/// A failure that is to stop the run lets the pairs that are being played come to
/// their end and be recorded. As pairs are begun in schedule order, all before the
/// failed one are there then: which failure it is that stops the run does not
/// depend on timing either. One in a pair that is not wanted in the end is none.
///
/// # Errors
/// The record cannot be read or written, or is not where it was any more. What was
/// recorded stays.
pub fn play_for<G: Goal>(
    goal: G,
    plan: &Plan,
    source: Source<'_>,
    store: &Store,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    mut watch: impl FnMut(Event<'_, G>),
) -> Result<(Ending, G), RunError> {
    let pairs = plan.schedule.len();
    let run = begin(
        plan.id(),
        (&plan.config, &plan.book),
        pairs,
        source,
        store,
        pairs_of_others(plan, store),
    )?;
    let total = plan.schedule.len();
    let mut recorded = store.recorded_indices(&run)?;
    let mut fold = Fold::of_record(goal, plan, store, &run)?;
    if !fold.is_complete() {
        add_speeds(&plan.speeds, store, &run)?;
    }
    watch(Event::Begun {
        so_far: &fold.goal,
        recorded: recorded.count(),
        total,
    });

    // What the workers know of the goal: which pairings it still wants.
    let pairings = plan.schedule.pairings().len();
    let wanted: Vec<AtomicBool> = (0..pairings)
        .map(|pairing| AtomicBool::new(fold.goal.wants(pairing)))
        .collect();
    let wants = |pairing: usize| wanted[pairing].load(Ordering::Relaxed);
    let make = |index| make_player(plan, index);
    loop {
        let mut stops: Vec<Stop> = Vec::new();
        let halted = AtomicBool::new(false);
        let todo = (0..total)
            .take_while(|_| !halted.load(Ordering::Relaxed) && (0..pairings).any(wants))
            .filter(|&index| !recorded.contains(index) && wants(plan.schedule.pair(index).pairing));
        let worker = || {
            if let Some(cores) = &plan.execution_options.cores {
                // Whether it is allowed has been asked before: it is no reason to stop.
                let _ = cores.take();
            }
            let mut players = Players::new(&make, plan.config.variants.len());
            let halted = &halted;
            move |index| {
                let pair = play_one(plan, index, &mut players, &plan.config.failures, cancel)?;
                if pair.is_err() {
                    halted.store(true, Ordering::Relaxed);
                }
                Some(pair)
            }
        };
        let finished = |index, pair: Result<PairRow, Stop>| {
            let mut row = match pair {
                Ok(row) => row,
                Err(stop) => {
                    stops.push(stop);
                    return Ok(());
                }
            };
            if store.append(&run, &row)? == Appended::AlreadyThere
                && let Some(recorded) = store.pair(&run, index)?
            {
                // Another process was faster. What is recorded counts.
                row = recorded;
            }
            let changed = fold.put(row, |so_far, pair| watch(Event::Pair { so_far, pair }))?;
            if changed {
                for (pairing, wanted) in wanted.iter().enumerate() {
                    wanted.store(fold.goal.wants(pairing), Ordering::Relaxed);
                }
            }
            Ok::<(), RunError>(())
        };
        store.watched(cancel, || work(todo, threads, cancel, worker, finished))??;
        let stopped = !stops.is_empty();
        stops.retain(|stop| wants(plan.schedule.pair(stop.pair).pairing));
        let first = stops.into_iter().min_by_key(|stop| stop.pair);
        let ending = match first {
            _ if fold.is_complete() => Ending::Complete,
            Some(stop) => Ending::Stopped(stop),
            None if stopped => {
                // Without that pair there are others to be played.
                recorded = store.recorded_indices(&run)?;
                continue;
            }
            None => Ending::Cancelled,
        };
        return Ok((ending, fold.goal));
    }
}

/// Plays a pair of the schedule; `Err` if that is to stop the run, `None` if it was
/// cancelled.
pub(super) fn play_one(
    plan: &Plan,
    index: u64,
    players: &mut Players<'_>,
    policies: &FailurePolicies,
    cancel: &AtomicBool,
) -> Option<Result<PairRow, Stop>> {
    let started = Instant::now();
    let spec = plan.schedule.pair(index);
    let start = plan.start(&spec)?;
    let played = play_pair(&spec, &*start, players, &plan.terms, policies, cancel)?;
    Some(match played {
        Played::Finished(record) => Ok(PairRow {
            record,
            pairing: spec.pairing,
            variants: spec.variants,
            opening: spec.opening,
            elapsed_us: started.elapsed().as_micros() as u64,
            finished: Finished::default(),
        }),
        Played::Stopped(fault) => Err(Stop {
            pair: index,
            opening: spec.opening,
            fault,
        }),
    })
}

/// Records the speeds that the run does not have yet.
pub(super) fn add_speeds(
    speeds: &[Speed],
    store: &Store,
    run: &RunHandle,
) -> Result<(), StoreError> {
    let known = store.speeds(run)?.len();
    let new = speeds.iter().skip(known);
    new.copied()
        .try_for_each(|speed| store.add_speed(run, speed))
}

/// A player for a variant that the plan has checked to be of its game.
#[expect(
    clippy::expect_used,
    reason = "a plan is only made of variants of its own game"
)]
pub(super) fn make_player(plan: &Plan, index: usize) -> Box<dyn Player> {
    plan.player(index).expect("a variant of the plan's game")
}

/// The pairs of other runs that a plan has when it is begun.
fn pairs_of_others<'a>(
    plan: &'a Plan,
    store: &'a Store,
) -> impl Iterator<Item = Result<PairRow, StoreError>> + 'a {
    let carried = plan.carried.iter().flat_map(move |carried| {
        let is_before = |row: &Result<PairRow, StoreError>| {
            row.as_ref()
                .map_or(true, |row| row.record.index < carried.end)
        };
        store.pairs(&carried.run).take_while(is_before)
    });
    let taken = plan.taken.iter();
    carried.chain(taken.flat_map(move |taken| taken.rows(plan, store)))
}

/// Begins the run of that identity in the store, or carries it on: so many pairs
/// of `config` over `book`, with those `others` that it has from the beginning.
pub(super) fn begin(
    id: &str,
    (config, book): (&Config, &Book),
    pairs: u64,
    source: Source<'_>,
    store: &Store,
    others: impl Iterator<Item = Result<PairRow, StoreError>>,
) -> Result<RunHandle, StoreError> {
    let variants = config.variants.iter();
    let meta = RunMeta {
        id: id.to_owned(),
        game: config.game.name().to_owned(),
        config: canonical(config),
        source_name: source.name.to_owned(),
        source_text: source.text.to_owned(),
        seed: config.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        variants: variants.map(|variant| variant.name.clone()).collect(),
        pairs,
        reproducible: config.is_reproducible(),
    };
    let openings = book.openings.iter();
    let openings = openings.map(|opening| Opening {
        id: opening.id.clone(),
        fen: opening.fen.clone(),
    });
    let run = store.begin_with(&meta, openings, others)?;
    // Notices a recorded book that was damaged before anything is added to it.
    store.openings(&run)?;
    Ok(run)
}

#[cfg(test)]
mod tests;
