//! Units that are played by a second worker, and what becomes of those that are answered otherwise.

use std::collections::BTreeSet;
use std::time::Instant;

use super::{Arrived, FleetCrew, LOOK, State, Task, key_of};
use crate::fleet::streams::LONGEST_SILENCE;
use crate::play::Unit;
use crate::tournament::{Answer, fingerprint};

/// How often a unit is offered again so that somebody else plays it, before the coordinator does.
pub(super) const MOST_REPLAYS: u32 = 4;

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
            if let Some(replayed) = state.replayed.remove(&pair) {
                let answers = vec![(replayed.worker, replayed.print)];
                self.put_in_dispute(state, replayed.unit, answers);
            }
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

    /// Offers again what was taken off the queue and not answered: `waiting` are the units that
    /// the server holds.
    pub(super) fn look_after_replays(&self, state: &mut State, waiting: &BTreeSet<u64>) {
        // Taken off without an answer, as whoever does not want to be found out does.
        let all = state.replayed.iter();
        let lost = all.filter(|(pair, replayed)| {
            !waiting.contains(pair) && replayed.since.elapsed() > self.lease + LOOK
        });
        let lost: Vec<u64> = lost.map(|(&pair, _)| pair).collect();
        for pair in lost {
            self.replay(state, pair);
        }
    }
}
