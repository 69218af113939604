//! The results of each worker of a run.

use std::collections::HashMap;

use crate::store::WorkerName;
use leitai_game::Cause;
use leitai_players::play::PairRecord;
use leitai_stats::{Pentanomial, Trinomial};

/// The pairs of one worker.
#[derive(Clone, Debug, Default)]
pub struct WorkerTally {
    /// The worker's name; `None` for the process that records the run.
    pub name: Option<WorkerName>,
    /// The worker's results for the first variant of each pairing, by pairing.
    pub pairings: Vec<(Pentanomial, Trinomial)>,
    /// Finished pairs, including those that are not counted.
    pub played: u64,
    /// The total duration of the pairs, in microseconds.
    pub elapsed_us: u64,
    /// The number of times that players exceeded their time, including replayed attempts.
    pub time_losses: u64,
    /// The number of other failures, without pauses of the machine.
    pub failures: u64,
}

impl WorkerTally {
    /// The worker's results for the first variants of all pairings together.
    pub fn all(&self) -> (Pentanomial, Trinomial) {
        let mut all = (Pentanomial::default(), Trinomial::default());
        for (pairs, games) in &self.pairings {
            all.0 += *pairs;
            all.1 += *games;
        }
        all
    }
}

/// The pairs of all workers of a run: a fold over its pairs in schedule order.
#[derive(Clone, Debug, Default)]
pub struct Workers {
    numbers: HashMap<Option<WorkerName>, usize>,
    tallies: Vec<WorkerTally>,
}

impl Workers {
    /// Takes a pair that a worker played in this number of microseconds, counted or not. Returns
    /// the worker's number.
    pub(super) fn take(
        &mut self,
        name: Option<&WorkerName>,
        elapsed_us: u64,
        record: &PairRecord,
    ) -> usize {
        let next = self.tallies.len();
        let number = *self.numbers.entry(name.cloned()).or_insert(next);
        if number == next {
            self.tallies.push(WorkerTally {
                name: name.cloned(),
                ..WorkerTally::default()
            });
        }
        let tally = &mut self.tallies[number];
        tally.played += 1;
        tally.elapsed_us = tally.elapsed_us.saturating_add(elapsed_us);
        for fault in record.spoilt.iter().copied().chain(record.faults()) {
            match fault.cause {
                Cause::TimeForfeit => tally.time_losses += 1,
                Cause::Pause => {}
                _ => tally.failures += 1,
            }
        }
        number
    }

    /// Counts a pair of a pairing for the worker with that number.
    pub(super) fn count(
        &mut self,
        number: usize,
        pairing: usize,
        pairs: Pentanomial,
        games: Trinomial,
    ) {
        let all = &mut self.tallies[number].pairings;
        if all.len() <= pairing {
            all.resize_with(pairing + 1, Default::default);
        }
        all[pairing].0 += pairs;
        all[pairing].1 += games;
    }

    /// The workers in the order of their names, the process itself first.
    pub fn tallies(&self) -> Vec<&WorkerTally> {
        let mut all: Vec<_> = self.tallies.iter().collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// The number of workers.
    pub fn len(&self) -> usize {
        self.tallies.len()
    }

    /// Returns whether no pair was played.
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// The results of one pairing, a row for each worker.
    pub fn of_pairing(&self, pairing: usize) -> Vec<Pentanomial> {
        let tallies = self.tallies.iter();
        let rows = tallies.filter_map(|it| it.pairings.get(pairing));
        rows.map(|row| row.0).collect()
    }
}
