//! Replays recorded pairs and proves that they come out the same.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::Plan;
use super::aside::play_pairs;
use super::driver::RunError;
use crate::store::{PairRow, RunHandle, Store};

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
    /// Pairs replayed.
    pub pairs: u64,
    /// Those that differ, in schedule order.
    pub mismatches: Vec<Mismatch>,
    /// Whether it was cancelled before all were replayed.
    pub cancelled: bool,
}

/// Replays the recorded pairs of `run` whose number is a multiple of `every` on
/// `threads` threads.
///
/// # Errors
/// The record cannot be read.
pub fn verify(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
    every: NonZeroU64,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
) -> Result<Verified, RunError> {
    let recorded = store.recorded_indices(run)?;
    let wanted = recorded.ranges().iter().flat_map(Clone::clone);
    let todo = wanted.filter(|&index| index.is_multiple_of(every.get()));
    let expected = todo.clone().count() as u64;
    let mut verified = Verified::default();
    // Nobody fails where play is reproducible.
    play_pairs(plan, todo, threads, cancel, |mut replayed| {
        let index = replayed.record.index;
        if let Some(row) = store.pair(run, index)? {
            replayed.elapsed_us = row.elapsed_us;
            if let Some(what) = difference(&row, &replayed) {
                verified.mismatches.push(Mismatch { index, what });
            }
        }
        verified.pairs += 1;
        Ok::<(), RunError>(())
    })?;
    verified.cancelled = verified.pairs < expected;
    verified
        .mismatches
        .sort_unstable_by_key(|mismatch| mismatch.index);
    Ok(verified)
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
