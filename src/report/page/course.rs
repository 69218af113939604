//! What a page tells of how a run went: strength over pairs, and what moves cost.

use super::spent::Spent;
use crate::play::PairRecord;
use crate::report::Results;
use crate::stats::Ranged;
use crate::tournament::{Plan, Standings};

/// Most points of a course: more would not be seen.
const POINTS: usize = 320;

/// Pairings whose courses are drawn.
pub(super) const MOST: usize = 6;

/// Elo of each of the first pairings after so many pairs of the run.
#[derive(Clone, Debug)]
pub struct Course {
    /// Pairs of the run that were counted, and for each pairing Elo with its confidence
    /// sequence.
    pub points: Vec<(u64, Vec<Ranged>)>,
    /// Pairs from one point to the next: a power of two.
    every: u64,
    /// What each variant spent on its moves.
    pub spent: Vec<Spent>,
}

impl Course {
    /// The course of a run of which nothing is played.
    pub fn new(plan: &Plan) -> Self {
        Self {
            points: Vec::new(),
            every: 1,
            spent: Spent::none(&plan.config),
        }
    }

    /// Takes the next pair, with which the standings are these.
    pub fn take(&mut self, plan: &Plan, standings: &Standings, pair: &PairRecord) {
        Spent::take(&mut self.spent, plan, pair);
        let pairs = standings.played;
        if !pairs.is_multiple_of(self.every) {
            return;
        }
        self.points.push((pairs, elo(standings)));
        if self.points.len() > POINTS {
            self.every *= 2;
            let every = self.every;
            self.points.retain(|(pairs, _)| pairs.is_multiple_of(every));
        }
    }

    /// The course to these standings, of the last pair.
    #[must_use]
    pub fn to(&self, standings: &Standings) -> Self {
        let mut course = self.clone();
        if course
            .points
            .last()
            .is_none_or(|last| last.0 != standings.played)
        {
            course.points.push((standings.played, elo(standings)));
        }
        course
    }
}

fn elo(standings: &Standings) -> Vec<Ranged> {
    let tallies = standings.tallies().zip(standings.effects()).take(MOST);
    tallies
        .map(|((_, tally), effect)| Results::of(tally, effect).any_time)
        .collect()
}
