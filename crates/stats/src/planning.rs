//! Planning of tests: the probability of passing and the expected number of games.
//!
//! All formulas use the variance v of one game within its pair. For equal players, draw rate d and
//! openings that give one side the score ½ ± b by root mean square, it is `v = (1-d)/4 - b²`,
//! because colours are swapped and the bias cancels within the pair.
//!
//! # The sequential test
//!
//! The log-likelihood ratio is close to a Brownian motion between Wald's bounds a < 0 < b. At the
//! true score s, with `w² = (s₁-s₀)²/v` the variance of the ratio per game and `h =
//! (2s-s₀-s₁)/(s₁-s₀)`:
//!
//! ```text
//! P(pass) = (1 - e^(-ha)) / (e^(-hb) - e^(-ha))
//! games   = (2/h) (b P + a (1-P)) / w²          h → 0: P = -a/(b-a), -ab/w²
//! ```
//!
//! Sources: Wald, Sequential Analysis (1947), sections 3.4 and 3.5; the same model as fishtest's
//! calculator (`sprt.js`). A normalized hypothesis of t Elo means the score `½ + t/347.44 · √v`.
//! The code evaluates the formulas in forms that lose no digits for small or large h.
//!
//! # Range of the formulas
//!
//! The formulas assume small steps. Below [`FORMULA_PAIRS`] pairs the test itself is simulated:
//! [`SimulatedTest`]. A test that is too long to simulate is scaled down: [`Stretch`].
//!
//! # A fixed number of games
//!
//! One-sided test of H0 at level α: power `Φ((s-s₀)√(G/v) - z₁₋α)`, and `G = (z₁₋α + z₁₋β)²
//! v/(s-s₀)²` games for the power 1-β (Lehmann and Romano, Testing Statistical Hypotheses, section
//! 3.9, normal approximation).

mod capped;
mod simulation;
mod stretch;

use serde::Serialize;
use thiserror::Error;

use super::logistic::{ELO_PER_LOGIT, elo_from_score, score_from_elo};
use super::normal::{self, Z95};
use super::{ErrorRates, Hypotheses, Model, Pentanomial};

pub use self::capped::Capped;
pub use self::simulation::{Matches, SimulatedTest, TooLong};
pub use self::stretch::Stretch;

/// Normalized Elo per unit of (μ-½)/σ: 800/ln 10 = 347.435 585 522 601 46.
pub(super) const NELO_PER_SIGMA: f64 = 2.0 * ELO_PER_LOGIT;

/// Expected pairs above which the formulas are accurate to two or three per cent for any law of the
/// pairs; docs/statistics-planning.md has the measurements.
pub const FORMULA_PAIRS: f64 = 1_000.0;

/// A reason why a test cannot be planned.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BadPlan {
    /// The draw rate is not a probability below 1.
    #[error("the draw rate ({0}) must lie between 0 and 1, 1 excluded")]
    DrawRate(f64),
    /// The bias is not a valid number of Elo.
    #[error("the opening bias ({0}) must be a number of Elo between 0 and 2000")]
    Bias(f64),
    /// The draw rate is too high for the bias of the openings.
    #[error(
        "a draw rate of {draw_rate} and an opening bias of {bias} Elo contradict each other: \
         with this draw rate the bias is below {most:.1} Elo"
    )]
    Contradiction {
        /// Share of drawn games.
        draw_rate: f64,
        /// The bias in Elo.
        bias: f64,
        /// The bias at which no variance is left, in Elo.
        most: f64,
    },
    /// The scores of the hypotheses differ by less than 1e-15.
    #[error("elo0 and elo1 are too close to tell apart")]
    SameHypotheses,
    /// The pilot has no pairs, or all its pairs have the same result.
    #[error("the pilot has no spread: it needs pairs with at least two different results")]
    Pilot,
}

/// The variance of one game's score within its pair: half the variance of the pair's sum.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct GameVariance(f64);

impl GameVariance {
    /// Computes the variance from the share of drawn games (0..1) and the root mean square of the
    /// openings' bias in Elo: the lead, among equals, of the side that the opening favours.
    ///
    /// # Errors
    /// [`BadPlan`] if either is out of range or both leave no variance.
    pub fn from_rates(draw_rate: f64, bias: f64) -> Result<Self, BadPlan> {
        if !(0.0..1.0).contains(&draw_rate) {
            return Err(BadPlan::DrawRate(draw_rate));
        }
        if !(0.0..=2000.0).contains(&bias) {
            return Err(BadPlan::Bias(bias));
        }
        let spread = (1.0 - draw_rate) / 4.0;
        let lead = score_from_elo(bias) - 0.5;
        let variance = spread - lead * lead;
        if variance > 0.0 {
            Ok(Self(variance))
        } else {
            Err(BadPlan::Contradiction {
                draw_rate,
                bias,
                most: elo_from_score(0.5 + spread.sqrt()).unwrap_or(2000.0),
            })
        }
    }

    /// Measures the variance in a pilot: twice the variance of a pair's score.
    ///
    /// # Errors
    /// [`BadPlan::Pilot`] without two different pair results.
    pub fn from_pilot(pilot: Pentanomial) -> Result<Self, BadPlan> {
        Self::from_pair_variance(pilot.variance().unwrap_or(0.0))
    }

    /// Computes the variance of a game from that of a pair.
    pub(super) fn from_pair_variance(variance: f64) -> Result<Self, BadPlan> {
        if variance > 0.0 {
            Ok(Self(2.0 * variance))
        } else {
            Err(BadPlan::Pilot)
        }
    }

    /// The variance, above 0 and at most ½ (¼ if the games of a pair are not correlated).
    pub fn get(self) -> f64 {
        self.0
    }

    /// The score that a hypothesis means. A normalized hypothesis may lie outside 0..=1.
    pub fn score(self, elo: f64, model: Model) -> f64 {
        match model {
            Model::Logistic => score_from_elo(elo),
            Model::Normalized => 0.5 + elo / NELO_PER_SIGMA * self.0.sqrt(),
        }
    }
}

/// Expected outcome and length of a sequential test at one true strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Expectation {
    /// Probability that H1 is accepted, 0..=1.
    pub pass_probability: f64,
    /// Expected number of games until the decision.
    pub expected_games: f64,
}

/// A planned test: hypotheses, error rates and the variance of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestPlan {
    s0: f64,
    s1: f64,
    variance: f64,
    rates: ErrorRates,
    /// The distances of the ratio to its bounds: down (below 0) and up.
    bounds: (f64, f64),
}

impl TestPlan {
    /// Creates the plan.
    ///
    /// # Errors
    /// [`BadPlan::SameHypotheses`] if the two scores are less than 1e-15 apart.
    pub fn new(
        hypotheses: Hypotheses,
        rates: ErrorRates,
        variance: GameVariance,
    ) -> Result<Self, BadPlan> {
        let score = |elo| variance.score(elo, hypotheses.model());
        let (s0, s1) = (score(hypotheses.elo0()), score(hypotheses.elo1()));
        if s1 - s0 < 1e-15 {
            return Err(BadPlan::SameHypotheses);
        }
        Ok(Self {
            s0,
            s1,
            variance: variance.get(),
            rates,
            bounds: rates.wald_bounds(),
        })
    }

    /// Returns the plan for the rest of a running test, from the distances to its bounds (both
    /// above 0, in units of the log-likelihood ratio).
    #[must_use]
    pub fn from_here(mut self, [below, above]: [f64; 2]) -> Self {
        self.bounds = (-below.max(1e-9), above.max(1e-9));
        self
    }

    /// The hypotheses in logistic Elo; `None` for a score of 0 or less, or of 1 or more.
    pub fn logistic_hypotheses(&self) -> (Option<f64>, Option<f64>) {
        (elo_from_score(self.s0), elo_from_score(self.s1))
    }

    /// h at a true strength of `elo` (logistic).
    fn drift(&self, elo: f64) -> f64 {
        let s = score_from_elo(elo);
        ((s - self.s0) + (s - self.s1)) / (self.s1 - self.s0)
    }

    /// Expected outcome and length of the sequential test if the first player is `elo` (logistic)
    /// stronger.
    pub fn sequential(&self, elo: f64) -> Expectation {
        let step = self.s1 - self.s0;
        let h = self.drift(elo);
        let (a, b) = self.bounds;
        Expectation {
            pass_probability: pass_probability(h, a, b),
            // The time is in units of the ratio's variance.
            expected_games: passage_time(h, a, b) * self.variance / (step * step),
        }
    }

    /// Power at `elo` (logistic) of the test of H0 after a fixed number of games.
    pub fn fixed_power(&self, elo: f64, games: f64) -> f64 {
        let shift = (score_from_elo(elo) - self.s0) * (games.max(0.0) / self.variance).sqrt();
        normal::cdf(shift - normal::quantile(1.0 - self.rates.alpha()))
    }

    /// Games after which the test of H0 has the power 1-β at `elo` (logistic); `None` if `elo` is
    /// not above H0, for which no number of games is enough.
    pub fn fixed_games(&self, elo: f64) -> Option<f64> {
        let lead = score_from_elo(elo) - self.s0;
        let z =
            normal::quantile(1.0 - self.rates.alpha()) + normal::quantile(1.0 - self.rates.beta());
        // α + β < 1 makes z positive.
        (lead > 0.0)
            .then(|| (z / lead).powi(2) * self.variance)
            .filter(|games| games.is_finite())
    }

    /// Half-width, in logistic Elo, of the 95 % interval after `games` games between equals; `None`
    /// if it would reach the ends of the scale.
    pub fn half_width(&self, games: f64) -> Option<f64> {
        let error = Z95 * (self.variance / games).sqrt();
        elo_from_score(0.5 + error)
    }

    /// Games after which the 95 % interval between equals is ± `half_width` logistic Elo; `None`
    /// unless that is above 0.
    pub fn games_for_half_width(&self, half_width: f64) -> Option<f64> {
        let error = score_from_elo(half_width) - 0.5;
        (error > 0.0)
            .then(|| (Z95 / error).powi(2) * self.variance)
            .filter(|games| games.is_finite())
    }
}

/// Probability that a motion leaves a < 0 < b at b, with drift h/2 per unit of variance.
fn pass_probability(h: f64, a: f64, b: f64) -> f64 {
    if h == 0.0 {
        return -a / (b - a);
    }
    // Only exponentials of negative numbers, so that nothing overflows.
    let p = if h > 0.0 {
        libm::expm1(h * a) / libm::expm1(h * (a - b))
    } else {
        libm::exp(h * b) * libm::expm1(-h * a) / libm::expm1(h * (b - a))
    };
    if p.is_finite() {
        p.clamp(0.0, 1.0)
    } else {
        // h underflowed in the products.
        -a / (b - a)
    }
}

/// Expected time until the motion leaves, in units of variance: (2/h)(bP + a(1-P)).
///
/// For small h both terms cancel. With g(y) = (eʸ-1)/y it equals `-2ab · g[ha, h(a-b)] /
/// g(h(a-b))`. Here g[p, q] is the divided difference, with the series `Σ Sₖ/(k+2)!` and `Sₖ = Σ pⁱ
/// qᵏ⁻ⁱ`.
fn passage_time(drift: f64, a: f64, b: f64) -> f64 {
    let (p, q) = (drift * a, drift * (a - b));
    if q.abs() > 0.5 {
        let pass = pass_probability(drift, a, b);
        return (2.0 / drift * (b * pass + a * (1.0 - pass))).max(0.0);
    }
    let (mut slope, mut level) = (0.0, 0.0);
    // Sₖ, qᵏ and (k+1)!.
    let (mut symmetric, mut power, mut factorial) = (1.0, 1.0, 1.0);
    for n in 1..=24 {
        factorial *= f64::from(n);
        level += power / factorial;
        slope += symmetric / (factorial * f64::from(n + 1));
        power *= q;
        symmetric = p * symmetric + power;
    }
    -2.0 * a * b * slope / level
}

#[cfg(test)]
mod tests;
