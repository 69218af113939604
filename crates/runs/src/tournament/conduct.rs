//! Dispatches the units of a run to workers and records the results; other processes may share the
//! record.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::ExecutionOptions;
use super::driver::{RunError, Stop};
use super::remote::Description;
use super::wire::fingerprint;
use crate::store::{
    Appended, Finished, Holder, Lease, PairRow, PlayedBy, RunHandle, Store, WorkerName,
};
use leitai_players::play::{Cancel, Completed, Crew, Dispute, Played, Threads, Unit, Window};
use leitai_players::schedule::{Opening, PairSpec};

/// Interval for polling the pairs of other processes.
const LOOK: Duration = Duration::from_millis(100);
/// The wait at the end for other workers' checks of pairs, before this process plays the pairs
/// itself.
const LAST_CHECKS: Duration = Duration::from_millis(1_500);
/// The time limit for playing those pairs in this process.
const LAST_JUDGING: Duration = Duration::from_mins(1);
/// Interval for renewing leases: several times in the term of a lease.
const RENEWAL: Duration = Duration::from_secs(10);
/// The result of a unit: its pair, or the failure that stops the run.
pub type Answer = Result<PairRow, Stop>;

/// Supplies the units of a run and takes in their pairs.
pub(super) trait Agenda {
    /// The next unit to play: wanted, not recorded, and not returned before. `None` if no further
    /// one is known at the moment.
    fn next(&mut self) -> Option<Unit>;

    /// Returns whether the pair is still needed.
    fn wants(&self, pair: u64) -> bool;

    /// Takes in a recorded pair; returns whether fewer pairs are wanted than before.
    fn take(&mut self, row: PairRow) -> Result<bool, RunError>;

    /// Returns whether no further pair is wanted.
    fn is_complete(&self) -> bool;

    /// The reason why the answer of a remote worker cannot be valid; `None` if it can.
    fn wrong_with(&self, answer: &Answer) -> Option<&'static str>;
}

/// The record of the units, and the means of playing them.
pub(super) struct Site<'a> {
    pub(super) store: &'a Store,
    pub(super) run: &'a RunHandle,
    /// Number of units played at once.
    pub(super) threads: NonZeroUsize,
    pub(super) cancel: &'a Cancel,
    pub(super) execution_options: &'a ExecutionOptions,
    pub(super) openings: &'a [Opening],
}

/// The end of [`conduct`].
pub(super) enum Conducted {
    /// All units are done, the run was cancelled, or that failure stopped it.
    Ended(Option<Stop>),
    /// Workers were rejected: their pairs must be removed and played again.
    Rejected,
}

/// The answer for a pair that began at `started`.
pub(super) fn answer(played: Played, spec: &PairSpec, started: Instant) -> Answer {
    match played {
        Played::Finished(record) => Ok(PairRow {
            record,
            pairing: spec.pairing,
            variants: spec.variants,
            opening: spec.opening,
            elapsed_us: started.elapsed().as_micros() as u64,
            finished: Finished::default(),
            worker: crate::store::PlayedBy::default(),
        }),
        Played::Stopped(fault, late, evidence) => Err(Stop {
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
pub(super) fn conduct<W>(
    agenda: &mut dyn Agenda,
    site: &Site<'_>,
    make_worker: impl Fn() -> W + Sync,
) -> Result<Conducted, RunError>
where
    W: FnMut(&Unit) -> Option<Answer>,
{
    let holder = Holder::new();
    let begin = || {
        if let Some(cores) = &site.execution_options.cores {
            // The permission was checked before; a failure here is no reason to stop.
            let _ = cores.take();
        }
        make_worker()
    };
    let mut worker = None;
    let mut judge = |unit: &Unit| worker.get_or_insert_with(&make_worker)(unit);
    let mut lead =
        |crew: &dyn Crew<Answer>| Conductor::new(agenda, site, &holder, crew).conduct(&mut judge);
    let led = site
        .store
        .watched(site.cancel, || match &site.execution_options.remote {
            None => Threads::work(begin, lead),
            Some(remote) => {
                let run = Description::of(site)?;
                let mut led = None;
                remote.lead(&run, &mut |crew| led = Some(lead(crew)))?;
                led.unwrap_or(Ok(Conducted::Ended(None)))
            }
        });
    // Other processes may play the unfinished units. If the leases cannot be returned they end with
    // this process.
    let _ = site.store.give_back(site.run, &holder);
    led?
}

/// Plays a unit within this process.
type Judge<'a> = &'a mut dyn FnMut(&Unit) -> Option<Answer>;

struct Conductor<'a> {
    agenda: &'a mut dyn Agenda,
    site: &'a Site<'a>,
    holder: &'a Holder,
    crew: &'a dyn Crew<Answer>,
    /// Units leased by this process, offered and not completed.
    out: BTreeMap<u64, Unit>,
    /// Units leased by other processes.
    elsewhere: BTreeMap<u64, Unit>,
    /// Withdrawn units, which are offered again first.
    back: BTreeMap<u64, Unit>,
    stops: Vec<Stop>,
    /// The number of completed units, and their total time.
    completed: u32,
    taken: Duration,
    looked: Instant,
    renewed: Instant,
    /// The time at which the last unit was done.
    over: Option<Instant>,
}

impl<'a> Conductor<'a> {
    fn new(
        agenda: &'a mut dyn Agenda,
        site: &'a Site<'a>,
        holder: &'a Holder,
        crew: &'a dyn Crew<Answer>,
    ) -> Self {
        Self {
            agenda,
            site,
            holder,
            crew,
            out: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            back: BTreeMap::new(),
            stops: Vec::new(),
            completed: 0,
            taken: Duration::ZERO,
            looked: Instant::now(),
            renewed: Instant::now(),
            over: None,
        }
    }

    fn conduct(&mut self, judge: Judge<'_>) -> Result<Conducted, RunError> {
        loop {
            self.stops.retain(|stop| self.agenda.wants(stop.pair));
            let stop = self.first_stop();
            let is_paused = !self.is_ending() && self.site.cancel.is_paused();
            if self.is_ending() || is_paused {
                self.take_back(|_, _| false);
            } else {
                if stop < u64::MAX {
                    // Earlier pairs are still played: one of them may stop the run first.
                    self.take_back(|agenda, pair| pair < stop && agenda.wants(pair));
                }
                self.offer()?;
            }
            let is_over = self.is_ending() || !(is_paused || self.waits_before(stop));
            if self.out.is_empty() && is_over {
                let over = *self.over.get_or_insert_with(Instant::now);
                let is_cancelled = self.site.cancel.is_draining();
                let most = LAST_CHECKS + LAST_JUDGING;
                if is_cancelled || !self.crew.is_checking() || over.elapsed() >= most {
                    break;
                }
                if over.elapsed() >= LAST_CHECKS {
                    self.crew.end_checks();
                }
            }
            if self.crew.is_broken() {
                // Leaving the workers reports the cause.
                break;
            }
            let completed = self.crew.collect(LOOK);
            if let Some(unfit) = completed.as_ref().and_then(|it| self.unfit(it, judge)) {
                self.crew.reject(unfit);
                return Ok(Conducted::Rejected);
            }
            if let Some(completed) = completed {
                self.complete(completed)?;
            }
            if let Some(dispute) = self.crew.dispute()
                && self.settle(&dispute, judge)
            {
                return Ok(Conducted::Rejected);
            }
            self.look()?;
        }
        self.stops.retain(|stop| self.agenda.wants(stop.pair));
        let is_cancelled = self.site.cancel.load(Ordering::Relaxed);
        let first = self.stops.drain(..).min_by_key(|stop| stop.pair);
        let first = first.filter(|first| !is_cancelled && !self.waits_before(first.pair));
        Ok(Conducted::Ended(first))
    }

    /// The remote worker whose result for a unit is impossible. A failure that stops the run is
    /// replayed here, if the run is reproducible, and must occur here too.
    fn unfit<'c>(&self, completed: &'c Completed<Answer>, judge: Judge<'_>) -> Option<&'c str> {
        let worker = completed.worker.as_deref()?;
        let answer = completed.answer.as_ref()?;
        let is_wrong = || self.agenda.wrong_with(answer).is_some();
        let mut is_other = || {
            let is_doubtful = answer.is_err() && self.site.run.is_reproducible();
            let truth = is_doubtful.then(|| judge(&completed.unit)).flatten();
            truth.is_some_and(|truth| fingerprint(&truth) != fingerprint(answer))
        };
        (is_wrong() || is_other()).then_some(worker)
    }

    /// Plays a unit with contradictory answers in this process, and rejects the workers that gave
    /// another answer; returns whether there were any.
    fn settle(&self, dispute: &Dispute, judge: Judge<'_>) -> bool {
        let Some(truth) = judge(&dispute.unit) else {
            return false;
        };
        let mut rejected = false;
        let truth = fingerprint(&truth);
        for (worker, answer) in &dispute.answers {
            if *answer != truth {
                self.crew.reject(worker);
                rejected = true;
            }
        }
        rejected
    }

    /// Returns whether the result of a wanted pair before this one is still open.
    fn waits_before(&self, pair: u64) -> bool {
        let mut waiting = self.elsewhere.range(..pair).chain(self.back.range(..pair));
        waiting.any(|(&pair, _)| self.agenda.wants(pair))
    }

    /// Returns whether no further unit may begin.
    fn is_ending(&self) -> bool {
        self.site.cancel.is_draining() || self.agenda.is_complete()
    }

    /// The first pair at which a failure stops the run; this pair and later ones are not begun.
    fn first_stop(&self) -> u64 {
        let pairs = self.stops.iter().map(|stop| stop.pair);
        pairs.min().unwrap_or(u64::MAX)
    }

    /// Offers as many units as the workers will need soon.
    fn offer(&mut self) -> Result<(), RunError> {
        let threads = self.site.cancel.threads(self.site.threads);
        let mean = self.taken.checked_div(self.completed);
        let Window { seats, ahead } = self.crew.window(threads, mean);
        let most = seats + ahead;
        // Leases several short units at once: each request takes some ten microseconds.
        if self.out.len() > seats + ahead / 2 || self.out.len() >= most {
            return Ok(());
        }
        // Other processes may hold leases of the requested units.
        while self.out.len() < most && !self.agenda.is_complete() {
            let mut units = Vec::new();
            while self.out.len() + units.len() < most
                && let Some(unit) = self.next()
            {
                units.push(unit);
            }
            if units.is_empty() {
                break;
            }
            self.ask_for(units)?;
        }
        if !self.out.is_empty() {
            self.crew.want(threads);
        }
        Ok(())
    }

    /// The next wanted unit before a failure that stops the run.
    fn next(&mut self) -> Option<Unit> {
        let stop = self.first_stop();
        loop {
            let back = self.back.pop_first().map(|(_, unit)| unit);
            let unit = back.or_else(|| self.agenda.next())?;
            let pair = unit.pair;
            if pair >= stop {
                self.back.insert(pair, unit);
                return None;
            }
            if self.agenda.wants(pair) {
                return Some(unit);
            }
        }
    }

    /// Leases units, and offers those that no other process plays or has played.
    fn ask_for(&mut self, units: Vec<Unit>) -> Result<(), RunError> {
        if units.is_empty() {
            return Ok(());
        }
        let Site { store, run, .. } = self.site;
        let pairs = units.iter().map(|unit| unit.pair);
        let below = pairs.clone().chain(self.out.keys().copied()).min();
        let leases = store.lease(run, self.holder, below.unwrap_or_default(), pairs)?;
        for (unit, lease) in units.into_iter().zip(leases) {
            match lease {
                Lease::Granted => {
                    self.out.insert(unit.pair, unit.clone());
                    self.crew.offer(unit);
                }
                Lease::Held => {
                    self.elsewhere.insert(unit.pair, unit);
                }
                Lease::Recorded => {
                    if let Some(row) = store.pair(run, unit.pair)? {
                        self.agenda.take(row)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Withdraws units that no worker has begun, except those to `keep`.
    fn take_back(&mut self, keep: impl Fn(&dyn Agenda, u64) -> bool + Copy) {
        let agenda = &*self.agenda;
        let mut kept = |unit: &Unit| keep(agenda, unit.pair);
        for unit in self.crew.retract(&mut kept) {
            self.out.remove(&unit.pair);
            self.back.insert(unit.pair, unit);
        }
    }

    /// Records the result of a unit.
    fn complete(&mut self, completed: Completed<Answer>) -> Result<(), RunError> {
        let Completed {
            unit,
            answer,
            worker,
        } = completed;
        self.out.remove(&unit.pair);
        let mut row = match answer {
            Some(Ok(row)) => row,
            Some(Err(stop)) => {
                self.stops.push(stop);
                return Ok(());
            }
            None => return Ok(()),
        };
        if worker.is_some() {
            // The clock of a remote machine may be wrong: the time of arrival counts.
            row.finished = Finished::default();
        }
        row.worker = PlayedBy(worker.as_deref().and_then(WorkerName::new));
        self.completed += 1;
        self.taken += Duration::from_micros(row.elapsed_us);
        let Site { store, run, .. } = self.site;
        if store.append(run, &row)? == Appended::AlreadyThere
            && let Some(recorded) = store.pair(run, unit.pair)?
        {
            // Another process was faster; its recorded pair counts.
            row = recorded;
        }
        if self.agenda.take(row)? {
            self.take_back(|agenda, pair| agenda.wants(pair));
        }
        Ok(())
    }

    /// Takes in the pairs that other processes recorded, takes over units whose leases ended, and
    /// renews the leases of this process.
    fn look(&mut self) -> Result<(), RunError> {
        let Site {
            store, run, cancel, ..
        } = self.site;
        if !self.elsewhere.is_empty() && self.looked.elapsed() >= LOOK {
            self.looked = Instant::now();
            let units = std::mem::take(&mut self.elsewhere);
            let mut free = Vec::new();
            for (pair, unit) in units {
                match store.pair(run, pair)? {
                    Some(row) => drop(self.agenda.take(row)?),
                    None => free.push(unit),
                }
            }
            free.retain(|unit| self.agenda.wants(unit.pair));
            let (stop, is_ending) = (self.first_stop(), self.is_ending());
            let (ours, later) = free
                .into_iter()
                .partition(|unit: &Unit| !is_ending && unit.pair < stop);
            self.back
                .extend(Vec::into_iter(later).map(|unit: Unit| (unit.pair, unit)));
            self.ask_for(ours)?;
            if !self.out.is_empty() {
                self.crew.want(cancel.threads(self.site.threads));
            }
        }
        if self.renewed.elapsed() >= RENEWAL {
            self.renewed = Instant::now();
            // Leases last several renewals. The next pair reports a lasting error.
            let _ = store.renew_leases(run, self.holder);
        }
        Ok(())
    }
}
