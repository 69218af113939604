//! SPSA: simultaneous perturbation stochastic approximation (Spall, IEEE Trans. Automatic Control
//! 37, 1992), on pairs of games.
//!
//! `θᵢ += R · dᵢ · (wins - losses)`, where dᵢ is the realised half-difference of the two players:
//! the update takes rounding and bounds into account.

mod forecast;
mod schedule;

pub use forecast::Forecast;
pub use schedule::{Decay, Schedule};

use serde::{Deserialize, Serialize};

use super::played::{coordinates, lead, near_bounds, sides};
use super::{Plan, Players, Proposal, Space, Strategy};
use crate::Pentanomial;
use crate::RandomNumbers;

/// Step sizes, and the choice of the reported value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gains {
    /// Constant perturbation and rate; reports the mean of θ over the second half (Polyak and
    /// Juditsky, SIAM J. Control 30, 1992).
    Averaged {
        /// R; with `None`, [`Forecast`] chooses it from the budget.
        rate: Option<f64>,
    },
    /// fishtest's schedule; reports the last θ.
    Fishtest {
        /// `c_end` of each parameter in its unit; `None` is (max - min)/20.
        c_end: Option<Vec<f64>>,
        /// `r_end`; fishtest's default is 0.002.
        r_end: f64,
        /// Exponents and stabiliser.
        decay: Decay,
    },
}

/// Returns `c_end` of each parameter in steps; by default fishtest's twentieth of the range.
pub(super) fn ends(space: &Space, c_end: Option<&[f64]>) -> impl Iterator<Item = f64> {
    let dimensions = space.dimensions().iter().enumerate();
    dimensions.map(move |(i, dimension)| {
        let given = c_end.and_then(|c_end| c_end.get(i).copied());
        given.unwrap_or_else(|| dimension.half_range() / 10.0) / dimension.step
    })
}

/// Share of the budget after which θ is averaged.
const AVERAGE_FROM: f64 = 0.5;

/// SPSA as a tuner.
#[derive(Clone, Debug)]
pub(super) struct Spsa {
    theta: Vec<f64>,
    course: Course,
    sum: Vec<f64>,
    summed: f64,
    batch: u64,
    pairs: u64,
}

#[derive(Clone, Debug)]
enum Course {
    Averaged { scale: f64, rate: f64 },
    Fishtest(Vec<Schedule>),
}

impl Spsa {
    pub(super) fn new(space: &Space, plan: &Plan, gains: &Gains, scale: f64) -> Self {
        let n = space.len();
        let course = match gains {
            Gains::Averaged { rate } => {
                let forecast = Forecast::usual(n, 2.0 * plan.pairs as f64);
                Course::Averaged {
                    scale,
                    rate: rate.unwrap_or_else(|| forecast.best_rate().0),
                }
            }
            Gains::Fishtest {
                c_end,
                r_end,
                decay,
            } => {
                let schedule = |c_end| Schedule::new(plan.pairs, c_end, *r_end, *decay);
                Course::Fishtest(ends(space, c_end.as_deref()).map(schedule).collect())
            }
        };
        Self {
            theta: vec![0.0; n],
            course,
            sum: vec![0.0; n],
            summed: 0.0,
            batch: u64::from(plan.batch.max(1)),
            pairs: plan.pairs,
        }
    }

    /// Returns perturbation in steps and rate of the batch that begins after `issued` pairs:
    /// counted in proposed pairs, not in results.
    fn gains(&self, i: usize, issued: u64) -> (f64, f64) {
        match &self.course {
            Course::Averaged { scale, rate } => (*scale, *rate),
            Course::Fishtest(schedules) => {
                let schedule = &schedules[i];
                (schedule.perturbation(issued + 1), schedule.rate(issued + 1))
            }
        }
    }
}

impl Strategy for Spsa {
    fn propose(&self, space: &Space, _: u64, issued: u64, random: RandomNumbers) -> (u64, Players) {
        let reach = |i: usize| self.gains(i, issued).0;
        (0, sides(space, &self.theta, reach, random))
    }

    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        let issued = proposal.number * self.batch;
        let score = lead(result);
        for (i, (_, difference)) in coordinates(space, proposal).enumerate() {
            let (low, high) = space.bounds_in_steps(i);
            let rate = self.gains(i, issued).1;
            self.theta[i] = (self.theta[i] + rate * difference * score).clamp(low, high);
        }
        if issued as f64 >= AVERAGE_FROM * self.pairs as f64 {
            self.summed += 1.0;
            for (sum, theta) in self.sum.iter_mut().zip(&self.theta) {
                *sum += theta;
            }
        }
    }

    fn estimate(&self, space: &Space) -> Vec<f64> {
        match self.course {
            Course::Averaged { .. } if self.summed > 0.0 => {
                let mean = self.sum.iter().map(|s| s / self.summed);
                space.from_steps(&mean.collect::<Vec<_>>())
            }
            _ => space.from_steps(&self.theta),
        }
    }

    fn notes(&self, space: &Space) -> Vec<String> {
        near_bounds(space, &self.estimate(space), |i| {
            self.gains(i, self.pairs).0
        })
    }

    fn scale_perturbation(&mut self, factor: f64) {
        if let Course::Averaged { scale, .. } = &mut self.course {
            *scale *= factor;
        }
    }
}

#[cfg(test)]
mod tests;
