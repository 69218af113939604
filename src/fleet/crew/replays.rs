//! Units that are played by a second worker, and what becomes of those that are answered otherwise.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::{Arrived, FleetCrew, LOOK, State, Task, key_of};
use crate::fleet::streams::LONGEST_SILENCE;
use crate::play::Unit;
use crate::tournament::{Answer, fingerprint};

/// How often a unit is offered again so that somebody else plays it, before the coordinator does.
pub(super) const MOST_REPLAYS: u32 = 4;

/// A replay that takes so many times as long as the longest unit, and a lease, is overdue.
const REPLAY_PATIENCE: u32 = 3;

/// A unit that was answered and is to be played by somebody else.
pub(super) struct Replayed {
    pub(super) unit: Unit,
    pub(super) message: String,
    pub(super) attempt: u32,
    /// Who has played it, and what came of it.
    pub(super) worker: String,
    pub(super) print: u64,
    /// Offered again so often, and when last.
    pub(super) offers: u32,
    pub(super) since: Instant,
}

impl Replayed {
    /// One that `worker` has played, with that result, and nobody was offered again yet.
    pub(super) fn new(
        unit: &Unit,
        message: String,
        attempt: u32,
        worker: &str,
        print: u64,
    ) -> Self {
        Self {
            unit: unit.clone(),
            message,
            attempt,
            worker: worker.to_owned(),
            print,
            offers: 0,
            since: Instant::now(),
        }
    }
}

impl FleetCrew {
    /// Offers a unit again that is to be played by somebody else, as soon as somebody else takes
    /// part. If it comes to nobody else, or goes astray, it is for the coordinator to play.
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
        if replayed.offers >= MOST_REPLAYS {
            self.play_here(state, pair);
            return;
        }
        let Some(replayed) = state.replayed.get_mut(&pair) else {
            return;
        };
        replayed.offers += 1;
        replayed.attempt += 1;
        replayed.since = Instant::now();
        self.task(Task::Offer {
            pair,
            attempt: replayed.attempt,
            message: replayed.message.clone(),
            is_replay: true,
        });
    }

    pub(super) fn compare_replay(
        &self,
        state: &mut State,
        pair: u64,
        arrived: &Arrived<'_>,
        answer: &Answer,
    ) {
        let print = fingerprint(answer);
        let Some(replayed) = state.replayed.get(&pair) else {
            return;
        };
        if key_of(&replayed.message) != arrived.unit {
            return;
        }
        if print == replayed.print {
            if replayed.worker == arrived.worker {
                self.replay(state, pair);
            } else {
                state.replayed.remove(&pair);
            }
            return;
        }
        if let Some(replayed) = state.replayed.remove(&pair) {
            let answers = vec![
                (replayed.worker, replayed.print),
                (arrived.worker.to_owned(), print),
            ];
            self.put_in_dispute(state, replayed.unit, answers);
        }
    }

    /// Has the coordinator play a unit that others should have played again.
    fn play_here(&self, state: &mut State, pair: u64) {
        if let Some(replayed) = state.replayed.remove(&pair) {
            let answers = vec![(replayed.worker, replayed.print)];
            self.put_in_dispute(state, replayed.unit, answers);
        }
    }

    /// Has all be offered so much earlier.
    #[cfg(test)]
    pub(super) fn backdate_replays(&self, time: Duration) {
        for replayed in self.state().replayed.values_mut() {
            replayed.since -= time;
        }
    }

    /// Has the coordinator play all that others were offered and have not answered.
    pub(super) fn play_rest_here(&self, state: &mut State) {
        let rest = state.replayed.iter().filter(|(_, it)| it.offers > 0);
        let rest: Vec<u64> = rest.map(|(&pair, _)| pair).collect();
        for pair in rest {
            self.play_here(state, pair);
        }
    }

    /// Offers again what was taken off the queue and not answered, `waiting` being the units that
    /// the server holds; what is there and is not answered for long is played by the
    /// coordinator: whoever does not want to be found out may hold it for ever.
    pub(super) fn look_after_replays(&self, state: &mut State, waiting: &BTreeSet<u64>) {
        let late = self.lease + LOOK;
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
