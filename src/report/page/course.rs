//! Strength over pairs, with intervals that hold at every look.

use std::iter;

use crate::gate::Trials;
use crate::report::Results;
use crate::stats::Ranged;
use crate::store::{RunHandle, Store};
use crate::tournament::{Plan, RunError, Standings, recalled_watching};

/// Points of a course: more would not be seen.
const POINTS: u64 = 160;

/// Pairings whose courses are drawn.
pub(super) const MOST: usize = 6;

/// Elo of each of the first pairings after so many pairs of the run.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Pairs of the run that were counted, and for each pairing Elo with its confidence
    /// sequence.
    pub points: Vec<(u64, Vec<Ranged>)>,
}

impl Course {
    fn note(&mut self, standings: &Standings, every: u64) {
        let pairs = standings.played;
        let last = self.points.last().map_or(0, |point| point.0);
        if pairs >= last + every {
            self.points.push((pairs, elo(standings)));
        }
    }
}

fn elo(standings: &Standings) -> Vec<Ranged> {
    let tallies = standings.tallies().zip(standings.effects()).take(MOST);
    tallies
        .map(|((_, tally), effect)| Results::of(tally, effect).any_time)
        .collect()
}

/// The course of a recorded run, as its pairs count one after the other.
///
/// # Errors
/// The record cannot be read.
pub fn course(plan: &Plan, store: &Store, run: &RunHandle) -> Result<Course, RunError> {
    let recorded = store.recorded_indices(run)?.count();
    let every = recorded.div_ceil(POINTS).max(1);
    let mut course = Course::default();
    let gate = plan.config.gate.as_ref();
    let standings =
        if let Some(trials) = gate.and_then(|gate| Trials::new(gate, &plan.schedule).ok()) {
            let watch = |trials: &Trials| course.note(&trials.standings, every);
            recalled_watching(trials, plan, store, run, watch)?
                .0
                .standings
        } else {
            let standings = Standings::new(plan.schedule.pairings());
            let watch = |standings: &Standings| course.note(standings, every);
            recalled_watching(standings, plan, store, run, watch)?.0
        };
    let end = (standings.played, elo(&standings));
    let is_told = course.points.last().is_some_and(|point| point.0 == end.0);
    course
        .points
        .extend(iter::once(end).filter(|end| end.0 > 0 && !is_told));
    Ok(course)
}
