//! Plays the batches of a tuner into the record.
//!
//! A tuner says what batch `k` is as soon as it knows all results up to a fixed
//! number of batches before it; until then whoever wants to play it waits. Results
//! are recorded as they come and told to the tuner in the order of the batches, so
//! that what is played depends on nothing but the seed: not on the number of
//! threads, nor on when the run was stopped and carried on.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use super::batch_runner::ReusedPlayers;
use super::proposal_queue::ProposalQueue;
use super::reach::Part;
use super::{BatchRunner, Ending, Faults, Gap, RunError, Stop};
use crate::game::Cause;
use crate::play::work;
use crate::store::{Appended, BatchRow, RunHandle, Store};
use crate::tune::{Proposal, Tuner};

/// Batches that are known and not told yet, in order.
struct Ahead(BTreeMap<u64, BatchRow>);

impl Ahead {
    fn new(rows: Vec<BatchRow>) -> Self {
        Self(rows.into_iter().map(|row| (row.number, row)).collect())
    }

    /// Tells the tuner what comes next, as far as it is there.
    fn tell(&mut self, tuner: &mut Tuner) -> Result<(), RunError> {
        while let Some(row) = self.0.remove(&tuner.results_seen()) {
            let number = row.number;
            let same = |proposal: &Proposal| {
                let is = |ours: &[f64], theirs: &[f64]| {
                    ours.iter()
                        .map(|v| v.to_bits())
                        .eq(theirs.iter().map(|v| v.to_bits()))
                };
                is(&proposal.plus, &row.plus) && is(&proposal.minus, &row.minus)
            };
            if !tuner.ask(number).is_some_and(same) {
                return Err(RunError::OtherBatch(number));
            }
            let told = tuner.tell(number, &row.result);
            told.map_err(|_| RunError::OtherBatch(number))?;
        }
        Ok(())
    }
}

/// Plays what is left of a tuner's batches on `threads` threads into `store`, and
/// gives the tuner that knows all of them. `watch` sees it after every batch.
///
/// A failure that is to stop the run lets the batches that are being played come to
/// their end and be recorded, and all before the failed one be played: which failure
/// it is that stops the run does not depend on timing.
///
/// # Errors
/// The record cannot be read or written, is that of another plan, or not where it was
/// any more. What was recorded stays.
pub fn play_batches(
    mut tuner: Tuner,
    runner: &BatchRunner<'_>,
    store: &Store,
    run: &RunHandle,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    mut watch: impl FnMut(&Tuner),
) -> Result<(Ending, Tuner), RunError> {
    let rows = store.batches(run)?;
    let failures = rows.iter().flat_map(|row| &row.failures);
    let pauses = failures.filter(|failure| failure.fault.cause == Cause::Pause);
    runner.terms.spare.use_up(pauses.count() as u64);
    let mut ahead = Ahead::new(rows);
    ahead.tell(&mut tuner)?;
    watch(&tuner);
    let plan = *tuner.plan();
    let batch = u64::from(plan.batch.max(1));
    let recorded: Vec<u64> = ahead.0.keys().copied().collect();
    let numbers = tuner.results_seen()..plan.pairs.div_ceil(batch);
    let owned = ProposalQueue::new(tuner, cancel);
    let queue = &owned;
    let todo = numbers
        .take_while(|&number| queue.admits(number))
        .filter(|number| recorded.binary_search(number).is_err());
    let mut stop: Option<Stop> = None;
    let worker = || {
        if let Some(cores) = &runner.execution_options.cores {
            // Whether it is allowed has been asked before: it is no reason to stop.
            let _ = cores.take();
        }
        let mut reused: ReusedPlayers = [None, None];
        move |number| {
            let _guard = queue.guard();
            let proposal = queue.wait_for(number)?;
            let played = runner.play(&proposal, number * batch, &mut reused, cancel)?;
            if played.is_err() {
                queue.close_from(number);
            }
            Some(played)
        }
    };
    let mut take = |played| {
        let mut row: BatchRow = match played {
            Ok(row) => row,
            Err(fault) => {
                let fault: Stop = fault;
                let first = stop.is_none_or(|known| fault.pair < known.pair);
                stop = if first { Some(fault) } else { stop };
                return Ok(());
            }
        };
        if store.append_batch(run, &row)? == Appended::AlreadyThere
            && let Some(recorded) = store.batch(run, row.number)?
        {
            // Another process was faster. What is recorded counts.
            row = recorded;
        }
        ahead.0.insert(row.number, row);
        let mut tuner = queue.tuner();
        ahead.tell(&mut tuner)?;
        watch(&tuner);
        drop(tuner);
        queue.tell_all();
        Ok::<(), RunError>(())
    };
    let finished = |_, played| {
        let _guard = queue.guard();
        let taken = take(played);
        if taken.is_err() {
            // Nobody is to wait for what will not come.
            queue.close_from(0);
        }
        taken
    };
    store.watched(cancel, || work(todo, threads, cancel, worker, finished))??;
    let tuner = owned.into_tuner();
    let ending = match stop {
        _ if tuner.is_done() => Ending::Complete,
        Some(stop) => Ending::Stopped(stop),
        None => Ending::Cancelled,
    };
    Ok((ending, tuner))
}

/// How players failed in batches of a tune of that variant, in their order.
pub fn batch_faults<'a>(rows: impl IntoIterator<Item = &'a BatchRow>, variant: usize) -> Faults {
    let mut faults = Faults::default();
    for row in rows {
        faults.take_batch(&row.failures, variant);
    }
    faults
}

/// The gap in recorded batches, which are in the order of their numbers: none beyond it
/// is learnt from.
pub fn batch_gap(rows: &[BatchRow]) -> Option<Gap> {
    let numbers: Vec<u64> = rows.iter().map(|row| row.number).collect();
    Gap::among(Part::Batch, &numbers)
}

/// What is recorded of a tune, as far as it can be checked without its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedBatches {
    /// Batches that are recorded; all are as they were written.
    pub batches: u64,
    /// The first batches, without a gap: they follow from each other by the plan.
    pub followed: u64,
    /// The pairs of all.
    pub pairs: u64,
    /// What is missing.
    pub gap: Option<Gap>,
}

/// Reads all batches, and has the tuner propose them again, each from the results of
/// those before.
///
/// # Errors
/// The record cannot be read; a batch is not as it was written; or it is not what
/// the plan asks for ([`RunError::OtherBatch`]).
pub fn check_batches(
    mut tuner: Tuner,
    store: &Store,
    run: &RunHandle,
) -> Result<CheckedBatches, RunError> {
    let rows = store.batches(run)?;
    let batches = rows.len() as u64;
    let pairs = rows.iter().map(|row| row.result.pairs()).sum();
    let gap = batch_gap(&rows);
    Ahead::new(rows).tell(&mut tuner)?;
    Ok(CheckedBatches {
        batches,
        followed: tuner.results_seen(),
        pairs,
        gap,
    })
}

#[cfg(test)]
mod tests;
