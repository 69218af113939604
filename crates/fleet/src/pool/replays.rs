//! Units that a second worker repeats, and the handling of different answers.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;
use std::time::{Duration, Instant};

use super::{Arrived, FleetPool, POLL_INTERVAL, State, Task, key_of};
use crate::streams::LONGEST_SILENCE;
use leitai_players::play::Unit;
use leitai_runs::tournament::{PairReply, fingerprint};

/// The maximum number of offers to other workers before the coordinator plays the unit itself.
pub(super) const MAX_REPLAYS: u32 = 4;

/// A replay is overdue after this many times the duration of the longest unit, plus the lease.
const REPLAY_PATIENCE: u32 = 3;

/// An answered unit that another worker should repeat.
pub(super) struct Replayed {
    pub(super) unit: Unit,
    pub(super) message: String,
    pub(super) attempt: u32,
    /// The worker of the first answer, with the answer's fingerprint.
    pub(super) worker: String,
    pub(super) print: u64,
    /// The number of offers, and the time of the last one.
    pub(super) offers: u32,
    pub(super) since: Instant,
}

impl FleetPool {
    /// Offers a unit to other workers as soon as there are any. If no other worker takes it after
    /// several offers, the coordinator plays it.
    pub(super) fn replay(&self, state: &mut State, pair: u64) {
        let Some(replayed) = state.replayed.get(&pair) else {
            return;
        };
        let mut workers = state.workers.iter();
        let has_others = workers.any(|((name, _), (heartbeat, heard))| {
            *name != replayed.worker
                && heard.elapsed() < LONGEST_SILENCE
                && self.takes_part(state, name, heartbeat)
        });
        if !has_others {
            return;
        }
        if replayed.offers >= MAX_REPLAYS {
            self.play_here(state, pair);
            return;
        }
        if let Some(replayed) = state.replayed.get_mut(&pair) {
            replayed.offers += 1;
            self.send_replay(pair, replayed);
        }
    }

    fn send_replay(&self, pair: u64, replayed: &mut Replayed) {
        replayed.attempt += 1;
        replayed.since = Instant::now();
        self.task(Task::Offer {
            pair,
            attempt: replayed.attempt,
            message: replayed.message.clone(),
            is_replay: true,
        });
    }

    /// Offers all units again that a second worker should repeat.
    pub(super) fn offer_replays_again(&self, state: &mut State) {
        let offered = state.replayed.iter_mut().filter(|(_, it)| it.offers > 0);
        offered.for_each(|(&pair, replayed)| self.send_replay(pair, replayed));
    }

    pub(super) fn compare_replay(
        &self,
        state: &mut State,
        pair: u64,
        arrived: &Arrived<'_>,
        answer: &PairReply,
    ) {
        let print = fingerprint(answer);
        let Entry::Occupied(entry) = state.replayed.entry(pair) else {
            return;
        };
        let replayed = entry.get();
        if key_of(&replayed.message) != arrived.unit {
            return;
        }
        if print == replayed.print && replayed.worker == arrived.worker {
            self.replay(state, pair);
            return;
        }
        let replayed = entry.remove();
        if print != replayed.print {
            let first = (replayed.worker, replayed.print);
            let answers = vec![first, (arrived.worker.to_owned(), print)];
            self.put_in_dispute(state, replayed.unit, answers);
        }
    }

    /// Lets the coordinator play a unit that another worker should have repeated.
    fn play_here(&self, state: &mut State, pair: u64) {
        if let Some(replayed) = state.replayed.remove(&pair) {
            let answers = vec![(replayed.worker, replayed.print)];
            self.put_in_dispute(state, replayed.unit, answers);
        }
    }

    /// Makes all offers older.
    #[cfg(test)]
    pub(super) fn backdate_replays(&self, time: Duration) {
        for replayed in leitai_base::threads::lock(&self.state)
            .replayed
            .values_mut()
        {
            replayed.since -= time;
        }
    }

    /// Lets the coordinator play all units that were offered and have no second answer.
    pub(super) fn play_rest_here(&self, state: &mut State) {
        let rest = state.replayed.iter().filter(|(_, it)| it.offers > 0);
        let rest: Vec<u64> = rest.map(|(&pair, _)| pair).collect();
        for pair in rest {
            self.play_here(state, pair);
        }
    }

    /// Offers units again that a worker has taken and not answered; `waiting` are the units in the
    /// server's queue. The coordinator plays overdue units: a dishonest worker might hold them for
    /// ever.
    pub(super) fn look_after_replays(&self, state: &mut State, waiting: &BTreeSet<u64>) {
        let late = self.terms.lease + POLL_INTERVAL;
        let overdue = late + state.longest.unwrap_or_default() * REPLAY_PATIENCE;
        let offered = state.replayed.iter().filter(|(_, it)| it.offers > 0);
        let ages = offered.map(|(&pair, it)| (pair, it.since.elapsed()));
        let ages: Vec<(u64, Duration)> = ages.filter(|&(_, age)| age > late).collect();
        for (pair, age) in ages {
            if age > overdue {
                self.play_here(state, pair);
            } else if !waiting.contains(&pair) {
                self.replay(state, pair);
            }
        }
    }
}
