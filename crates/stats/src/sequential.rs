//! The common part of all sequential tests: hypotheses, error rates, a level between two bounds, a
//! decision.
//!
//! A test receives pair results one at a time in schedule order and decides as soon as its level
//! crosses a bound. The first crossing is the decision; later results do not change it.

use std::fmt;

use leitai_base::settings::choice;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{AfterSprt, CellOutOfRange, Memo};

choice! {
    /// The scale on which the hypotheses are stated.
    #[derive(Deserialize)]
    pub enum Model {
        /// Logistic Elo: a hypothesis fixes the mean score.
        Logistic = "logistic",
        /// Normalized Elo: a hypothesis fixes the mean score minus ½ in units of the standard
        /// deviation of one game.
        Normalized = "normalized",
    }
}

/// The hypotheses of a test: the first player is `elo0` stronger (H0), or it is `elo1` stronger
/// (H1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hypotheses {
    elo0: f64,
    elo1: f64,
    model: Model,
}

/// Invalid hypotheses or error rates.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BadTest {
    /// A hypothesis is not a number or is out of range.
    #[error("elo0 and elo1 must lie between -1000 and 1000")]
    EloOutOfRange,
    /// H0 is not below H1.
    #[error("elo0 ({elo0}) must be below elo1 ({elo1})")]
    EloOrder {
        /// The lower hypothesis.
        elo0: f64,
        /// The upper hypothesis.
        elo1: f64,
    },
    /// An error rate is not a probability, or the rates leave no test.
    #[error("alpha and beta must lie strictly between 0 and 1, and alpha + beta below 1")]
    ErrorRates,
}

impl Hypotheses {
    /// Largest distance of a hypothesis from equality, in Elo of either model.
    pub const LIMIT: f64 = 1000.0;

    /// Creates the two hypotheses.
    ///
    /// # Errors
    /// [`BadTest`] unless -1000 ≤ `elo0` < `elo1` ≤ 1000.
    pub fn new(elo0: f64, elo1: f64, model: Model) -> Result<Self, BadTest> {
        let inside = |elo: f64| elo.abs() <= Self::LIMIT;
        if !inside(elo0) || !inside(elo1) {
            return Err(BadTest::EloOutOfRange);
        }
        if elo0 >= elo1 {
            return Err(BadTest::EloOrder { elo0, elo1 });
        }
        Ok(Self { elo0, elo1, model })
    }

    /// Elo of H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// Elo of H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The scale of both hypotheses.
    pub fn model(&self) -> Model {
        self.model
    }
}

/// The permitted error rates of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorRates {
    alpha: f64,
    beta: f64,
}

impl ErrorRates {
    /// Creates error rates. `alpha` is the probability of accepting H1 if H0 is true, `beta` that
    /// of accepting H0 if H1 is true.
    ///
    /// # Errors
    /// [`BadTest::ErrorRates`] unless both lie in 0..1 (exclusive) and their sum is below 1.
    pub fn new(alpha: f64, beta: f64) -> Result<Self, BadTest> {
        let probability = |p: f64| p > 0.0 && p < 1.0;
        if probability(alpha) && probability(beta) && alpha + beta < 1.0 {
            Ok(Self { alpha, beta })
        } else {
            Err(BadTest::ErrorRates)
        }
    }

    /// Largest probability of accepting H1 if H0 is true.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Largest probability of accepting H0 if H1 is true.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Wald's bounds of a log-likelihood ratio, `ln(β/(1-α))` below zero and `ln((1-β)/α)` above
    /// (Wald, Ann. Math. Statist. 16, 1945, section 3.4).
    pub fn wald_bounds(&self) -> (f64, f64) {
        (
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        )
    }
}

/// The conclusion of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// H1: the first player is stronger by the tested amount.
    Accepted,
    /// H0: the first player is not stronger by that amount.
    Rejected,
}

impl fmt::Display for Decision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
        })
    }
}

/// The current level of a test, which decides when `value` leaves the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// Log-likelihood ratio, or the logarithm of an e-value on the same scale. Finite.
    pub value: f64,
    /// Bound below which H0 is accepted.
    pub lower: f64,
    /// Bound above which H1 is accepted.
    pub upper: f64,
}

impl Level {
    /// Returns the decision at this level, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        if self.value < self.lower {
            Some(Decision::Rejected)
        } else {
            (self.value > self.upper).then_some(Decision::Accepted)
        }
    }
}

/// A test that receives pairs in schedule order.
pub trait SequentialTest {
    /// Adds the next pair: from 0, both games lost, to 4, both games won by the first player.
    ///
    /// # Errors
    /// [`CellOutOfRange`] above 4; then the test does not change.
    fn record(&mut self, cell: usize) -> Result<(), CellOutOfRange>;

    /// Adds the next pair to one of many tests with the same hypotheses, which share a cache.
    ///
    /// # Errors
    /// [`CellOutOfRange`] above 4; then the test does not change.
    #[doc(hidden)]
    fn record_shared(&mut self, cell: usize, memo: &mut Memo) -> Result<(), CellOutOfRange> {
        let _ = memo;
        self.record(cell)
    }

    /// Skips a pair of the schedule that is not evidence.
    fn skip(&mut self) {}

    /// The current level of the test.
    fn level(&self) -> Level;

    /// The decision at the first crossing; `None` before it.
    fn decision(&self) -> Option<Decision>;
    /// The test's own estimate of the strength at its stop; `None` before the stop, and for tests
    /// whose counts suffice for [`after_sprt`](super::after_sprt).
    fn after_stop(&self) -> Option<AfterSprt> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = ErrorRates::new(0.05, 0.05).expect("rates").wald_bounds();
        // ln 19, mpmath 1.3.
        assert!((upper - 2.944_438_979_166_440_3).abs() < 1e-15);
        assert!((lower + 2.944_438_979_166_440_3).abs() < 1e-15);
    }

    #[test]
    fn invalid_cells_are_refused_by_every_test() {
        use super::super::{Gsprt, Strict};
        fn refuses(mut test: impl SequentialTest) {
            let before = test.level();
            for cell in [5, 99, usize::MAX] {
                assert_eq!(test.record(cell), Err(CellOutOfRange(cell)));
                let taken = test.record_shared(cell, &mut Memo::off());
                assert_eq!(taken, Err(CellOutOfRange(cell)));
            }
            assert_eq!(test.level(), before);
            assert_eq!(test.record(4), Ok(()));
        }
        let hypotheses = Hypotheses::new(0.0, 50.0, Model::Logistic).expect("in order");
        let rates = ErrorRates::new(0.05, 0.05).expect("rates");
        refuses(Gsprt::new(hypotheses, rates));
        refuses(Strict::new(hypotheses, rates).expect("logistic"));
    }

    #[test]
    fn impossible_tests_are_refused() {
        for (elo0, elo1) in [(0.0, 0.0), (5.0, 0.0), (f64::NAN, 1.0), (0.0, 1e4)] {
            assert!(Hypotheses::new(elo0, elo1, Model::Logistic).is_err());
        }
        for (alpha, beta) in [(0.0, 0.1), (0.1, 1.0), (0.5, 0.5), (f64::NAN, 0.1)] {
            assert!(ErrorRates::new(alpha, beta).is_err());
        }
    }
}
