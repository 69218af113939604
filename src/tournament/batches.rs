//! Plays the batches of a tuner into the record.
//!
//! A tuner says what batch `k` is as soon as it knows all results up to a fixed
//! number of batches before it. The pairs of a batch are recorded as they come, like any
//! others; when all of them are there, the batch is, and is told to the tuner in the order
//! of the batches. So what is played depends on nothing but the seed: not on the number of
//! threads, nor on when the run was stopped and carried on.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use super::batch_runner::ReusedPlayers;
use super::conduct::{Agenda, Answer, Conducted, Site, conduct};
use super::failing::{Failing, Reliability};
use super::reach::Part;
use super::remote::{Forgotten, forget_rejected};
use super::remote_plan::{pair_of, wrong_with};
use super::value_failures::{DimensionValue, ValueReliability};
use super::{BatchRunner, Ending, Faults, Gap, RunError};
use crate::game::Cause;
use crate::play::{Cancel, PairRecord, Unit};
use crate::stats::Pentanomial;
use crate::store::{BatchFailure, BatchRow, PairRow, Recorded, RunHandle, Store};
use crate::tune::{Proposal, Tuner};

/// What happens during a tune, for whoever watches.
pub enum TuneEvent<'a> {
    /// The record has been read; play begins.
    Begun(&'a Tuner),
    /// The next pair in the order of the batches has been counted.
    Pair(&'a PairRecord),
    /// All pairs of a batch have been.
    Batch(&'a Tuner),
    /// Pairs were removed from the record; see [`Event`](super::Event::Forgotten).
    Forgotten(&'a Forgotten),
}

/// The batches of a tuner, and what is known of them.
struct Batches<'a> {
    tuner: Tuner,
    runner: &'a BatchRunner<'a>,
    store: &'a Store,
    run: &'a RunHandle,
    /// Recorded batches that the tuner does not know yet.
    ahead: BTreeMap<u64, BatchRow>,
    /// Recorded pairs of batches that are not whole.
    pairs: BTreeMap<u64, PairRow>,
    /// The pairs that were there at first.
    recorded: Recorded,
    /// The next pair to be looked at.
    next: u64,
    /// How often each of the two failed.
    reliability: Reliability,
    /// How often they failed at each value.
    values: ValueReliability,
    /// Set if one of them failed too often to learn from: no more are played.
    failing: Option<FailingPlayer>,
    watch: &'a mut dyn FnMut(TuneEvent<'_>),
}

impl Batches<'_> {
    /// Pairs of each batch, but for the last.
    fn size(&self) -> u64 {
        u64::from(self.tuner.plan().batch.max(1))
    }

    /// Tells the tuner all batches that come next, as far as they are there.
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
            tell(&mut self.tuner, &row)?;
            self.failing = self.failing_after(&row);
            let first = number * self.size();
            for pair in first..first + row.result.pairs() {
                if let Some(row) = self.pairs.remove(&pair) {
                    (self.watch)(TuneEvent::Pair(&row.record));
                }
            }
            (self.watch)(TuneEvent::Batch(&self.tuner));
        }
        Ok(())
    }

    /// Counts the failures of the next batch; returns a player that fails too often, whatever
    /// it plays or at one value.
    fn failing_after(&mut self, row: &BatchRow) -> Option<FailingPlayer> {
        let (size, tolerate) = (self.size(), self.runner.policies.tolerate);
        let always = take_batch(&mut self.reliability, row, size);
        self.values.take(row, size);
        if let Some(failing) = always {
            return Some((failing, None));
        }
        // A value says more than a side.
        if let Some((value, failing)) = self.values.beyond(tolerate) {
            return Some((failing, Some(value)));
        }
        let is_end = self.tuner.is_done();
        let failing = self.reliability.beyond(tolerate, is_end)?;
        Some((failing, None))
    }

    /// A batch of which all pairs are there.
    fn whole(&self, number: u64) -> Option<BatchRow> {
        let proposal = self.tuner.ask(number)?;
        let first = number * self.size();
        let pairs = first..first + u64::from(proposal.pairs);
        let rows: Option<Vec<&PairRow>> = pairs.map(|pair| self.pairs.get(&pair)).collect();
        Some(batch_of(proposal, &rows?))
    }
}

/// The batch of these pairs, in their order.
fn batch_of(proposal: &Proposal, rows: &[&PairRow]) -> BatchRow {
    let mut counts = [0; 5];
    let mut failures = Vec::new();
    let mut elapsed_us: u64 = 0;
    for row in rows {
        counts[row.record.cell()] += 1;
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

/// Tells the tuner its next batch.
fn tell(tuner: &mut Tuner, row: &BatchRow) -> Result<(), RunError> {
    let number = row.number;
    let is = |ours: &[f64], theirs: &[f64]| {
        let bits = |values: &[f64]| values.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        bits(ours) == bits(theirs)
    };
    let same =
        |proposal: &Proposal| is(&proposal.plus, &row.plus) && is(&proposal.minus, &row.minus);
    if !tuner.ask(number).is_some_and(same) {
        return Err(RunError::OtherBatch(number));
    }
    let told = tuner.tell(number, &row.result);
    told.map_err(|_| RunError::OtherBatch(number))
}

impl Agenda for Batches<'_> {
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

    fn take(&mut self, row: PairRow) -> Result<bool, RunError> {
        let pair = row.record.index;
        let spec = self.runner.spec(pair);
        if (row.pairing, row.variants, row.opening) != (spec.pairing, spec.variants, spec.opening) {
            return Err(RunError::OtherPlan(pair));
        }
        if pair / self.size() >= self.tuner.results_seen() {
            self.pairs.insert(pair, row);
            self.settle()?;
        }
        Ok(false)
    }

    fn is_complete(&self) -> bool {
        self.tuner.is_done() || self.failing.is_some()
    }

    fn wrong_with(&self, answer: &Answer) -> Option<&'static str> {
        let spec = self.runner.spec(pair_of(answer));
        let start = self.runner.start(&spec);
        wrong_with(answer, &spec, &*start, self.runner.policies)
    }
}

/// A player of a tune that fails too often to learn from, and the value at which it does; without
/// a value it is the first of each pair (0, the plus side) or the second.
pub type FailingPlayer = (Failing, Option<DimensionValue>);

/// What came of a tuner's batches.
pub struct Played {
    /// Whether all of them were played, and if not, why.
    pub ending: Ending,
    /// The tuner that knows their results.
    pub tuner: Tuner,
    /// Set if no more were played, for a player failed too often to learn from.
    pub failing: Option<FailingPlayer>,
}

/// Plays what is left of a tuner's batches on `threads` threads into `store`.
///
/// A failure that is to stop the run lets the pairs that are being played come to
/// their end and be recorded, and all before the failed one be played: which failure
/// it is that stops the run does not depend on timing.
///
/// # Errors
/// The record cannot be read or written, is that of another plan, or not where it was
/// any more. What was recorded stays.
pub fn play_batches<E: From<RunError>>(
    make_tuner: impl Fn() -> Result<Tuner, E>,
    runner: &BatchRunner<'_>,
    store: &Store,
    run: &RunHandle,
    threads: NonZeroUsize,
    cancel: &Cancel,
    mut watch: impl FnMut(TuneEvent<'_>),
) -> Result<Played, E> {
    loop {
        let tuner = make_tuner()?;
        let played = play_with(tuner, runner, store, run, threads, cancel, &mut watch)?;
        if let Some(played) = played {
            return Ok(played);
        }
    }
}

/// The same by a tuner before its first batch; `None` if workers were rejected meanwhile.
fn play_with(
    tuner: Tuner,
    runner: &BatchRunner<'_>,
    store: &Store,
    run: &RunHandle,
    threads: NonZeroUsize,
    cancel: &Cancel,
    watch: &mut dyn FnMut(TuneEvent<'_>),
) -> Result<Option<Played>, RunError> {
    let size = u64::from(tuner.plan().batch.max(1));
    let options = runner.execution_options;
    forget_rejected(options, store, run, Some(size), |forgotten| {
        watch(TuneEvent::Forgotten(forgotten));
    })?;
    let rows = store.batches(run)?;
    let recorded = store.recorded_indices(run)?;
    let mut batches = Batches {
        tuner,
        runner,
        store,
        run,
        ahead: rows.into_iter().map(|row| (row.number, row)).collect(),
        pairs: BTreeMap::new(),
        recorded,
        next: 0,
        reliability: Reliability::default(),
        values: ValueReliability::default(),
        failing: None,
        watch: &mut |_| {},
    };
    let failures = batches.ahead.values().flat_map(|row| &row.failures);
    let pauses = failures.filter(|failure| failure.fault.cause == Cause::Pause);
    runner.terms.spare.use_up(pauses.count() as u64);
    batches.settle()?;
    let first = batches.tuner.results_seen() * size;
    for row in store.pairs_from(run, first) {
        let row = row?;
        if !batches.ahead.contains_key(&(row.record.index / size)) {
            runner.terms.spare.use_up(row.record.pauses());
            batches.take(row)?;
        }
    }
    watch(TuneEvent::Begun(&batches.tuner));
    batches.watch = watch;
    let site = Site {
        store,
        run,
        threads,
        cancel,
        execution_options: runner.execution_options,
        openings: runner.openings,
    };
    let conducted = conduct(&mut batches, &site, || {
        let mut reused = ReusedPlayers::default();
        move |unit: &Unit| runner.play(unit, &mut reused, cancel)
    })?;
    let Conducted::Ended(stop) = conducted else {
        return Ok(None);
    };
    let ending = match stop {
        _ if batches.is_complete() => Ending::Complete,
        Some(stop) => Ending::Stopped(stop),
        None => Ending::Cancelled,
    };
    let Batches { tuner, failing, .. } = batches;
    Ok(Some(Played {
        ending,
        tuner,
        failing,
    }))
}

/// Takes the pairs of a batch of a tune whose batches have that size; returns a player that has
/// always failed up to one of them.
fn take_batch(reliability: &mut Reliability, row: &BatchRow, size: u64) -> Option<Failing> {
    let first = row.number * size;
    let counting = || row.failures.iter().filter(|failure| failure.counts);
    let mut always = None;
    for pair in first..first + row.result.pairs() {
        let own = counting().filter(|failure| failure.pair == pair);
        reliability.take([0, 1], pair, own.map(|failure| failure.fault));
        always = always.or_else(|| reliability.always_failing());
    }
    always
}

/// How often the two players of a tune, whose batches have that size, failed in these.
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
    for row in rows
        .iter()
        .take_while(|row| gap.is_none_or(|gap| row.number < gap.missing))
    {
        tell(&mut tuner, row)?;
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
