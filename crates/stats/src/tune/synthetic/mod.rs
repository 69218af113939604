//! The synthetic benchmark: surfaces of known shape, and simulated results.
//!
//! No games are played, so a run takes milliseconds, and the Elo that a tuner leaves is known
//! exactly. The surfaces are (nearly) parabolas and the algorithms know their scale: real surfaces
//! are harder, and a perturbation that is too long looks better here than it is.

mod coverage;
mod outcome;
mod surface;

pub use coverage::{Coverage, Truth, coverage};
pub use outcome::Outcomes;
use serde::Serialize;
pub use surface::{Shape, Surface};
use thiserror::Error;

use super::Purpose;
use super::{BadMethod, BadSpace, Dimension, Kind, Method, Plan, Space, Tuner};
use crate::BadLaw;

/// Parameters of a simulation; lengths are in steps of the space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Benchmark {
    /// The form of the surfaces.
    pub shape: Shape,
    /// Ratio of largest to smallest curvature, at least 1; curvatures are log-uniform between.
    pub condition: f64,
    /// Standard deviation of the optimum's coordinates around the start.
    pub distance: f64,
    /// Elo lost at the start.
    pub start_loss: f64,
    /// Share of drawn games among equals, 0..1.
    pub draw_rate: f64,
    /// Bias of the openings in Elo.
    pub opening_bias: f64,
    /// Number of games of a run.
    pub games: u64,
}

impl Benchmark {
    /// The usual benchmark: condition number 10, optimum one step away in each coordinate, 100 Elo
    /// to gain; 40 % draws and openings that favour a side by 60 Elo, so that wins minus losses of
    /// a game have a variance of 0.571.
    pub fn usual(games: u64) -> Self {
        Self {
            shape: Shape::Quadratic,
            condition: 10.0,
            distance: 1.0,
            start_loss: 100.0,
            draw_rate: 0.4,
            opening_bias: 60.0,
            games,
        }
    }
}

/// A reason why a benchmark cannot be simulated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadBenchmark {
    /// Draw rate and bias give no law.
    #[error(transparent)]
    Law(#[from] BadLaw),
    /// The settings of the algorithm are invalid.
    #[error(transparent)]
    Method(#[from] BadMethod),
    /// A size of the surface is invalid.
    #[error("{0}")]
    Size(String),
}

/// Remaining losses of an algorithm over several surfaces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Simulated {
    /// Elo lost at the reported values, for each seed.
    pub left: Vec<f64>,
    /// Mean of `left`; `None` without seeds.
    pub mean: Option<f64>,
    /// Standard error of the mean; `None` below two seeds.
    pub standard_error: Option<f64>,
}

impl Simulated {
    /// Summarizes the Elo left in each run.
    pub fn new(left: Vec<f64>) -> Self {
        let n = left.len() as f64;
        let mean = (!left.is_empty()).then(|| left.iter().sum::<f64>() / n);
        let standard_error = mean.filter(|_| left.len() > 1).map(|mean| {
            let squares: f64 = left.iter().map(|x| (x - mean) * (x - mean)).sum();
            (squares / (n - 1.0) / n).sqrt()
        });
        Self {
            left,
            mean,
            standard_error,
        }
    }
}

/// Creates the space of the published table: `n` real numbers from -3 to 3 that start at 0, with
/// steps of 1.
///
/// # Errors
/// [`BadSpace`] if `n` is 0.
pub fn standard_space(n: usize) -> Result<Space, BadSpace> {
    let dimension = |i: usize| Dimension {
        name: format!("x{i}"),
        min: -3.0,
        max: 3.0,
        start: 0.0,
        step: 1.0,
        kind: Kind::Real,
    };
    Space::new((0..n).map(dimension).collect())
}

/// Tunes the surface of one seed and returns the Elo lost at the reported values, rounded to
/// playable ones.
///
/// # Errors
/// [`BadBenchmark`] if the benchmark cannot be simulated.
pub fn run(
    method: &Method,
    space: &Space,
    benchmark: &Benchmark,
    outcomes: &Outcomes,
    seed: u64,
) -> Result<f64, BadBenchmark> {
    let surface = Surface::draw(benchmark, space.len(), seed)?;
    let plan = Plan::usual(benchmark.games / 2, seed);
    run_on(method, space, plan, &surface, outcomes)
}

/// Tunes a surface and returns the Elo lost at the reported values, rounded to playable ones.
///
/// # Errors
/// [`BadBenchmark::Method`] if the space and the settings of the algorithm do not fit.
pub fn run_on(
    method: &Method,
    space: &Space,
    plan: Plan,
    surface: &Surface,
    outcomes: &Outcomes,
) -> Result<f64, BadBenchmark> {
    let mut tuner = Tuner::new(space.clone(), method, plan)?;
    results(&mut tuner, surface, outcomes);
    Ok(surface.loss(&space.to_steps(&space.nearest(&tuner.estimate()))))
}

/// Passes a tuner all results of its batches on a surface.
pub(super) fn results(tuner: &mut Tuner, surface: &Surface, outcomes: &Outcomes) {
    let seed = tuner.plan().seed;
    while let Some(proposal) = tuner.ask(tuner.results_seen()) {
        let loss = |values: &[f64]| surface.loss(&tuner.space().to_steps(values));
        let elo = loss(&proposal.minus) - loss(&proposal.plus);
        let number = proposal.number;
        let mut random = Purpose::Result.random(seed, number);
        let result = outcomes.draw(elo, proposal.pairs, &mut random);
        if tuner.tell(number, &result).is_err() {
            break; // Not reached: the batch was asked for just now.
        }
    }
}

#[cfg(test)]
mod tests;
