//! Strength over pairs, with intervals that hold at every look.

use crate::report::Results;
use crate::stats::Ranged;
use crate::store::{RunHandle, Store};
use crate::tournament::{Goal, Plan, Reach, RunError, Standings, recalled_watching};

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

/// What a recorded run adds up to, as [`recalled`](crate::tournament::recalled) has it for
/// `goal`, and the course to there; `standings` are those of the goal.
///
/// # Errors
/// The record cannot be read.
pub fn recalled_with_course<G: Goal>(
    goal: G,
    standings: impl Fn(&G) -> &Standings,
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
) -> Result<(G, Reach, Course), RunError> {
    let recorded = store.recorded_indices(run)?.count();
    let every = recorded.div_ceil(POINTS).max(1);
    let mut course = Course::default();
    let watch = |goal: &G| course.note(standings(goal), every);
    let (goal, reach) = recalled_watching(goal, plan, store, run, watch)?;
    // The last pair too.
    course.note(standings(&goal), 1);
    Ok((goal, reach, course))
}
