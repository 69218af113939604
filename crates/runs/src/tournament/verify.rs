//! Replays recorded pairs and checks that they come out the same.

use std::collections::{HashMap, HashSet};
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::aside::play_pairs;
use super::batch_runner::ReusedPlayers;
use super::driver::RunError;
use super::{Plan, TunePlan};
use crate::store::{BatchRow, PairRow, RunHandle, Store};
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
pub struct Verified {
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
pub struct Replaying<'a> {
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
    how: Replaying<'_>,
) -> Result<Verified, RunError> {
    let Replaying {
        every,
        threads,
        cancel,
        progress,
    } = how;
    let recorded = store.recorded_indices(run)?;
    let wanted = recorded.ranges().iter().flat_map(Clone::clone);
    let todo = wanted.filter(|&index| index.is_multiple_of(every.get()));
    let left_out = ended_by_tables(&plan.terms.adjudication, todo.clone(), store, run)?;
    let todo = todo.filter(|index| !left_out.contains(index));
    let expected = todo.clone().count() as u64;
    let mut verified = Verified {
        wanted: expected,
        without_tables: left_out.len() as u64,
        ..Verified::default()
    };
    progress(0, expected);
    // Failures do not occur where play is reproducible.
    play_pairs(plan, todo, threads, cancel, |replayed| {
        verified.compare(replayed, store, run)?;
        progress(verified.pairs, expected);
        Ok::<_, RunError>(())
    })?;
    verified.settle(expected);
    Ok(verified)
}

/// The pairs with a game ended by endgame tables that are not available here: they cannot be
/// replayed. All others can, because the tables ended none of their games.
fn ended_by_tables(
    adjudication: &Adjudication,
    pairs: impl Iterator<Item = u64>,
    store: &Store,
    run: &RunHandle,
) -> Result<HashSet<u64>, RunError> {
    let mut found = HashSet::new();
    if !adjudication.lacks_tables() {
        return Ok(found);
    }
    for index in pairs {
        let Some(row) = store.pair(run, index)? else {
            continue;
        };
        let mut games = row.record.games.iter();
        if games.any(|game| game.verdict.cause == Cause::TablebaseAdjudication) {
            found.insert(index);
        }
    }
    Ok(found)
}

/// Replays the recorded pairs of the batches of a tune in the same way. Skips pairs of incomplete
/// batches, from which the tuner has not learnt.
///
/// # Errors
/// The record cannot be read.
pub fn verify_tune(
    plan: &TunePlan,
    store: &Store,
    run: &RunHandle,
    how: Replaying<'_>,
) -> Result<Verified, RunError> {
    let Replaying {
        every,
        threads,
        cancel,
        progress,
    } = how;
    let size = plan.batch_size();
    let batches = store.batches(run)?;
    let mut cells: HashMap<u64, [u64; 5]> = HashMap::new();
    for row in store.pairs(run) {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let record = row?.record;
        cells.entry(record.index / size).or_default()[record.cell()] += 1;
    }
    // A batch recorded before games were recorded has no pairs.
    let differs = |batch: &&BatchRow| {
        let cells = cells.get(&batch.number);
        cells.is_some_and(|cells| *cells != batch.result.0)
    };
    let is_whole = !cancel.load(Ordering::Relaxed);
    let mismatches = batches.iter().filter(differs).filter(|_| is_whole);
    let mismatches = mismatches.map(|batch| Mismatch {
        index: batch.number.saturating_mul(size),
        what: "its batch is recorded with other results than its pairs have".to_owned(),
    });
    let mismatches = mismatches.collect();
    let recorded = store.recorded_indices(run)?;
    let wanted = recorded.ranges().iter().flat_map(Clone::clone);
    let values = |pair: u64| {
        let number = pair / size;
        let at = batches.binary_search_by_key(&number, |batch| batch.number);
        let batch = at.ok().and_then(|at| batches.get(at))?;
        Some([batch.plus.clone(), batch.minus.clone()])
    };
    let todo = wanted.filter(|pair| pair.is_multiple_of(every.get()) && values(*pair).is_some());
    let left_out = ended_by_tables(&plan.terms.adjudication, todo.clone(), store, run)?;
    let todo = todo.filter(|pair| !left_out.contains(pair));
    let expected = todo.clone().count() as u64;
    let factory = plan.factory();
    let runner = plan.runner(&factory);
    let worker = || {
        let mut reused = ReusedPlayers::default();
        let (runner, values) = (&runner, &values);
        move |pair| {
            let values = values(pair);
            runner
                .play(&Unit { pair, values }, &mut reused, cancel)?
                .ok()
        }
    };
    let mut verified = Verified {
        wanted: expected,
        mismatches,
        without_tables: left_out.len() as u64,
        ..Verified::default()
    };
    progress(0, expected);
    work(todo, threads, cancel, worker, |_, row| {
        verified.compare(row, store, run)?;
        progress(verified.pairs, expected);
        Ok::<_, RunError>(())
    })?;
    verified.settle(expected);
    Ok(verified)
}

impl Verified {
    /// Compares a replayed pair with the recorded one.
    fn compare(
        &mut self,
        mut replayed: PairRow,
        store: &Store,
        run: &RunHandle,
    ) -> Result<(), RunError> {
        let index = replayed.record.index;
        if let Some(row) = store.pair(run, index)? {
            replayed.elapsed_us = row.elapsed_us;
            if let Some(what) = difference(&row, &replayed) {
                self.mismatches.push(Mismatch { index, what });
            }
        }
        self.pairs += 1;
        Ok(())
    }

    /// Completes the result with the expected number of pairs.
    fn settle(&mut self, expected: u64) {
        self.cancelled = self.pairs < expected;
        self.mismatches
            .sort_unstable_by_key(|mismatch| mismatch.index);
    }
}

/// The first difference between the recorded and the replayed pair.
fn difference(recorded: &PairRow, replayed: &PairRow) -> Option<String> {
    if recorded == replayed {
        return None;
    }
    for (number, (old, new)) in recorded
        .record
        .games
        .iter()
        .zip(&replayed.record.games)
        .enumerate()
    {
        let game = number + 1;
        let plies = old.plies.iter().zip(&new.plies);
        if let Some(ply) = plies.clone().position(|(old, new)| old.mv != new.mv) {
            return Some(format!("game {game} has another move at ply {}", ply + 1));
        }
        if old.plies.len() != new.plies.len() {
            let (was, is) = (old.plies.len(), new.plies.len());
            return Some(format!("game {game} has {was} plies, replayed {is}"));
        }
        if old.verdict != new.verdict {
            let (was, is) = (old.verdict, new.verdict);
            return Some(format!(
                "game {game} ended {} by {}, replayed {} by {}",
                was.result_text(),
                was.cause,
                is.result_text(),
                is.cause
            ));
        }
        if let Some(ply) = plies.clone().position(|(old, new)| old != new) {
            return Some(format!(
                "game {game} has other search figures at ply {}",
                ply + 1
            ));
        }
    }
    Some("the pair stands elsewhere in the schedule, or its hashes differ".to_owned())
}
