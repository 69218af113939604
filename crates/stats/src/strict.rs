//! A sequential test that remains valid if it is watched, stopped, resumed or cut short at any
//! time: two e-processes built by betting.
//!
//! One bettor bets against H0 ("the expected pair score is at most s₀"), one against H1 ("it is at
//! least s₁"). After every pair, with x its score, δ = s₁ - s₀, and v an estimate of the variance
//! of a pair's score from the n pairs *before* it:
//!
//! ```text
//! e₀ ← e₀ · (1 + f₀ (x - s₀)/s₀),          f₀ = f with s = s₀
//! e₁ ← e₁ · (1 - f₁ (x - s₁)/(1 - s₁)),    f₁ = f with s = 1 - s₁
//! f  = max(min(½, r(v)), min(½ + 3/10 min(1, n/20), r(v⁺))),   r(v) = s δ/(v + δ²)
//! v  = variance of the past pairs and of 4 pseudo-pairs (½ ± ¼)
//! v⁺ = v + 2½ of its standard errors, √((fourth moment - v²)/(n + 4))
//! ```
//!
//! H1 is accepted once e₀ ≥ 1/α, H0 once e₁ ≥ 1/β.
//!
//! The test is valid for this reason: f is the part of the fortune that the worst pair costs. It
//! depends on the past alone and stays within 0..1 (at most 4/5), so no factor is negative, and if
//! every pair's expected score, given the past, is at most s₀, each factor of e₀ has expectation at
//! most 1. So e₀ is a non-negative supermartingale that starts at 1, and P(e₀ ever reaches 1/α) ≤ α
//! (Ville 1939; Waudby-Smith and Ramdas, JRSS-B 86, 2024, section 4). The proof needs no limit
//! theorem, no overshoot correction, and no assumption on draws, on the correlation within a pair
//! or on equal laws from one opening to the next.
//!
//! Any such f is valid; a good one wins sooner. r grows fastest, to second order, if H1 is exactly
//! true. If pairs are mostly level it exceeds one half, and such a stake saves a sixth of the pairs.
//! But a small number of pairs that are not level makes v small, and the stake too large if neither
//! hypothesis is true: following v alone costs up to 7 % in that case. So the stake exceeds one half
//! only as far as v⁺ allows, and only slightly among the first twenty pairs, which do not determine
//! v⁺ either.
//!
//! # Normalized hypotheses
//!
//! They are refused. "Normalized Elo is at least t" with t > 0 means μ - ½ ≥ t·σ, and the laws that
//! satisfy it do not form a convex set: a mixture of "always level" and of a law with large σ on
//! the boundary has a far lower normalized Elo than t, yet each bet that is fair under both is fair
//! under the mixture. So no bet on single pairs can distinguish that hypothesis from much weaker
//! ones, and inserting an estimate of σ into s₀ and s₁ would lose the guarantee that this test
//! exists for.

use serde::Serialize;
use thiserror::Error;

use super::logistic::score_from_elo;
use super::{CellOutOfRange, Decision, ErrorRates, Hypotheses, Level, Model, SequentialTest};

/// Number of pseudo-pairs in the variance estimate.
const PSEUDO_PAIRS: f64 = 4.0;

/// Standard errors that are added to the variance for stakes above one half.
const CAUTION: f64 = 2.5;

/// The strict test does not support hypotheses on the normalized scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the strict test takes logistic hypotheses only: normalized Elo depends on the unknown \
     variance, and no bet on single pairs is valid for all laws of a given normalized Elo; \
     use the logistic model, or the GSPRT"
)]
pub struct NormalizedUnsupported;

/// The anytime-valid test of two logistic hypotheses.
///
/// The false-positive rate is at most α and the false-negative rate at most β at every stopping
/// time. docs/statistics-planning.md compares its cost with that of the GSPRT.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strict {
    /// Expected pair scores of the hypotheses.
    s0: f64,
    s1: f64,
    #[serde(skip)]
    rates: ErrorRates,
    /// ln(1/α) and ln(1/β).
    upper: f64,
    lower: f64,
    ln_e0: f64,
    ln_e1: f64,
    pairs: u64,
    /// Sums of y to y⁴ over the past pairs, y = 4x - 2 in -2..=2: exact integers.
    sums: [i64; 4],
    decision: Option<Decision>,
}

impl Strict {
    /// Creates a test without pairs.
    ///
    /// # Errors
    /// [`NormalizedUnsupported`] for hypotheses on the normalized scale.
    pub fn new(hypotheses: Hypotheses, rates: ErrorRates) -> Result<Self, NormalizedUnsupported> {
        match hypotheses.model() {
            Model::Logistic => Ok(Self {
                s0: score_from_elo(hypotheses.elo0()),
                s1: score_from_elo(hypotheses.elo1()),
                rates,
                upper: -libm::log(rates.alpha()),
                lower: -libm::log(rates.beta()),
                ln_e0: 0.0,
                ln_e1: 0.0,
                pairs: 0,
                sums: [0; 4],
                decision: None,
            }),
            Model::Normalized => Err(NormalizedUnsupported),
        }
    }

    /// Returns the same test for other hypotheses, without pairs.
    ///
    /// # Errors
    /// [`NormalizedUnsupported`] for hypotheses on the normalized scale.
    pub fn with_hypotheses(&self, hypotheses: Hypotheses) -> Result<Self, NormalizedUnsupported> {
        Self::new(hypotheses, self.rates)
    }

    /// ln e₀, the evidence against H0: H1 is accepted at ln(1/α). Finite.
    pub fn ln_evidence_against_h0(&self) -> f64 {
        self.ln_e0
    }

    /// ln e₁, the evidence against H1: H0 is accepted at ln(1/β). Finite.
    pub fn ln_evidence_against_h1(&self) -> f64 {
        self.ln_e1
    }

    /// Returns the variance of a pair's score from past pairs and pseudo-pairs, and its standard
    /// error.
    fn variance(&self) -> (f64, f64) {
        let n = self.pairs as f64 + PSEUDO_PAIRS;
        let [mean, square, cube, fourth] = self.sums.map(|sum| sum as f64 / n);
        let (square, fourth) = (square + PSEUDO_PAIRS / n, fourth + PSEUDO_PAIRS / n);
        // Never below the variance of the pseudo-pairs alone.
        let variance = (square - mean * mean).max(PSEUDO_PAIRS / n);
        let central = fourth + mean * (-4.0 * cube + mean * (6.0 * square - 3.0 * mean * mean));
        let error = ((central - variance * variance).max(0.0) / n).sqrt();
        (variance / 16.0, error / 16.0)
    }

    /// Returns the distances of the logarithms of the evidence to accepting H0 and to accepting H1.
    pub fn remaining(&self) -> [f64; 2] {
        [self.lower - self.ln_e1, self.upper - self.ln_e0]
    }

    /// Returns the progress of each bettor towards its bound, as a share of it.
    fn progress(&self) -> (f64, f64) {
        (self.ln_e0 / self.upper, self.ln_e1 / self.lower)
    }
}

impl SequentialTest for Strict {
    /// Adds a pair. After the decision the evidence continues to change, the decision does not.
    fn record(&mut self, cell: usize) -> Result<(), CellOutOfRange> {
        if cell > 4 {
            return Err(CellOutOfRange(cell));
        }
        let y = cell as i64 - 2;
        let x = 0.5 + y as f64 / 4.0;
        let delta = self.s1 - self.s0;
        let (variance, error) = self.variance();
        let bet = |variance: f64| delta / (variance + delta * delta);
        let (best, least) = (bet(variance), bet(variance + CAUTION * error));
        let most = 0.5 + 0.3 * (self.pairs as f64 / 20.0).min(1.0);
        // The part of the fortune that the worst pair costs, as a bet on the score.
        let stake = |worst: f64| {
            let (best, least) = (best * worst, least * worst);
            best.min(0.5).max(least.min(most)) / worst
        };
        let (bet0, bet1) = (stake(self.s0), stake(1.0 - self.s1));
        self.ln_e0 += libm::log1p(bet0 * (x - self.s0));
        self.ln_e1 += libm::log1p(-bet1 * (x - self.s1));
        self.pairs += 1;
        let mut power = 1;
        for sum in &mut self.sums {
            power *= y;
            *sum += power;
        }
        let (h1, h0) = self.progress();
        if self.decision.is_none() && h1.max(h0) >= 1.0 {
            self.decision = Some(if h1 >= h0 {
                Decision::Accepted
            } else {
                Decision::Rejected
            });
        }
        Ok(())
    }

    /// Returns ln e₀ above zero or -ln e₁ below it, for the bettor with more progress towards its
    /// bound; 0 if neither has won anything. The bounds are -ln(1/β) and ln(1/α): reaching one is
    /// the decision.
    fn level(&self) -> Level {
        let (h1, h0) = self.progress();
        Level {
            value: if h1 >= h0 {
                self.ln_e0.max(0.0)
            } else {
                // Avoids negative zero.
                0.0 - self.ln_e1.max(0.0)
            },
            lower: -self.lower,
            upper: self.upper,
        }
    }

    fn decision(&self) -> Option<Decision> {
        self.decision
    }
}

#[cfg(test)]
mod tests;
