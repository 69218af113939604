//! The course of a run on a page: strength over pairs, and the cost of moves.

use super::move_costs::MoveCosts;
use crate::Results;
use leitai_players::play::PairRecord;
use leitai_runs::tournament::{Plan, Standings};
use leitai_stats::Ranged;

/// Largest number of points of a course: more would be invisible.
const POINTS: usize = 320;

/// Largest number of pairings with a course.
pub(super) const MAX: usize = 6;

/// Elo of each of the first pairings over the pairs of the run.
#[derive(Clone, Debug)]
pub struct Course {
    /// Number of counted pairs, and Elo with its confidence sequence for each pairing.
    pub points: Vec<(u64, Vec<Ranged>)>,
    /// Distance of points in pairs: a power of two.
    every: u64,
    /// Cost of each variant's moves.
    pub costs: Vec<MoveCosts>,
}

impl Course {
    /// The course of a run without pairs.
    pub fn new(plan: &Plan) -> Self {
        Self {
            points: Vec::new(),
            every: 1,
            costs: MoveCosts::none(&plan.config),
        }
    }

    /// Adds the next pair; `standings` already includes it.
    pub fn take(&mut self, plan: &Plan, standings: &Standings, pair: &PairRecord) {
        MoveCosts::add_pair(&mut self.costs, plan, pair);
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

    /// The course up to these standings, including the last pair.
    #[must_use]
    pub fn to(&self, standings: &Standings) -> Self {
        let mut course = self.clone();
        let last = course.points.last();
        if last.is_none_or(|last| last.0 != standings.played) {
            course.points.push((standings.played, elo(standings)));
        }
        course
    }
}

fn elo(standings: &Standings) -> Vec<Ranged> {
    let tallies = standings.tallies().zip(standings.effects()).take(MAX);
    tallies
        .map(|((_, tally), effect)| Results::of(tally, effect).any_time)
        .collect()
}
