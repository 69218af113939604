//! A long test scaled down: hypotheses and strengths farther apart, and fewer pairs.

use super::simulation::SimulatedTest;
use crate::Hypotheses;

/// The factor between the hypotheses of a scaled-down test and those of the long one.
///
/// With small steps, the evidence is a Brownian motion. If hypotheses are `k` times as far apart,
/// and the strength is `k` times as far from their middle, the test passes equally often after
/// `1/k²` of the pairs (Karatzas and Shreve, Brownian Motion and Stochastic Calculus, lemma 2.9.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    factor: f64,
    /// Middle of the hypotheses, in Elo.
    middle: f64,
    hypotheses: Hypotheses,
}

impl Stretch {
    /// Scales a test of `hypotheses` down by the factor `fewer` in pairs. `None` if `fewer` is at
    /// most 1 or a hypothesis would exceed the limit.
    pub fn new(hypotheses: Hypotheses, fewer: f64) -> Option<Self> {
        let factor = fewer.sqrt();
        let middle = f64::midpoint(hypotheses.elo0(), hypotheses.elo1());
        let stretched = |elo: f64| middle + factor * (elo - middle);
        let (elo0, elo1) = (stretched(hypotheses.elo0()), stretched(hypotheses.elo1()));
        let hypotheses = Hypotheses::new(elo0, elo1, hypotheses.model()).ok()?;
        (factor > 1.0).then_some(Self {
            factor,
            middle,
            hypotheses,
        })
    }

    /// The hypotheses of the scaled-down test.
    pub fn hypotheses(&self) -> Hypotheses {
        self.hypotheses
    }

    /// The ratio of the distances between the hypotheses.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Scales a true strength, in Elo, to the scaled-down test.
    pub fn elo(&self, elo: f64) -> f64 {
        self.middle + self.factor * (elo - self.middle)
    }

    /// Scales a number of pairs to the scaled-down test, at least 1.
    pub fn pairs(&self, pairs: u64) -> u64 {
        (pairs as f64 / (self.factor * self.factor)).ceil().max(1.0) as u64
    }

    /// Scales results of the scaled-down test to the long one.
    #[must_use]
    pub fn back(&self, small: SimulatedTest) -> SimulatedTest {
        let square = self.factor * self.factor;
        SimulatedTest {
            pairs: square * small.pairs,
            pairs_error: square * small.pairs_error,
            covariance: square * small.covariance,
            ..small
        }
    }
}
