//! Replays recorded pairs and checks that they come out the same.

use std::collections::HashMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::batch_runner::ReusedPlayers;
use super::driver::RunError;
use super::unrecorded::play_pairs;
use super::{Plan, TunePlan};
use crate::store::{BatchRow, PairRow, RunHandle, Store, difference};
use leitai_config::Adjudication;
use leitai_game::Cause;
use leitai_players::play::{Unit, work};

/// A recorded pair that did not come out the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The pair's number.
    #[serde(rename = "pair")]
    pub index: u64,
    /// The first difference, in words.
    pub what: String,
}

/// The outcome of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayReport {
    /// Pairs to replay.
    pub wanted: u64,
    /// Replayed pairs.
    pub pairs: u64,
    /// The differing pairs, in schedule order.
    pub mismatches: Vec<Mismatch>,
    /// Pairs that were not replayed because missing endgame tables ended a game.
    pub without_tables: u64,
    /// True if the replay was cancelled.
    pub cancelled: bool,
}

/// The pairs to replay, and the way of replaying them.
pub struct ReplayOptions<'a> {
    /// Pairs whose number is a multiple of this are replayed.
    pub every: NonZeroU64,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// Ends the replay early.
    pub cancel: &'a AtomicBool,
    /// Called with the number of replayed pairs and the total.
    pub progress: &'a mut dyn FnMut(u64, u64),
}

/// Replays recorded pairs of `run`.
///
/// # Errors
/// The record cannot be read.
pub fn verify(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
    replaying: ReplayOptions<'_>,
) -> Result<ReplayReport, RunError> {
    let (threads, cancel) = (replaying.threads, replaying.cancel);
    let mut replay = Replay::new(store, run, replaying, &plan.terms.adjudication, |_| true)?;
    // Failures do not occur where play is reproducible.
    play_pairs(plan, replay.pairs(), threads, cancel, |row| {
        replay.compare(&row)
    })?;
    Ok(replay.end())
}

/// Replays the recorded pairs of the batches of a tune in the same way. Skips pairs of incomplete
/// batches, from which the tuner has not learnt.
///
/// # Errors
/// The record cannot be read.
pub fn verify_tune(
    plan: TunePlan<'_>,
    store: &Store,
    run: &RunHandle,
    replaying: ReplayOptions<'_>,
) -> Result<ReplayReport, RunError> {
    let (threads, cancel) = (replaying.threads, replaying.cancel);
    let size = plan.batch_size();
    let batches = store.batches(run)?;
    let values = |pair: u64| {
        let number = pair / size;
        let place = batches.binary_search_by_key(&number, |batch| batch.number);
        let batch = &batches[place.ok()?];
        Some([batch.plus.clone(), batch.minus.clone()])
    };
    let adjudication = &plan.terms.adjudication;
    let has_batch = |pair: u64| values(pair).is_some();
    let mut replay = Replay::new(store, run, replaying, adjudication, has_batch)?;
    replay.compare_batches(&batches, size, cancel)?;
    let runner = plan.runner();
    let worker = || {
        let mut reused = ReusedPlayers::default();
        let (runner, values) = (&runner, &values);
        move |pair| {
            let values = values(pair);
            let reply = runner.play(&Unit { pair, values }, &mut reused, cancel);
            reply?.ok()
        }
    };
    work(replay.pairs(), threads, cancel, worker, |_, row| {
        replay.compare(&row)
    })?;
    Ok(replay.end())
}

/// A replay of recorded pairs.
struct Replay<'a, 'p> {
    store: &'a Store,
    run: &'a RunHandle,
    pairs: Vec<u64>,
    progress: &'p mut dyn FnMut(u64, u64),
    verified: ReplayReport,
}

impl<'a, 'p> Replay<'a, 'p> {
    /// The replay of those recorded pairs that can be `played`. Leaves out pairs with a game ended
    /// by endgame tables that are not available here: the tables ended none of the other games.
    #[expect(clippy::needless_pass_by_value, reason = "the progress is moved")]
    fn new(
        store: &'a Store,
        run: &'a RunHandle,
        replaying: ReplayOptions<'p>,
        adjudication: &Adjudication,
        is_playable: impl Fn(u64) -> bool,
    ) -> Result<Self, RunError> {
        let recorded = store.recorded_indices(run)?;
        let every = replaying.every.get();
        let mut verified = ReplayReport::default();
        let mut pairs = Vec::new();
        for pair in recorded.numbers().filter(|pair| pair.is_multiple_of(every)) {
            if !is_playable(pair) {
                continue;
            }
            if adjudication.lacks_tables() && is_ended_by_tables(store, run, pair)? {
                verified.without_tables += 1;
            } else {
                pairs.push(pair);
            }
        }
        verified.wanted = pairs.len() as u64;
        (replaying.progress)(0, verified.wanted);
        Ok(Self {
            store,
            run,
            pairs,
            progress: replaying.progress,
            verified,
        })
    }

    /// The pairs to replay.
    fn pairs(&mut self) -> impl Iterator<Item = u64> + Send + use<> {
        std::mem::take(&mut self.pairs).into_iter()
    }

    /// Compares the results of batches with those of their recorded pairs.
    fn compare_batches(
        &mut self,
        batches: &[BatchRow],
        size: u64,
        cancel: &AtomicBool,
    ) -> Result<(), RunError> {
        let mut cells: HashMap<u64, [u64; 5]> = HashMap::new();
        for row in self.store.pairs(self.run) {
            if cancel.load(Ordering::Relaxed) {
                return Ok(());
            }
            let row = row?;
            let cells = cells.entry(row.record.index / size).or_default();
            cells[row.record.cell(0)] += 1;
        }
        for batch in batches {
            if cells
                .get(&batch.number)
                .is_some_and(|cells| *cells != batch.result.0)
            {
                self.verified.mismatches.push(Mismatch {
                    index: batch.number.saturating_mul(size),
                    what: "the recorded results of its batch differ from those of its pairs"
                        .to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Compares a replayed pair with the recorded one.
    fn compare(&mut self, replayed: &PairRow) -> Result<(), RunError> {
        let index = replayed.record.index;
        if let Some(row) = self.store.pair(self.run, index)? {
            let what = difference(&row, replayed, true);
            let mismatch = what.map(|what| Mismatch { index, what });
            self.verified.mismatches.extend(mismatch);
        }
        self.verified.pairs += 1;
        (self.progress)(self.verified.pairs, self.verified.wanted);
        Ok(())
    }

    fn end(mut self) -> ReplayReport {
        self.verified.cancelled = self.verified.pairs < self.verified.wanted;
        let mismatches = &mut self.verified.mismatches;
        mismatches.sort_unstable_by_key(|mismatch| mismatch.index);
        self.verified
    }
}

/// Returns whether endgame tables ended a game of a recorded pair.
fn is_ended_by_tables(store: &Store, run: &RunHandle, pair: u64) -> Result<bool, RunError> {
    let row = store.pair(run, pair)?;
    let mut games = row.iter().flat_map(|row| &row.record.games);
    Ok(games.any(|game| game.verdict.cause == Cause::TablebaseAdjudication))
}
