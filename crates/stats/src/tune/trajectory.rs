//! Values of a tuner from its first result to its last, computed from the record alone, so that
//! they do not depend on the number of threads or on interruptions of the tune.

use serde::Serialize;

use super::{BadResult, Tuner};
use crate::Pentanomial;

/// Values of a tuner after some of its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrajectoryPoint {
    /// Number of games so far.
    pub games: u64,
    /// [`Tuner::estimate`] after these games: in the parameters' own units, within the bounds, not
    /// rounded.
    pub values: Vec<f64>,
    /// [`Tuner::errors`] after these games: one standard error of each value, `None` if the
    /// algorithm has none (yet).
    pub errors: Option<Vec<f64>>,
}

impl TrajectoryPoint {
    fn of(tuner: &Tuner) -> Self {
        Self {
            games: 2 * tuner.pairs_seen(),
            values: tuner.estimate(),
            errors: tuner.errors(),
        }
    }
}

/// The values from the first game to the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Trajectory {
    /// Points in strictly rising order of games.
    pub points: Vec<TrajectoryPoint>,
}

/// Returns the trajectory of a tune: the state of the fresh `tuner`, then that after each of
/// `samples` equal shares of its budget, as far as `results` reach, and that after the last of
/// them.
///
/// A share ends with the first batch that completes it; shares that end with the same batch are one
/// point. The results are those of the batches from 0 on, in order and without a gap.
///
/// # Errors
/// [`BadResult`] if the results are not those of this tuner's batches.
pub fn trajectory(
    mut tuner: Tuner,
    results: impl IntoIterator<Item = (u64, Pentanomial)>,
    samples: usize,
) -> Result<Trajectory, BadResult> {
    let mut points = vec![TrajectoryPoint::of(&tuner)];
    points.extend(shares(&mut tuner, results, samples as u64, samples)?);
    let end = 2 * tuner.pairs_seen();
    if points.last().is_none_or(|last| last.games != end) {
        points.push(TrajectoryPoint::of(&tuner));
    }
    Ok(Trajectory { points })
}

/// Returns the values at `count` moments between the start and the end, which divide the budget
/// into `count + 1` equal shares: candidates for games against both. Fewer if the results do not
/// reach that far, or if batches are so large that two shares end with the same one.
///
/// # Errors
/// The same as for [`trajectory`].
pub fn checkpoints(
    mut tuner: Tuner,
    results: impl IntoIterator<Item = (u64, Pentanomial)>,
    count: usize,
) -> Result<Vec<TrajectoryPoint>, BadResult> {
    let mut points = shares(&mut tuner, results, count as u64 + 1, count)?;
    let whole = 2 * tuner.plan().pairs;
    points.retain(|point| point.games < whole);
    Ok(points)
}

/// Passes all results to the tuner, and returns the state after each of the first `count` of `of`
/// equal shares of the budget.
fn shares(
    tuner: &mut Tuner,
    results: impl IntoIterator<Item = (u64, Pentanomial)>,
    of: u64,
    count: usize,
) -> Result<Vec<TrajectoryPoint>, BadResult> {
    let budget = u128::from(tuner.plan().pairs.max(1));
    let complete = |pairs: u64| u128::from(pairs) * u128::from(of) / budget;
    let mut points = Vec::new();
    let mut before = 0;
    for (number, result) in results {
        tuner.tell(number, &result)?;
        let now = complete(tuner.pairs_seen()).min(count as u128);
        if now > before {
            points.push(TrajectoryPoint::of(tuner));
        }
        before = now;
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::{Benchmark, Method, Outcomes, Plan, Purpose, Surface, standard_space};

    fn tuner(method: &Method, pairs: u64, batch: u32) -> Tuner {
        let plan = Plan {
            batch,
            window: 4,
            ..Plan::usual(pairs, 7)
        };
        Tuner::new(standard_space(3).expect("a space"), method, plan).expect("a tuner")
    }

    /// Plays a whole tune on a known surface, and returns its results and the tuner at the end.
    fn played(method: &Method, pairs: u64, batch: u32) -> (Vec<(u64, Pentanomial)>, Tuner) {
        let surface = Surface::draw(&Benchmark::usual(0), 3, 5).expect("a surface");
        let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
        let mut tuner = tuner(method, pairs, batch);
        let mut results = Vec::new();
        while let Some(proposal) = tuner.ask(tuner.results_seen()).cloned() {
            let loss = |values: &[f64]| surface.loss(&tuner.space().to_steps(values));
            let elo = loss(&proposal.minus) - loss(&proposal.plus);
            let mut random = Purpose::Result.random(1, proposal.number);
            let result = outcomes.draw(elo, proposal.pairs, &mut random);
            tuner.tell(proposal.number, &result).expect("in order");
            results.push((proposal.number, result));
        }
        (results, tuner)
    }

    fn games(points: &[TrajectoryPoint]) -> Vec<u64> {
        points.iter().map(|point| point.games).collect()
    }

    #[test]
    fn it_leads_from_the_start_to_the_end() {
        for method in [
            Method::default(),
            Method::averaged_spsa(),
            Method::hill_climb(),
        ] {
            let (results, end) = played(&method, 1_001, 8);
            let whole =
                trajectory(tuner(&method, 1_001, 8), results.clone(), 10).expect("a trajectory");
            let first = &whole.points[0];
            assert_eq!((first.games, &first.values), (0, &end.space().start()));
            let last = whole.points.last().expect("a last one");
            assert_eq!(last.games, 2_002);
            assert_eq!(last.values, end.estimate());
            assert_eq!(last.errors, end.errors());
            // 1,001 pairs in batches of 8: a tenth ends with the 13th batch.
            let shares = [0, 208, 416, 608, 816, 1008, 1216, 1408, 1616, 1808, 2002];
            assert_eq!(games(&whole.points), shares);
            let again = trajectory(tuner(&method, 1_001, 8), results, 10).expect("a trajectory");
            assert_eq!(whole, again);
        }
    }

    /// The trajectory of a stopped tune is the beginning of that of the whole tune.
    #[test]
    fn a_stopped_tune_has_the_beginning() {
        let method = Method::default();
        let (results, _) = played(&method, 1_000, 10);
        let whole =
            trajectory(tuner(&method, 1_000, 10), results.clone(), 20).expect("a trajectory");
        for batches in [0, 1, 37, 99] {
            let part = results[..batches].iter().copied();
            let part = trajectory(tuner(&method, 1_000, 10), part, 20).expect("a trajectory");
            let (last, before) = part.points.split_last().expect("a point");
            assert_eq!(before, &whole.points[..before.len()]);
            assert_eq!(last.games, 20 * batches as u64);
        }
    }

    #[test]
    fn checkpoints_lie_between_start_and_end() {
        let method = Method::default();
        let (results, _) = played(&method, 1_000, 10);
        let fresh = || tuner(&method, 1_000, 10);
        let points = checkpoints(fresh(), results.clone(), 4).expect("a trajectory");
        assert_eq!(games(&points), [400, 800, 1200, 1600]);
        let whole = trajectory(fresh(), results.clone(), 5).expect("a trajectory");
        assert_eq!(points, whole.points[1..5]);
        let none = checkpoints(fresh(), results.clone(), 0).expect("a trajectory");
        assert!(none.is_empty());
        let part = results[..50].iter().copied();
        assert_eq!(
            games(&checkpoints(fresh(), part, 4).expect("a trajectory")),
            [400, 800]
        );
    }

    /// Budgets of one batch, more samples than batches, and no samples.
    #[test]
    fn few_batches_are_few_points() {
        let method = Method::default();
        let (results, _) = played(&method, 30, 10);
        let at = |samples| {
            let whole = trajectory(tuner(&method, 30, 10), results.clone(), samples);
            games(&whole.expect("a trajectory").points)
        };
        assert_eq!(at(0), [0, 60]);
        assert_eq!(at(1), [0, 60]);
        assert_eq!(at(1000), [0, 20, 40, 60]);
        assert_eq!(at(usize::MAX), [0, 20, 40, 60]);
        let (one, _) = played(&method, 5, 10);
        let points = checkpoints(tuner(&method, 5, 10), one, 4).expect("a trajectory");
        assert!(points.is_empty(), "nothing lies between");
    }

    #[test]
    fn other_results_are_refused() {
        let method = Method::default();
        let (mut results, _) = played(&method, 30, 10);
        results.remove(1);
        let refused = trajectory(tuner(&method, 30, 10), results, 10);
        let message = refused.unwrap_err().to_string();
        assert!(
            message.starts_with("result of batch 2, but batch 1 is next"),
            "{message}"
        );
    }
}
