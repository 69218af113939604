//! Tuning: adjusting numbers of a player by the results of its games.
//!
//! ```text
//! space        tunable numbers: bounds, start, step, whole or real
//! tuner        asks for the next batch, receives its result; exactly resumable
//! method       the choice of an algorithm
//! regression   Bayesian regression of the slopes: the default
//! spsa         simultaneous perturbation, averaged or with fishtest's schedule
//! calibration  distance of perturbed players from the centre
//! hillclimb    steps of blocks of numbers, taken on estimates
//! synthetic    known surfaces, to compare algorithms without games
//! trajectory   values of a tuner, from its first result to its last
//! correlation  correlations of the errors of two parameters
//! expectation  expected remaining loss of a run, before its first game
//! ```
//!
//! This module reads no files, clocks or environment variables, and plays no games: a driver asks a
//! [`Tuner`] for batches, plays them, and passes the results to it in the order of the batches.
//! Everything depends only on space, method, plan (with the seed) and those results.

mod calibration;
mod correlation;
mod expectation;
mod hillclimb;
mod method;
mod played;
mod regression;
mod space;
mod spsa;
mod synthetic;
mod trajectory;
mod tuner;

pub use calibration::band;
pub use correlation::{Correlation, error_correlations};
pub use expectation::{Assumptions, Expectation, FEW_SEEDS, Needed, Rehearsal, expectation};
pub use hillclimb::{Blocks, HillClimb};
pub use method::{BadMethod, Method, NoEffect, Perturbation};
pub use space::{BadSpace, Dimension, Kind, Space};
pub use spsa::{Decay, Forecast, Gains, Schedule};
pub use synthetic::{
    BadBenchmark, Benchmark, Coverage, Outcomes, Shape, Simulated, Surface, Truth, coverage,
    run as run_synthetic, run_on as run_on_surface, standard_space,
};
pub use trajectory::{Trajectory, TrajectoryPoint, checkpoints, trajectory};
pub use tuner::{BadResult, Plan, Proposal, Reading, Tuner};
use tuner::{BoxedStrategy, Players, Strategy};

use crate::RandomNumbers;
use crate::logistic::ELO_PER_LOGIT;

/// Elo per unit of expected wins minus losses of a game, near equality: `800 / ln 10` = 347.4.
pub const ELO_PER_LEAD: f64 = 2.0 * ELO_PER_LOGIT;

/// Variance of wins minus losses of a game in pairs, among equals, with 40 % of games drawn and
/// openings that favour a side by 60 Elo.
pub const GAME_VARIANCE: f64 = 0.57;

/// The purpose of random numbers: each purpose has its own streams.
#[derive(Clone, Copy)]
enum Purpose {
    /// The proposal of a batch.
    Batch,
    /// The shifts of the regression's centres.
    Shift,
    /// A surface of the synthetic benchmark.
    Surface,
    /// A simulated result.
    Result,
}

impl Purpose {
    /// The random numbers of a batch or trial.
    fn random(self, seed: u64, number: u64) -> RandomNumbers {
        RandomNumbers::new(seed, (number << 2) | self as u64)
    }
}
