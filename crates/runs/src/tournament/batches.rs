//! Plays the batches of a tuner into the record.
//!
//! A tuner proposes batch `k` once it has all results up to a fixed number of batches before it.
//! The pairs of a batch are recorded as they finish, like any others; a complete batch is passed to
//! the tuner in the order of the batches. So the games depend only on the seed: not on the number
//! of threads, and not on interruptions.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use super::batch_runner::ReusedPlayers;
use super::counted_pairs::Part;
use super::dispatch::{DispatchOutcome, RunContext, WorkSource, dispatch};
use super::driver::{add_speeds, begin};
use super::reliability::{Failing, Reliability};
use super::remote::remove_rejected;
use super::value_reliability::{DimensionValue, ValueReliability};
use super::{BatchRunner, Ending, Faults, Gap, Progress, Replay, RunError};
use crate::store::{BatchFailure, BatchRow, PairNumbers, PairRow, RunHandle, Store};
use leitai_game::Cause;
use leitai_players::play::{Cancel, Unit};
use leitai_stats::Pentanomial;
use leitai_stats::tune::{Proposal, Tuner};

/// The state of a tuner's batches.
struct Batches<'a> {
    tuner: Tuner,
    runner: &'a BatchRunner<'a>,
    store: &'a Store,
    run: &'a RunHandle,
    /// Recorded batches that the tuner has not received yet.
    ahead: BTreeMap<u64, BatchRow>,
    /// Recorded pairs of incomplete batches.
    pairs: BTreeMap<u64, PairRow>,
    /// The pairs that were recorded at the start.
    recorded: PairNumbers,
    /// The next pair to examine.
    next: u64,
    /// Failures of each of the two players.
    reliability: Reliability,
    /// Failures at each value.
    values: ValueReliability,
    /// A player that failed too often to learn from, which ends play.
    failing: Option<FailingPlayer>,
    /// The receiver of progress; `None` while the record is read.
    progress: Option<&'a mut dyn Progress<Tuner>>,
}

impl Batches<'_> {
    /// Pairs of each batch, except the last.
    fn size(&self) -> u64 {
        u64::from(self.tuner.plan().batch.max(1))
    }

    /// Passes the next recorded batches to the tuner.
    fn settle(&mut self) -> Result<(), RunError> {
        while self.failing.is_none() {
            let number = self.tuner.results_seen();
            let known = self.ahead.remove(&number);
            let is_new = known.is_none();
            let Some(row) = known.or_else(|| self.whole(number)) else {
                return Ok(());
            };
            if is_new {
                self.store.append_batch(self.run, &row)?;
            }
            learn(&mut self.tuner, &row)?;
            self.failing = self.failing_after(&row);
            let first = number * self.size();
            for pair in first..first + row.result.pairs() {
                if let (Some(row), Some(progress)) = (self.pairs.remove(&pair), &mut self.progress)
                {
                    progress.counted(&self.tuner, &row.record);
                }
            }
            if let Some(progress) = &mut self.progress {
                progress.learned(&self.tuner);
            }
        }
        Ok(())
    }

    /// Counts the failures of the next batch; returns a player that fails too often, either in all
    /// its games or at one value.
    fn failing_after(&mut self, row: &BatchRow) -> Option<FailingPlayer> {
        let (size, tolerate) = (self.size(), self.runner.plan.config.failures.tolerate);
        let always = take_batch(&mut self.reliability, row, size);
        self.values.take(row, size);
        if let Some(failing) = always {
            return Some((failing, None));
        }
        // A value is more specific than a side.
        if let Some((value, failing)) = self.values.beyond(tolerate) {
            return Some((failing, Some(value)));
        }
        let is_end = self.tuner.is_done();
        let failing = self.reliability.beyond(tolerate, is_end)?;
        Some((failing, None))
    }

    /// Returns the batch if all its pairs are recorded.
    fn whole(&self, number: u64) -> Option<BatchRow> {
        let proposal = self.tuner.ask(number)?;
        let first = number * self.size();
        let pairs = first..first + u64::from(proposal.pairs);
        let rows: Option<Vec<&PairRow>> = pairs.map(|pair| self.pairs.get(&pair)).collect();
        Some(batch_of(proposal, &rows?))
    }
}

/// Builds the batch from its pairs, in their order.
fn batch_of(proposal: &Proposal, rows: &[&PairRow]) -> BatchRow {
    let mut counts = [0; 5];
    let mut failures = Vec::new();
    let mut elapsed_us: u64 = 0;
    for row in rows {
        counts[row.record.cell(0)] += 1;
        failures.extend(BatchFailure::of(&row.record));
        elapsed_us = elapsed_us.saturating_add(row.elapsed_us);
    }
    BatchRow {
        number: proposal.number,
        plus: proposal.plus.clone(),
        minus: proposal.minus.clone(),
        result: Pentanomial(counts),
        failures,
        elapsed_us,
    }
}

/// Passes the next batch to the tuner.
fn learn(tuner: &mut Tuner, row: &BatchRow) -> Result<(), RunError> {
    let number = row.number;
    let are_same = |one: &[f64], other: &[f64]| {
        let bits = |value: &f64| value.to_bits();
        one.iter().map(bits).eq(other.iter().map(bits))
    };
    let is_same = |proposal: &Proposal| {
        are_same(&proposal.plus, &row.plus) && are_same(&proposal.minus, &row.minus)
    };
    if !tuner.ask(number).is_some_and(is_same) {
        return Err(RunError::OtherBatch(number));
    }
    let learned = tuner.tell(number, &row.result);
    learned.map_err(|_| RunError::OtherBatch(number))
}

impl WorkSource for Batches<'_> {
    fn next(&mut self) -> Option<Unit> {
        loop {
            let (pair, size) = (self.next, self.size());
            let number = pair / size;
            if number < self.tuner.results_seen() || self.ahead.contains_key(&number) {
                self.next = (number + 1) * size;
                continue;
            }
            let proposal = self.tuner.ask(number)?;
            if pair % size >= u64::from(proposal.pairs) {
                self.next = (number + 1) * size;
                continue;
            }
            self.next += 1;
            if !self.recorded.contains(pair) {
                let values = Some([proposal.plus.clone(), proposal.minus.clone()]);
                return Some(Unit { pair, values });
            }
        }
    }

    fn wants(&self, _: u64) -> bool {
        true
    }

    fn replay(&self, _: &PairRow) -> Result<Replay, RunError> {
        Ok(Replay::default())
    }

    fn take(&mut self, row: PairRow, _: Replay) -> Result<bool, RunError> {
        let pair = self.runner.plan.spec_of(&row)?.index;
        if pair / self.size() >= self.tuner.results_seen() {
            self.pairs.insert(pair, row);
            self.settle()?;
        }
        Ok(false)
    }

    fn is_complete(&self) -> bool {
        self.tuner.is_done() || self.failing.is_some()
    }
}

/// A player of a tune that fails too often to learn from, and the value at which it fails; without
/// a value, the first player of each pair (0, the plus side) or the second.
pub type FailingPlayer = (Failing, Option<DimensionValue>);

/// The result of a tuner's batches.
pub struct PlayedBatches {
    /// The way in which play ended.
    pub ending: Ending,
    /// The tuner with all results.
    pub tuner: Tuner,
    /// The batches from which it has learned.
    pub batches: Vec<BatchRow>,
    /// A player that failed too often to learn from, if that ended play.
    pub failing: Option<FailingPlayer>,
}

/// Plays the remaining batches of a tuner on `threads` threads into `store`.
///
/// After a failure that stops the run, pairs in progress and all pairs before the failed one are
/// still played and recorded, so that timing does not determine which failure stops the run.
///
/// # Errors
/// The record cannot be read or written, belongs to another plan, or is no longer at its path.
/// Recorded pairs remain.
pub fn play_batches(
    runner: &BatchRunner<'_>,
    store: &Store,
    threads: NonZeroUsize,
    cancel: &Cancel,
    progress: &mut dyn Progress<Tuner>,
) -> Result<PlayedBatches, RunError> {
    let plan = runner.plan.plan;
    let run = &begin(plan, store)?;
    add_speeds(&plan.speeds, store, run)?;
    let context = RunContext {
        plan,
        store,
        run,
        threads,
        cancel,
    };
    loop {
        let mut batches = Batches::recorded(runner, &context, progress)?;
        let outcome = dispatch(&mut batches, &context, || {
            let mut reused = ReusedPlayers::default();
            move |unit: &Unit| runner.play(unit, &mut reused, cancel)
        })?;
        let DispatchOutcome::Ended(stop) = outcome else {
            continue;
        };
        let ending = match stop {
            _ if batches.is_complete() => Ending::Complete,
            Some(stop) => Ending::Stopped(stop),
            None => Ending::Cancelled,
        };
        // The order of the record does not depend on when the tuner was inspected.
        let mut learned = store.batches(run)?;
        learned.truncate(batches.tuner.results_seen() as usize);
        return Ok(PlayedBatches {
            ending,
            tuner: batches.tuner,
            batches: learned,
            failing: batches.failing,
        });
    }
}

impl<'a> Batches<'a> {
    /// The state after all recorded batches and pairs, without those of rejected workers.
    fn recorded(
        runner: &'a BatchRunner<'a>,
        context: &RunContext<'a>,
        progress: &'a mut dyn Progress<Tuner>,
    ) -> Result<Self, RunError> {
        let RunContext { store, run, .. } = *context;
        let tuner = runner.plan.tuner()?;
        let size = u64::from(tuner.plan().batch.max(1));
        remove_rejected(context, Some(size), progress)?;
        let [_, recorded] = store.count_batches(run)?;
        let rows = store.batches(run)?;
        let mut batches = Batches {
            tuner,
            runner,
            store,
            run,
            ahead: rows.into_iter().map(|row| (row.number, row)).collect(),
            pairs: BTreeMap::new(),
            recorded: store.recorded_indices(run)?,
            next: 0,
            reliability: Reliability::default(),
            values: ValueReliability::default(),
            failing: None,
            progress: None,
        };
        let failures = batches.ahead.values().flat_map(|row| &row.failures);
        let pauses = failures.filter(|failure| failure.fault.cause == Cause::Pause);
        let spare = &runner.plan.terms.spare;
        spare.use_up(pauses.count() as u64);
        batches.settle()?;
        let first = batches.tuner.results_seen() * size;
        for row in store.pairs_from(run, first) {
            let row = row?;
            if !batches.ahead.contains_key(&(row.record.index / size)) {
                spare.use_up(row.record.pauses());
                batches.take(row, Replay::default())?;
            }
        }
        let total = runner.plan.schedule.len();
        progress.begun(&batches.tuner, recorded, total);
        batches.progress = Some(progress);
        Ok(batches)
    }
}

/// Counts the pairs of a batch of a tune with this batch size; returns a player that has failed in
/// all games up to one of them.
fn take_batch(reliability: &mut Reliability, row: &BatchRow, size: u64) -> Option<Failing> {
    let first = row.number * size;
    let counting = || row.failures.iter().filter(|failure| failure.counts);
    let mut always = None;
    for pair in first..first + row.result.pairs() {
        let own = counting().filter(|failure| failure.pair == pair);
        reliability.take([0, 1], (pair, 2), own.map(|failure| failure.fault));
        always = always.or_else(|| reliability.always_failing());
    }
    always
}

/// The failures of the two players of a tune with this batch size in these batches.
pub fn batch_reliability<'a>(
    rows: impl IntoIterator<Item = &'a BatchRow>,
    size: u64,
) -> Reliability {
    let mut reliability = Reliability::default();
    for row in rows {
        take_batch(&mut reliability, row, size);
    }
    reliability
}

/// The failures of players in batches of a tune of that variant, in order.
pub fn batch_faults<'a>(rows: impl IntoIterator<Item = &'a BatchRow>, variant: usize) -> Faults {
    let mut faults = Faults::default();
    for row in rows {
        faults.take_batch(&row.failures, variant);
    }
    faults
}

/// The gap in recorded batches, given in the order of their numbers. The tuner learns from no batch
/// beyond it.
pub fn batch_gap(rows: &[BatchRow]) -> Option<Gap> {
    let numbers: Vec<u64> = rows.iter().map(|row| row.number).collect();
    Gap::among(Part::Batch, &numbers)
}

/// The result of checking a recorded tune without replaying its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedBatches {
    /// Recorded batches; all have correct digests.
    pub batches: u64,
    /// The first batches without a gap: each follows from those before it by the plan.
    pub followed: u64,
    /// The pairs of all batches.
    pub pairs: u64,
    /// The gap, if batches are missing.
    pub gap: Option<Gap>,
}

/// Reads all batches, and lets the tuner propose each again from the results before it.
///
/// # Errors
/// The record cannot be read, a batch is damaged, or the plan proposes another batch
/// ([`RunError::OtherBatch`]).
pub fn check_batches(
    mut tuner: Tuner,
    store: &Store,
    run: &RunHandle,
) -> Result<CheckedBatches, RunError> {
    let rows = store.batches(run)?;
    let batches = rows.len() as u64;
    let pairs = rows.iter().map(|row| row.result.pairs()).sum();
    let gap = batch_gap(&rows);
    let is_before = |row: &&BatchRow| gap.is_none_or(|gap| row.number < gap.missing);
    for row in rows.iter().take_while(is_before) {
        learn(&mut tuner, row)?;
    }
    Ok(CheckedBatches {
        batches,
        followed: tuner.results_seen(),
        pairs,
        gap,
    })
}

#[cfg(test)]
mod tests;
