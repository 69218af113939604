//! Has the units of a run played and recorded, by a crew of this process and by others that
//! share the record.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::ExecutionOptions;
use super::driver::{RunError, Stop};
use super::remote::Description;
use super::wire::fingerprint;
use crate::play::{Cancel, Completed, Crew, Dispute, Played, Threads, Unit, Window};
use crate::schedule::{Opening, PairSpec};
use crate::store::{
    Appended, Finished, Holder, Lease, PairRow, PlayedBy, RunHandle, Store, WorkerName,
};

/// How often is looked at what others play.
const LOOK: Duration = Duration::from_millis(100);
/// How long is waited at the end for what others play again, before it is played here.
const LAST_CHECKS: Duration = Duration::from_millis(1_500);
/// How long at most is played here what others should have played again.
const LAST_JUDGING: Duration = Duration::from_mins(1);
/// How often leases are renewed: several times in the term of one.
const RENEWAL: Duration = Duration::from_secs(10);
/// What became of a unit: its pair, or the failure that stops the run.
pub type Answer = Result<PairRow, Stop>;

/// Which units there are to be played, and what their pairs add up to.
pub(super) trait Agenda {
    /// The next unit to be played: one that is wanted, is not recorded and was not given
    /// before. `None` if no further one is known by now.
    fn next(&mut self) -> Option<Unit>;

    /// Whether that pair is wanted still.
    fn wants(&self, pair: u64) -> bool;

    /// Takes in a pair that is recorded; whether less is wanted than before.
    fn take(&mut self, row: PairRow) -> Result<bool, RunError>;

    /// Whether no further pair is wanted.
    fn is_complete(&self) -> bool;

    /// Why an answer of somebody elsewhere cannot be; `None` if it can.
    fn wrong_with(&self, answer: &Answer) -> Option<&'static str>;
}

/// Where the units are recorded, and who plays them.
pub(super) struct Site<'a> {
    pub(super) store: &'a Store,
    pub(super) run: &'a RunHandle,
    /// Units at once.
    pub(super) threads: NonZeroUsize,
    pub(super) cancel: &'a Cancel,
    pub(super) execution_options: &'a ExecutionOptions,
    /// The openings of the run.
    pub(super) openings: &'a [Opening],
}

/// How conducting has ended.
pub(super) enum Conducted {
    /// The agenda is complete, it was cancelled, or that failure has stopped it.
    Ended(Option<Stop>),
    /// Workers were rejected: what they have played is to be forgotten and played again.
    Rejected,
}

/// What became of a pair that was begun at that time.
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

/// Has units played until the agenda is complete, or it was cancelled. Gives the first of
/// the failures that stop the run, of those that are wanted.
///
/// A failure that is to stop the run lets the units that are being played come to their end
/// and be recorded. As they are begun in their order, all before the failed one are there
/// then: which failure it is that stops the run does not depend on timing. One in a unit that
/// is not wanted in the end is none.
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
            // Whether it is allowed has been asked before: it is no reason to stop.
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
    // Those that were not played to their end are anybody's. If that cannot be said they are
    // so as soon as this process is gone.
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
    /// Units that are ours to play, offered and not completed.
    out: BTreeMap<u64, Unit>,
    /// Units that somebody else plays.
    elsewhere: BTreeMap<u64, Unit>,
    /// Units that were taken back: they come first.
    back: BTreeMap<u64, Unit>,
    /// Failures that stop the run.
    stops: Vec<Stop>,
    /// Completed so far, and what they took together.
    completed: u32,
    taken: Duration,
    looked: Instant,
    renewed: Instant,
    /// When it was over, if it is.
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
                    // Those before it are played all the same: it may not be the first.
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
                // Leaving the crew says why.
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

    /// The worker elsewhere that completed a unit by what cannot be, if that is so. A failure
    /// that is to stop the run is found out about, where it would come out here too.
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

    /// Finds out by playing it what becomes of a unit of which different answers came, and
    /// rejects whoever gave another; whether it did.
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

    /// Whether it is not known yet what becomes of some wanted pair before that one.
    fn waits_before(&self, pair: u64) -> bool {
        let mut waiting = self.elsewhere.range(..pair).chain(self.back.range(..pair));
        waiting.any(|(&pair, _)| self.agenda.wants(pair))
    }

    /// Whether nothing further is to be begun.
    fn is_ending(&self) -> bool {
        self.site.cancel.is_draining() || self.agenda.is_complete()
    }

    /// The first pair that a failure stops the run at; none is begun from it on.
    fn first_stop(&self) -> u64 {
        let pairs = self.stops.iter().map(|stop| stop.pair);
        pairs.min().unwrap_or(u64::MAX)
    }

    /// Offers as many units as the crew is going to need soon.
    fn offer(&mut self) -> Result<(), RunError> {
        let threads = self.site.cancel.threads(self.site.threads);
        let mean = self.taken.checked_div(self.completed);
        let Window { seats, ahead } = self.crew.window(threads, mean);
        let most = seats + ahead;
        // Of short ones several at a time: each asking takes some ten microseconds.
        if self.out.len() > seats + ahead / 2 || self.out.len() >= most {
            return Ok(());
        }
        // Others may have what is asked for first.
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

    /// The next unit that is wanted, of those before a failure that stops the run.
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

    /// Offers those units that nobody else plays or has played.
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

    /// Takes back what nobody has begun and is not to be kept.
    fn take_back(&mut self, keep: impl Fn(&dyn Agenda, u64) -> bool + Copy) {
        let agenda = &*self.agenda;
        let mut kept = |unit: &Unit| keep(agenda, unit.pair);
        for unit in self.crew.retract(&mut kept) {
            self.out.remove(&unit.pair);
            self.back.insert(unit.pair, unit);
        }
    }

    /// Records what became of a unit.
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
            // Clocks elsewhere may be wrong: it is finished when it comes.
            row.finished = Finished::default();
        }
        row.worker = PlayedBy(worker.as_deref().and_then(WorkerName::new));
        self.completed += 1;
        self.taken += Duration::from_micros(row.elapsed_us);
        let Site { store, run, .. } = self.site;
        if store.append(run, &row)? == Appended::AlreadyThere
            && let Some(recorded) = store.pair(run, unit.pair)?
        {
            // Another process was faster. What is recorded counts.
            row = recorded;
        }
        if self.agenda.take(row)? {
            self.take_back(|agenda, pair| agenda.wants(pair));
        }
        Ok(())
    }

    /// Looks what others have recorded or given up, and says that we are still here.
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
            // They hold on for some time; what is wrong is an error of the next pair.
            let _ = store.renew_leases(run, self.holder);
        }
        Ok(())
    }
}
