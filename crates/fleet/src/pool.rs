//! The units and answers of a run on the server, as its coordinator sees them. Nothing here waits
//! for the server.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tokio::sync::mpsc::UnboundedSender;

use self::builds::Proof;
use self::replays::Replayed;
use super::messages::Heartbeat;
use super::streams::LONGEST_SILENCE;
use leitai_base::foreign::shown;
use leitai_base::threads::lock;
use leitai_players::play::{Completed, Dispute, Unit, Window, WorkerPool};
use leitai_runs::tournament::{PairReply, fingerprint, read_reply, reply_pair, unit_message};
use leitai_session::WorkerState;

/// The total expected duration of pairs that wait for a worker.
const AHEAD: Duration = Duration::from_secs(1);
/// The maximum number of waiting pairs for each seat.
const MAX_AHEAD: u128 = 16;
/// The maximum number of seats that a worker is credited with.
const MAX_SEATS: u64 = 4_096;
/// Interval of checks for recorded units and active workers.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The minimum number of seats to offer pairs for, also before the first worker appears.
const FIRST: usize = 16;
/// The maximum number of answers, and of their bytes, that are kept for units that are not offered
/// yet.
const MAX_EARLY: usize = 200_000;
const MAX_EARLY_BYTES: usize = 256 << 20;
/// The maximum length of a reported reason.
const LONGEST_REASON: usize = 500;
/// The maximum number of offered units.
const MAX_OUT: usize = 250_000;
/// The maximum number of processes that one name is credited with.
const MAX_PROCESSES: usize = 1_024;
/// The number of answered units that are kept for comparison with repeated answers.
const MAX_ANSWERED: usize = 100_000;
/// A unit without an answer after this many times the longest duration, plus a minute, is offered
/// again, even if a worker holds it.
const OVERDUE_FACTOR: u32 = 10;
/// The same before the first answer: a usual game is over by then.
const FIRST_REPLY_TIMEOUT: Duration = Duration::from_hours(1);

/// A request to the server; the order matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Task {
    /// Offer a unit.
    Offer {
        /// The number of the unit's pair.
        pair: u64,
        /// The number of the attempt.
        attempt: u32,
        /// The unit's message.
        message: String,
        /// True if the unit has an answer, and another worker should repeat it.
        is_replay: bool,
    },
    /// Withdraw a unit.
    TakeBack(u64),
    /// Withdraw all units.
    TakeAllBack,
    /// Results up to this position of the stream are recorded.
    Recorded(u64),
}

/// An answer from the stream.
pub(super) struct Arrived<'a> {
    /// The worker, authenticated by the server.
    pub(super) worker: &'a str,
    /// The key of the unit.
    pub(super) unit: &'a str,
    /// The build of the worker, as it says.
    pub(super) build: &'a str,
    /// The answer's message.
    pub(super) message: &'a str,
    /// Position in the stream.
    pub(super) sequence: u64,
}

/// Parameters of a run.
pub(super) struct RunTerms {
    /// The run's identity.
    pub(super) run: String,
    /// True if the games of a unit are reproducible.
    pub(super) reproducible: bool,
    /// The share of units that a second worker repeats; 0 in a run that is not reproducible.
    pub(super) replays: f64,
    /// The time for which a worker with a unit may be silent.
    pub(super) lease: Duration,
    /// The coordinator's build.
    pub(super) build: &'static str,
    /// True if answers of other builds count, after a proof.
    pub(super) other_builds: bool,
}

/// The remote workers of one run.
pub(super) struct FleetPool {
    terms: RunTerms,
    /// Chooses the units to repeat; secret, so that workers cannot predict them.
    random: Mutex<ChaCha8Rng>,
    state: Mutex<State>,
    answers: Condvar,
    tasks: UnboundedSender<Task>,
    warn: Box<dyn Fn(String) + Send + Sync>,
}

/// An offered unit without an answer.
struct Offered {
    unit: Unit,
    message: String,
    key: String,
    attempt: u32,
    since: Instant,
}

/// An answer to a unit that is not offered yet.
struct Early {
    worker: String,
    build: String,
    key: String,
    answer: PairReply,
    sequence: u64,
    bytes: usize,
}

/// An answered unit, for comparison with repeated answers.
struct Answered {
    unit: Unit,
    key: String,
    worker: String,
    print: u64,
}

#[derive(Default)]
struct State {
    offered: BTreeMap<u64, Offered>,
    completed: VecDeque<(u64, Completed<PairReply>)>,
    early: BTreeMap<u64, Early>,
    early_bytes: usize,
    answered: BTreeMap<u64, Answered>,
    replayed: BTreeMap<u64, Replayed>,
    disputes: VecDeque<Dispute>,
    /// The workers of other builds.
    proofs: BTreeMap<String, Proof>,
    rejected: BTreeSet<String>,
    newly_rejected: Vec<String>,
    /// Workers that were reported; each is reported once.
    reported: BTreeSet<String>,
    /// Active workers, by name and process.
    workers: HashMap<(String, String), (Heartbeat, Instant)>,
    /// Units that the server still holds from an earlier process.
    held: BTreeSet<u64>,
    /// The number of pairs that can be played at once, with the time of the count.
    seats: Option<(usize, Instant)>,
    /// Time of the last check for recorded units.
    checked: Option<Instant>,
    /// Stream positions of the last collected answer, and of the last recorded one.
    collected: u64,
    recorded: u64,
    longest: Option<Duration>,
    /// The number after the last answered pair.
    answered_to: u64,
    /// True if the coordinator was asked to end.
    is_ended: bool,
}

impl FleetPool {
    /// Starts without answers. The server still holds the units of the pairs `held` from an earlier
    /// process, and results of the workers `rejected` are refused.
    pub(super) fn new(
        terms: RunTerms,
        seed: u64,
        (held, rejected): (BTreeSet<u64>, BTreeSet<String>),
        tasks: UnboundedSender<Task>,
        warn: Box<dyn Fn(String) + Send + Sync>,
    ) -> Self {
        let state = State {
            rejected,
            held,
            ..State::default()
        };
        Self {
            terms,
            random: Mutex::new(ChaCha8Rng::seed_from_u64(seed)),
            state: Mutex::new(state),
            answers: Condvar::new(),
            tasks,
            warn,
        }
    }

    fn task(&self, task: Task) {
        // At the very end the receiver is gone.
        let _ = self.tasks.send(task);
    }

    fn send_offer(&self, offered: &Offered) {
        self.task(Task::Offer {
            pair: offered.unit.pair,
            attempt: offered.attempt,
            message: offered.message.clone(),
            is_replay: false,
        });
    }

    /// Asks the coordinator to end.
    pub(super) fn end(&self) {
        lock(&self.state).is_ended = true;
        self.answers.notify_all();
    }

    /// The number of units that were offered to a second worker and not answered by one, plus
    /// disputes.
    pub(super) fn unchecked(&self) -> usize {
        let state = lock(&self.state);
        let offered = state.replayed.values().filter(|it| it.offers > 0);
        offered.count() + state.disputes.len()
    }

    /// The workers that were rejected in this process.
    pub(super) fn newly_rejected(&self) -> Vec<String> {
        lock(&self.state).newly_rejected.clone()
    }

    /// Handles a heartbeat of a worker.
    pub(super) fn heartbeat(&self, worker: &str, instance: &str, heartbeat: Heartbeat) {
        let mut state = lock(&self.state);
        let state = &mut *state;
        let refusal = self.refusal(&heartbeat).map(str::to_owned);
        let key = (worker.to_owned(), instance.to_owned());
        let of_name = state.workers.keys().filter(|(name, _)| name == worker);
        if !state.workers.contains_key(&key) && of_name.count() >= MAX_PROCESSES {
            return;
        }
        let known = state.workers.insert(key, (heartbeat, Instant::now()));
        let accepted = |(heartbeat, _): &(Heartbeat, _)| self.refusal(heartbeat).is_none();
        let is_new = known.as_ref().is_none_or(accepted);
        if known.is_none() {
            // The worker may repeat units for which there was no other worker before.
            let waiting = state.replayed.iter().filter(|(_, it)| it.offers == 0);
            let waiting: Vec<u64> = waiting.map(|(&pair, _)| pair).collect();
            for pair in waiting {
                self.replay(state, pair);
            }
        }
        if let Some(refusal) = refusal.filter(|_| is_new) {
            self.warn_once(state, worker, "does not play this run", &refusal);
        }
    }

    /// Warns about a worker, once.
    fn warn_once(&self, state: &mut State, worker: &str, problem: &str, reason: &str) {
        if state.reported.insert(worker.to_owned()) {
            let reason: String = reason.chars().take(LONGEST_REASON).collect();
            (self.warn)(format!("worker `{worker}` {problem}: {reason}"));
        }
    }

    /// The active workers, by name.
    pub(super) fn workers(&self) -> Vec<WorkerState> {
        let state = lock(&self.state);
        let there = state.workers.iter();
        let there = there.filter(|(_, (_, heard))| heard.elapsed() < LONGEST_SILENCE);
        let mut seen: Vec<WorkerState> = there
            .map(|((name, _), (heartbeat, _))| WorkerState {
                name: name.clone(),
                machine: shown(&heartbeat.host).to_string(),
                threads: heartbeat.threads,
                playing: heartbeat.playing,
                played: heartbeat.played,
                takes_part: self.takes_part(&state, name, heartbeat),
            })
            .collect();
        seen.sort_by(|one, other| (&one.name, &one.machine).cmp(&(&other.name, &other.machine)));
        seen
    }

    fn takes_part(&self, state: &State, name: &str, heartbeat: &Heartbeat) -> bool {
        !heartbeat.leaving && !state.rejected.contains(name) && self.refusal(heartbeat).is_none()
    }

    /// The reason why a worker does not play this run, if any.
    fn refusal<'h>(&self, heartbeat: &'h Heartbeat) -> Option<&'h str> {
        let mut refused = heartbeat.refused.iter();
        let found = refused.find(|(run, _)| self.terms.run.starts_with(run.as_str()));
        found.map(|(_, why)| why.as_str())
    }

    /// Lets the coordinator judge a unit with these answers.
    fn put_in_dispute(&self, state: &mut State, unit: Unit, answers: Vec<(String, u64)>) {
        state.disputes.push_back(Dispute { unit, answers });
        self.answers.notify_all();
    }

    /// Handles an answer.
    pub(super) fn arrive(&self, arrived: &Arrived<'_>) {
        let mut state = lock(&self.state);
        let state = &mut *state;
        let worker = arrived.worker;
        if state.rejected.contains(worker) {
            return;
        }
        if !self.takes_build(arrived.build) {
            let build = shown(arrived.build);
            let reason = format!("{build}, and not {}", self.terms.build);
            self.warn_once(state, worker, "has sent results of another build", &reason);
            return;
        }
        let answer = match read_reply(&self.terms.run, arrived.message) {
            Ok(answer) => answer,
            Err(error) => {
                // Not a reason for a rejection: other clients can make the server send such a
                // message under the worker's name.
                let problem = "has sent a message that is not an answer";
                self.warn_once(state, worker, problem, &error.to_string());
                return;
            }
        };
        let pair = reply_pair(&answer);
        if state.replayed.contains_key(&pair) {
            self.compare_replay(state, pair, arrived, &answer);
            return;
        }
        if let Entry::Occupied(offered) = state.offered.entry(pair)
            && offered.get().key == arrived.unit
        {
            let offered = offered.remove();
            let from = (worker.to_owned(), arrived.build);
            self.take(state, offered, from, answer, arrived.sequence);
            return;
        }
        if let Some(answered) = state.answered.get(&pair) {
            let print = fingerprint(&answer);
            if answered.key == arrived.unit && self.terms.reproducible && print != answered.print {
                let unit = answered.unit.clone();
                let first = (answered.worker.clone(), answered.print);
                self.put_in_dispute(state, unit, vec![first, (worker.to_owned(), print)]);
            }
            return;
        }
        let bytes = state.early_bytes + arrived.message.len();
        let has_room = state.early.len() < MAX_EARLY && bytes <= MAX_EARLY_BYTES;
        let is_known = state.offered.contains_key(&pair) || state.early.contains_key(&pair);
        if has_room && !is_known {
            state.early_bytes = bytes;
            let early = Early {
                worker: worker.to_owned(),
                build: arrived.build.to_owned(),
                key: arrived.unit.to_owned(),
                answer,
                sequence: arrived.sequence,
                bytes: arrived.message.len(),
            };
            state.early.insert(pair, early);
        }
    }

    /// Passes on the answer to a unit. At random, in the share of replays, lets another worker
    /// repeat the unit.
    fn take(
        &self,
        state: &mut State,
        offered: Offered,
        (worker, build): (String, &str),
        answer: PairReply,
        sequence: u64,
    ) {
        let Offered { unit, since, .. } = offered;
        if let Ok(row) = &answer {
            // A worker may report any duration.
            let took = Duration::from_micros(row.elapsed_us).min(since.elapsed());
            state.longest = state.longest.max(Some(took));
        }
        state.answered_to = state.answered_to.max(unit.pair + 1);
        if self.terms.reproducible {
            let print = fingerprint(&answer);
            let random = lock(&self.random).next_u64();
            if self.needs_proof(state, &worker, build) {
                self.put_in_dispute(state, unit.clone(), vec![(worker.clone(), print)]);
            } else if (random as f64) < self.terms.replays * u64::MAX as f64 {
                let replayed = Replayed {
                    unit: unit.clone(),
                    message: offered.message,
                    attempt: offered.attempt,
                    worker: worker.clone(),
                    print,
                    offers: 0,
                    since: Instant::now(),
                };
                state.replayed.insert(unit.pair, replayed);
                self.replay(state, unit.pair);
            }
            while state.answered.len() >= MAX_ANSWERED {
                state.answered.pop_first();
            }
            let answered = Answered {
                unit: unit.clone(),
                key: offered.key,
                worker: worker.clone(),
                print,
            };
            state.answered.insert(unit.pair, answered);
        }
        let completed = Completed {
            unit,
            answer: Some(answer),
            worker: Some(worker),
        };
        state.completed.push_back((sequence, completed));
        self.answers.notify_all();
    }

    /// Reports the stream position up to which results may be deleted: results that were collected
    /// before the last call are recorded by now.
    fn report_recorded(&self, state: &mut State) {
        state.checked = Some(Instant::now());
        // Drops answers, kept from before this process, to recorded units.
        if let Some(&first) = state.offered.keys().next() {
            state.early = state.early.split_off(&first);
            state.early_bytes = state.early.values().map(|early| early.bytes).sum();
        }
        let early = state.early.values().map(|early| early.sequence);
        let waiting = state.completed.iter().map(|(sequence, _)| *sequence);
        let needed = early.chain(waiting).min().unwrap_or(u64::MAX);
        let recorded = state.collected.min(needed.saturating_sub(1));
        if recorded > state.recorded {
            state.recorded = recorded;
            self.task(Task::Recorded(recorded));
        }
    }

    /// The number of pairs that the active workers of this run play at once.
    fn seats(&self, state: &mut State) -> usize {
        if let Some((seats, counted)) = state.seats
            && counted.elapsed() < POLL_INTERVAL
        {
            return seats;
        }
        let workers = &mut state.workers;
        workers.retain(|_, (_, heard)| heard.elapsed() < LONGEST_SILENCE);
        let workers = state.workers.iter();
        let workers =
            workers.filter(|((name, _), (heartbeat, _))| self.takes_part(state, name, heartbeat));
        let threads = workers.map(|(_, (heartbeat, _))| heartbeat.threads.min(MAX_SEATS));
        let seats = (threads.sum::<u64>() as usize).max(FIRST);
        state.seats = Some((seats, Instant::now()));
        seats
    }

    /// Offers units without answers again. `waiting` are the units in the server's queue, and
    /// `replays` those to be repeated by other workers.
    pub(super) fn look_after(&self, waiting: &BTreeSet<u64>, replays: &BTreeSet<u64>) {
        let mut state = lock(&self.state);
        let state = &mut *state;
        let limit = state.longest.map_or(FIRST_REPLY_TIMEOUT, |longest| {
            longest * OVERDUE_FACTOR + Duration::from_mins(1)
        });
        for (&pair, offered) in &mut state.offered {
            let age = offered.since.elapsed();
            let is_lost = !waiting.contains(&pair) && age > self.terms.lease + POLL_INTERVAL;
            if is_lost || age > limit {
                offered.attempt += 1;
                offered.since = Instant::now();
                self.send_offer(offered);
            }
        }
        self.look_after_replays(state, replays);
    }

    /// The number of pairs before the first one without an answer.
    pub(super) fn done(&self) -> u64 {
        let state = lock(&self.state);
        let first = state.offered.keys().next();
        first.map_or(state.answered_to, |&pair| pair)
    }

    /// The age of the oldest unit without an answer, or without a repetition that it needs.
    pub(super) fn oldest(&self) -> Option<Duration> {
        let state = lock(&self.state);
        let offered = state.offered.values().map(|offered| offered.since);
        let replayed = state.replayed.values().map(|it| it.since);
        offered.chain(replayed).min().map(|since| since.elapsed())
    }
}

/// The key by which an answer refers to its unit.
pub(super) fn key_of(message: &str) -> String {
    super::files::digest(message.as_bytes())[..16].to_owned()
}

impl WorkerPool<PairReply> for FleetPool {
    fn offer(&self, unit: Unit) {
        let mut state = lock(&self.state);
        let state = &mut *state;
        let pair = unit.pair;
        // Cannot fail: a unit consists of numbers.
        let message = unit_message(&self.terms.run, &unit).unwrap_or_default();
        let offered = Offered {
            unit,
            key: key_of(&message),
            message,
            attempt: 0,
            since: Instant::now(),
        };
        if let Some(early) = state.early.remove(&pair) {
            state.early_bytes -= early.bytes;
            if early.key == offered.key && !state.rejected.contains(&early.worker) {
                let from = (early.worker, early.build.as_str());
                self.take(state, offered, from, early.answer, early.sequence);
                return;
            }
        }
        if !state.held.remove(&pair) {
            self.send_offer(&offered);
        }
        state.offered.insert(pair, offered);
    }

    fn collect(&self, limit: Duration) -> Option<Completed<PairReply>> {
        let mut state = lock(&self.state);
        let is_due = |checked: Instant| checked.elapsed() >= POLL_INTERVAL;
        if state.checked.is_none_or(is_due) {
            self.report_recorded(&mut state);
        }
        if state.completed.is_empty() && state.disputes.is_empty() && !state.is_ended {
            let waited = self.answers.wait_timeout(state, limit);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let (sequence, completed) = state.completed.pop_front()?;
        state.collected = state.collected.max(sequence);
        Some(completed)
    }

    fn retract(&self, keep: &mut dyn FnMut(&Unit) -> bool) -> Vec<Unit> {
        let mut state = lock(&self.state);
        let unwanted = state.offered.values();
        let unwanted = unwanted.filter(|offered| !keep(&offered.unit));
        let unwanted: Vec<u64> = unwanted.map(|offered| offered.unit.pair).collect();
        if unwanted.len() == state.offered.len() && !unwanted.is_empty() {
            self.task(Task::TakeAllBack);
        } else {
            for &pair in &unwanted {
                self.task(Task::TakeBack(pair));
            }
        }
        let taken = unwanted
            .iter()
            .filter_map(|pair| state.offered.remove(pair));
        taken.map(|offered| offered.unit).collect()
    }

    fn window(&self, _: NonZeroUsize, mean: Option<Duration>) -> Window {
        let seats = self.seats(&mut lock(&self.state));
        let ahead = mean.map_or(1, |mean| 1 + AHEAD.as_nanos() / mean.as_nanos().max(1));
        let ahead = seats * ahead.min(MAX_AHEAD) as usize;
        Window {
            seats: seats.min(MAX_OUT),
            ahead: ahead.min(MAX_OUT.saturating_sub(seats)),
        }
    }

    fn set_threads(&self, _: NonZeroUsize) {
        // All active workers play.
    }

    fn is_broken(&self) -> bool {
        lock(&self.state).is_ended
    }

    fn dispute(&self) -> Option<Dispute> {
        lock(&self.state).disputes.pop_front()
    }

    fn is_checking(&self) -> bool {
        let state = lock(&self.state);
        let is_out = |replayed: &Replayed| replayed.offers > 0;
        state.replayed.values().any(is_out) || !state.disputes.is_empty()
    }

    fn end_checks(&self) {
        self.play_rest_here(&mut lock(&self.state));
    }

    fn reject(&self, worker: &str) {
        let mut state = lock(&self.state);
        if state.rejected.insert(worker.to_owned()) {
            state.newly_rejected.push(worker.to_owned());
        }
    }
}

mod builds;
mod losses;
mod replays;
#[cfg(test)]
mod tests;
