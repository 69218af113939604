//! Dispatches the units of a run to workers and records the results; other processes may share the
//! record.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::driver::{RunError, StoppingFailure};
use super::messages::fingerprint;
use super::remote::RunDescription;
use super::{Plan, Replay};
use crate::store::{
    Appended, FinishedAt, Holder, Lease, PairRow, PlayedBy, RunHandle, Store, WorkerName,
};
use leitai_game::Cause;
use leitai_players::play::{
    Cancel, Completed, Dispute, LocalWorkers, PairOutcome, Unit, Window, WorkerPool,
};
use leitai_players::schedule::{BookError, PairSpec};

/// Interval for polling the pairs of other processes.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The wait at the end for other workers' checks of pairs, before this process plays the pairs
/// itself.
const LAST_CHECKS: Duration = Duration::from_millis(1_500);
/// The time limit for playing those pairs in this process.
const LAST_REPLAYS: Duration = Duration::from_mins(1);
/// Time in which completed pairs of local workers share a commit, while enough other units are
/// offered.
const COMMIT_INTERVAL: Duration = Duration::from_millis(10);
/// Interval for renewing leases: several times in the term of a lease.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(10);
/// The result of a unit: its pair, or the failure that stops the run.
pub type PairReply = Result<PairRow, StoppingFailure>;

/// Supplies the units of a run and takes in their pairs.
pub(super) trait WorkSource {
    /// The next unit to play: wanted, not recorded, and not returned before. `None` if no further
    /// one is known at the moment.
    fn next(&mut self) -> Option<Unit>;

    /// Returns whether the pair is still needed.
    fn wants(&self, pair: u64) -> bool;

    /// Replays the games of a pair.
    fn replay(&self, row: &PairRow) -> Result<Replay, RunError>;

    /// Takes in a recorded pair and its replay; returns whether fewer pairs are wanted than before.
    fn take(&mut self, row: PairRow, replay: Replay) -> Result<bool, RunError>;

    /// Returns whether no further pair is wanted.
    fn is_complete(&self) -> bool;
}

/// The record of the units, and the means of playing them.
pub(super) struct RunContext<'a> {
    pub(super) plan: &'a Plan,
    pub(super) store: &'a Store,
    pub(super) run: &'a RunHandle,
    /// Number of units played at once.
    pub(super) threads: NonZeroUsize,
    pub(super) cancel: &'a Cancel,
}

/// The end of [`dispatch`].
pub(super) enum DispatchOutcome {
    /// All units are done, the run was cancelled, or that failure stopped it.
    Ended(Option<StoppingFailure>),
    /// Workers were rejected: their pairs must be removed and played again.
    Rejected,
}

/// The error for a pair whose engine the machine could not start.
fn no_resources(plan: &Plan, stop: &StoppingFailure) -> RunError {
    let evidence = stop.evidence.0.first();
    RunError::NoResources {
        variant: plan.variant_of(stop.fault.variant).name.clone(),
        pair: stop.pair,
        reason: evidence
            .and_then(|it| it.symptoms.reason.clone())
            .unwrap_or_default(),
    }
}

/// The answer for a pair that began at `started`.
pub(super) fn reply_of(played: PairOutcome, spec: &PairSpec, started: Instant) -> PairReply {
    match played {
        PairOutcome::Finished(record) => Ok(PairRow {
            record,
            pairing: spec.pairing,
            variants: spec.variants,
            opening: spec.opening,
            elapsed_us: started.elapsed().as_micros() as u64,
            finished: FinishedAt::default(),
            worker: crate::store::PlayedBy::default(),
        }),
        PairOutcome::Stopped(fault, late, evidence) => Err(StoppingFailure {
            pair: spec.index,
            opening: spec.opening,
            fault,
            late,
            evidence,
        }),
    }
}

/// Dispatches units until no more are wanted, or the run was cancelled. Returns the first failure,
/// among wanted pairs, that stops the run.
///
/// After a failure that stops the run, units in progress are still completed and recorded. As units
/// begin in order, all pairs before the failed one are then recorded: timing does not determine
/// which failure stops the run. A failure in a unit that is no longer wanted at the end is ignored.
pub(super) fn dispatch<W>(
    source: &mut dyn WorkSource,
    context: &RunContext<'_>,
    make_worker: impl Fn() -> W + Sync,
) -> Result<DispatchOutcome, RunError>
where
    W: FnMut(&Unit) -> Option<PairReply>,
{
    let holder = Holder::default();
    let begin = || {
        if let Some(cores) = &context.plan.execution_options.cores {
            // The permission was checked before; a failure here is no reason to stop.
            let _ = cores.take();
        }
        make_worker()
    };
    let mut worker = None;
    let mut replay = |unit: &Unit| worker.get_or_insert_with(&make_worker)(unit);
    let mut lead = |pool: &dyn WorkerPool<PairReply>| {
        let mut dispatcher = Dispatcher {
            source,
            context,
            holder: &holder,
            pool,
            offered: BTreeMap::new(),
            leased_elsewhere: BTreeMap::new(),
            withdrawn: BTreeMap::new(),
            stops: Vec::new(),
            bad: None,
            completed: 0,
            time_spent: Duration::ZERO,
            polled: Instant::now(),
            renewed: Instant::now(),
            committed: None,
            done_since: None,
        };
        dispatcher.run(&mut replay)
    };
    let outcome = context.store.guarded(context.cancel, || {
        match &context.plan.execution_options.remote {
            None => LocalWorkers::work(begin, lead),
            Some(remote) => {
                let run = RunDescription::of(context)?;
                let mut led = None;
                remote.direct(&run, &mut |pool| led = Some(lead(pool)))?;
                led.unwrap_or(Ok(DispatchOutcome::Ended(None)))
            }
        }
    });
    // Other processes may play the unfinished units. If the leases cannot be returned they end with
    // this process.
    let _ = context.store.return_leases(context.run, &holder);
    outcome?
}

/// Plays a unit within this process.
type Replayer<'a> = &'a mut dyn FnMut(&Unit) -> Option<PairReply>;

struct Dispatcher<'a> {
    source: &'a mut dyn WorkSource,
    context: &'a RunContext<'a>,
    holder: &'a Holder,
    pool: &'a dyn WorkerPool<PairReply>,
    /// Units leased by this process, offered and not completed.
    offered: BTreeMap<u64, Unit>,
    /// Units leased by other processes.
    leased_elsewhere: BTreeMap<u64, Unit>,
    /// Withdrawn units, which are offered again first.
    withdrawn: BTreeMap<u64, Unit>,
    stops: Vec<StoppingFailure>,
    /// The first pair with a bad opening, which ends the run like a failure that stops it.
    bad: Option<(u64, BookError)>,
    /// The number of completed units, and their total time.
    completed: u32,
    time_spent: Duration,
    polled: Instant,
    renewed: Instant,
    /// The time of the last commit.
    committed: Option<Instant>,
    /// The time at which the last unit was done.
    done_since: Option<Instant>,
}

impl Dispatcher<'_> {
    fn run(&mut self, replay: Replayer<'_>) -> Result<DispatchOutcome, RunError> {
        loop {
            self.stops.retain(|stop| self.source.wants(stop.pair));
            self.bad.take_if(|(pair, _)| !self.source.wants(*pair));
            let stop = self.first_stop();
            let is_paused = !self.is_ending() && self.context.cancel.is_paused();
            if self.is_ending() || is_paused {
                self.withdraw(|_, _| false);
            } else {
                if stop < u64::MAX {
                    // Earlier pairs are still played: one of them may stop the run first.
                    self.withdraw(|source, pair| pair < stop && source.wants(pair));
                }
                self.offer()?;
            }
            let is_over = self.is_ending() || !(is_paused || self.waits_before(stop));
            if self.offered.is_empty() && is_over {
                let over = *self.done_since.get_or_insert_with(Instant::now);
                let is_cancelled = self.context.cancel.is_draining();
                let most = LAST_CHECKS + LAST_REPLAYS;
                if is_cancelled || !self.pool.is_checking() || over.elapsed() >= most {
                    break;
                }
                if over.elapsed() >= LAST_CHECKS {
                    self.pool.end_checks();
                }
            }
            if self.pool.is_broken() {
                // Leaving the workers reports the cause.
                break;
            }
            if let Some(worker) = self.record_completed(replay)? {
                self.pool.reject(&worker);
                return Ok(DispatchOutcome::Rejected);
            }
            if let Some(dispute) = self.pool.dispute()
                && self.resolve(&dispute, replay)
            {
                return Ok(DispatchOutcome::Rejected);
            }
            self.poll()?;
        }
        self.stops.retain(|stop| self.source.wants(stop.pair));
        let is_cancelled = self.context.cancel.load(Ordering::Relaxed);
        let first = self.stops.drain(..).min_by_key(|stop| stop.pair);
        let first = first.filter(|first| !is_cancelled && !self.waits_before(first.pair));
        let bad = self.bad.take_if(|(pair, _)| {
            !is_cancelled
                && self.source.wants(*pair)
                && first.as_ref().is_none_or(|first| *pair < first.pair)
        });
        if let Some((_, error)) = bad {
            return Err(RunError::Opening(error));
        }
        match first {
            Some(stop) if stop.fault.cause == Cause::NoResources => {
                Err(no_resources(self.context.plan, &stop))
            }
            first => Ok(DispatchOutcome::Ended(first)),
        }
    }

    /// The remote worker whose result for a unit is impossible. A failure that stops the run is
    /// replayed here, if the run is reproducible, and must occur here too.
    fn wrong_worker(
        &self,
        completed: &Completed<PairReply>,
        replay: Replayer<'_>,
    ) -> Option<String> {
        let worker = completed.worker.as_ref()?;
        let answer = completed.answer.as_ref()?;
        let is_wrong = || self.context.plan.refusal(answer).is_some();
        let mut is_other = || {
            let is_doubtful = answer.is_err() && self.context.run.reproducible;
            let truth = is_doubtful.then(|| replay(&completed.unit)).flatten();
            truth.is_some_and(|truth| fingerprint(&truth) != fingerprint(answer))
        };
        (is_wrong() || is_other()).then(|| worker.clone())
    }

    /// Plays a unit with contradictory answers in this process, and rejects the workers that gave
    /// another answer; returns whether there were any.
    fn resolve(&self, dispute: &Dispute, replay: Replayer<'_>) -> bool {
        let Some(truth) = replay(&dispute.unit) else {
            return false;
        };
        let mut rejected = false;
        let truth = fingerprint(&truth);
        for (worker, answer) in &dispute.answers {
            if *answer != truth {
                self.pool.reject(worker);
                rejected = true;
            }
        }
        rejected
    }

    /// Returns whether the result of a wanted pair before this one is still open.
    fn waits_before(&self, pair: u64) -> bool {
        let leased = self.leased_elsewhere.range(..pair);
        let mut waiting = leased.chain(self.withdrawn.range(..pair));
        waiting.any(|(&pair, _)| self.source.wants(pair))
    }

    /// Returns whether no further unit may begin.
    fn is_ending(&self) -> bool {
        self.context.cancel.is_draining() || self.source.is_complete()
    }

    /// The first pair at which a failure stops the run; this pair and later ones are not begun.
    fn first_stop(&self) -> u64 {
        let bad = self.bad.iter().map(|(pair, _)| *pair);
        let pairs = self.stops.iter().map(|stop| stop.pair).chain(bad);
        pairs.min().unwrap_or(u64::MAX)
    }

    /// The number of units that the workers need.
    fn window(&self) -> Window {
        let threads = self.context.cancel.threads(self.context.threads);
        let mean = self.time_spent.checked_div(self.completed);
        self.pool.window(threads, mean)
    }

    /// Offers as many units as the workers will need soon.
    fn offer(&mut self) -> Result<(), RunError> {
        let threads = self.context.cancel.threads(self.context.threads);
        let Window { seats, ahead } = self.window();
        let most = seats + ahead;
        // Leases several short units at once: each request takes some ten microseconds.
        if self.offered.len() > seats + ahead / 2 || self.offered.len() >= most {
            return Ok(());
        }
        // Other processes may hold leases of the requested units.
        while self.offered.len() < most && !self.source.is_complete() {
            let mut units = Vec::new();
            while self.offered.len() + units.len() < most
                && let Some(unit) = self.next()
            {
                if let Err(error) = self.context.plan.check_opening(unit.pair) {
                    self.bad = Some((unit.pair, error));
                    self.withdrawn.insert(unit.pair, unit);
                    break;
                }
                units.push(unit);
            }
            if units.is_empty() {
                break;
            }
            self.lease(units)?;
        }
        if !self.offered.is_empty() {
            self.pool.set_threads(threads);
        }
        Ok(())
    }

    /// The next wanted unit before a failure that stops the run.
    fn next(&mut self) -> Option<Unit> {
        let stop = self.first_stop();
        loop {
            let withdrawn = self.withdrawn.pop_first().map(|(_, unit)| unit);
            let unit = withdrawn.or_else(|| self.source.next())?;
            let pair = unit.pair;
            if pair >= stop {
                self.withdrawn.insert(pair, unit);
                return None;
            }
            if self.source.wants(pair) {
                return Some(unit);
            }
        }
    }

    /// Leases units, and offers those that no other process plays or has played.
    fn lease(&mut self, units: Vec<Unit>) -> Result<(), RunError> {
        if units.is_empty() {
            return Ok(());
        }
        let RunContext { store, run, .. } = self.context;
        let pairs = units.iter().map(|unit| unit.pair);
        let below = pairs.clone().chain(self.offered.keys().copied()).min();
        let leases = store.lease(run, self.holder, below.unwrap_or_default(), pairs)?;
        for (unit, lease) in units.into_iter().zip(leases) {
            match lease {
                Lease::Granted => {
                    self.offered.insert(unit.pair, unit.clone());
                    self.pool.offer(unit);
                }
                Lease::Held => {
                    self.leased_elsewhere.insert(unit.pair, unit);
                }
                Lease::Recorded => drop(self.take_recorded(unit.pair)?),
            }
        }
        Ok(())
    }

    /// Withdraws units that no worker has begun, except those to `keep`.
    fn withdraw(&mut self, keep: impl Fn(&dyn WorkSource, u64) -> bool + Copy) {
        let source = &*self.source;
        let mut kept = |unit: &Unit| keep(source, unit.pair);
        for unit in self.pool.retract(&mut kept) {
            self.offered.remove(&unit.pair);
            self.withdrawn.insert(unit.pair, unit);
        }
    }

    /// Waits for completed units and records them: those of local workers within
    /// [`COMMIT_INTERVAL`] together, while enough others are offered. Returns the first worker with a wrong result, if any; later
    /// results are discarded.
    fn record_completed(&mut self, replay: Replayer<'_>) -> Result<Option<String>, RunError> {
        let Window { seats, ahead } = self.window();
        let mut completed = Vec::new();
        let mut patience = POLL_INTERVAL;
        let mut wrong = None;
        while let Some(unit) = self.pool.collect(patience) {
            wrong = self.wrong_worker(&unit, replay);
            if wrong.is_some() {
                break;
            }
            completed.push(unit);
            patience = Duration::ZERO;
            let left = self.offered.len().saturating_sub(completed.len());
            let spare = left.saturating_sub(seats + ahead / 2);
            if let Some(last) = self.committed.filter(|_| spare > 0 && !self.is_ending()) {
                let wait = COMMIT_INTERVAL.saturating_sub(last.elapsed());
                self.pool.wait_for_completed(spare, wait);
            }
        }
        if !completed.is_empty() {
            self.complete(completed)?;
            self.committed = Some(Instant::now());
        }
        Ok(wrong)
    }

    /// Records the results of units.
    fn complete(&mut self, completed: Vec<Completed<PairReply>>) -> Result<(), RunError> {
        let mut rows = Vec::with_capacity(completed.len());
        for Completed {
            unit,
            answer,
            worker,
        } in completed
        {
            self.offered.remove(&unit.pair);
            let mut row = match answer {
                Some(Ok(row)) => row,
                Some(Err(stop)) => {
                    self.stops.push(stop);
                    continue;
                }
                None => continue,
            };
            if worker.is_some() {
                // The clock of a remote machine may be wrong: the time of arrival counts.
                row.finished = FinishedAt::default();
            }
            row.worker = PlayedBy(worker.as_deref().and_then(WorkerName::new));
            self.completed += 1;
            self.time_spent += Duration::from_micros(row.elapsed_us);
            let replay = self.source.replay(&row)?;
            rows.push((row, replay));
        }
        if rows.is_empty() {
            return Ok(());
        }
        let RunContext { store, run, .. } = self.context;
        let opening = |index| self.context.plan.stored_opening(index);
        let new = rows.iter().map(|(row, replay)| (row, &*replay.openings));
        let appended = store.append_all(run, &new.collect::<Vec<_>>(), opening)?;
        let mut wants_less = false;
        for ((row, replay), appended) in rows.into_iter().zip(appended) {
            let pair = row.record.index;
            wants_less |= match appended {
                Appended::New => self.source.take(row, replay)?,
                // Another process was faster; its recorded pair counts.
                Appended::AlreadyThere => self.take_recorded(pair)?.unwrap_or_default(),
            };
        }
        if wants_less {
            self.withdraw(|source, pair| source.wants(pair));
        }
        Ok(())
    }

    /// Takes in a pair that another process recorded; returns `None` if none is recorded, otherwise
    /// whether fewer pairs are wanted than before.
    fn take_recorded(&mut self, pair: u64) -> Result<Option<bool>, RunError> {
        let RunContext { store, run, .. } = self.context;
        let Some(row) = store.pair(run, pair)? else {
            return Ok(None);
        };
        let replay = self.source.replay(&row)?;
        self.source.take(row, replay).map(Some)
    }

    /// Takes in the pairs that other processes recorded, takes over units whose leases ended, and
    /// renews the leases of this process.
    fn poll(&mut self) -> Result<(), RunError> {
        let RunContext {
            store, run, cancel, ..
        } = self.context;
        if !self.leased_elsewhere.is_empty() && self.polled.elapsed() >= POLL_INTERVAL {
            self.polled = Instant::now();
            let units = std::mem::take(&mut self.leased_elsewhere);
            let mut free = Vec::new();
            for (pair, unit) in units {
                if self.take_recorded(pair)?.is_none() {
                    free.push(unit);
                }
            }
            free.retain(|unit| self.source.wants(unit.pair));
            let (stop, is_ending) = (self.first_stop(), self.is_ending());
            let (ours, later) = free
                .into_iter()
                .partition(|unit: &Unit| !is_ending && unit.pair < stop);
            self.withdrawn
                .extend(Vec::into_iter(later).map(|unit: Unit| (unit.pair, unit)));
            self.lease(ours)?;
            if !self.offered.is_empty() {
                self.pool.set_threads(cancel.threads(self.context.threads));
            }
        }
        if self.renewed.elapsed() >= RENEWAL_INTERVAL {
            self.renewed = Instant::now();
            // Leases last several renewals. The next pair reports a lasting error.
            let _ = store.renew_leases(run, self.holder);
        }
        Ok(())
    }
}
