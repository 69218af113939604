//! What every sequential test has in common: hypotheses, error rates, a level
//! between two bounds, a decision.
//!
//! A test takes pair results one at a time in schedule order and decides as
//! soon as its level crosses a bound. The first crossing is the decision;
//! what comes later changes nothing.

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
        /// Normalized Elo: a hypothesis fixes the mean score less ½ in units of
        /// the standard deviation of one game.
        Normalized = "normalized",
    }
}

/// "The first player is `elo0` stronger" (H0) against "it is `elo1` stronger"
/// (H1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hypotheses {
    elo0: f64,
    elo1: f64,
    model: Model,
}

/// Hypotheses or error rates that make no test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum BadTest {
    /// A bound is not a number or too far out.
    #[error("elo0 and elo1 must lie between -1000 and 1000")]
    EloOutOfRange,
    /// H0 is not below H1.
    #[error("elo0 ({elo0}) must be below elo1 ({elo1})")]
    EloOrder {
        /// The lower hypothesis as given.
        elo0: f64,
        /// The upper hypothesis as given.
        elo1: f64,
    },
    /// An error rate is not a probability that leaves room for a test.
    #[error("alpha and beta must lie strictly between 0 and 1, and alpha + beta below 1")]
    ErrorRates,
}

impl Hypotheses {
    /// Farthest hypothesis from equality, in Elo of either model.
    pub const LIMIT: f64 = 1000.0;

    /// The two hypotheses.
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

    /// H0's Elo.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// H1's Elo.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The scale of both.
    pub fn model(&self) -> Model {
        self.model
    }
}

/// How often a test may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorRates {
    alpha: f64,
    beta: f64,
}

impl ErrorRates {
    /// `alpha`: accepting H1 where H0 is true; `beta`: accepting H0 where H1
    /// is true.
    ///
    /// # Errors
    /// [`BadTest::ErrorRates`] unless both lie in 0..1 (exclusive) and their
    /// sum below 1.
    pub fn new(alpha: f64, beta: f64) -> Result<Self, BadTest> {
        let probability = |p: f64| p > 0.0 && p < 1.0;
        if probability(alpha) && probability(beta) && alpha + beta < 1.0 {
            Ok(Self { alpha, beta })
        } else {
            Err(BadTest::ErrorRates)
        }
    }

    /// Greatest probability of accepting H1 where H0 is true.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Greatest probability of accepting H0 where H1 is true.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Wald's bounds of a log-likelihood ratio, `ln(β/(1-α))` below zero and
    /// `ln((1-β)/α)` above (Wald, Ann. Math. Statist. 16, 1945, section 3.4).
    pub fn wald_bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }
}

/// What a test concluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// H1: the first player is stronger, as the test asks.
    Accepted,
    /// H0: it is not.
    Rejected,
}

/// Where a test stands: it decides when `value` leaves the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// Log-likelihood ratio, or the logarithm of an e-value shown like one.
    /// Finite.
    pub value: f64,
    /// H0 is accepted below this.
    pub lower: f64,
    /// H1 is accepted above this.
    pub upper: f64,
}

impl Level {
    /// What is decided where it stands, if anything is.
    pub fn decision(&self) -> Option<Decision> {
        if self.value < self.lower {
            Some(Decision::Rejected)
        } else {
            (self.value > self.upper).then_some(Decision::Accepted)
        }
    }
}

/// A test that is fed with pairs in schedule order.
pub trait SequentialTest {
    /// Takes the next pair: 0 lost both games to 4 won both, for the first
    /// player.
    ///
    /// # Errors
    /// [`CellOutOfRange`] above 4; nothing is taken then.
    fn record(&mut self, cell: usize) -> Result<(), CellOutOfRange>;

    /// The same for one of many tests of the same kind, which share what they compute.
    ///
    /// # Errors
    /// [`CellOutOfRange`] above 4; nothing is taken then.
    fn record_like_others(&mut self, cell: usize, memo: &mut Memo) -> Result<(), CellOutOfRange> {
        let _ = memo;
        self.record(cell)
    }

    /// Passes a pair of the schedule that is no evidence.
    fn skip(&mut self) {}

    /// Where the test stands now.
    fn level(&self) -> Level;

    /// The decision at the first crossing; `None` before it.
    fn decision(&self) -> Option<Decision>;
    /// What the test itself knows of the strength at its stop; `None` before that, and
    /// of tests for which [`after_sprt`](super::after_sprt) says it from the counts.
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
    fn what_is_no_cell_is_refused_by_every_test() {
        use super::super::{Gsprt, Strict};
        fn refuses(mut test: impl SequentialTest) {
            let before = test.level();
            for cell in [5, 99, usize::MAX] {
                assert_eq!(test.record(cell), Err(CellOutOfRange(cell)));
                let taken = test.record_like_others(cell, &mut Memo::off());
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
    fn what_makes_no_test_is_refused() {
        for (elo0, elo1) in [(0.0, 0.0), (5.0, 0.0), (f64::NAN, 1.0), (0.0, 1e4)] {
            assert!(Hypotheses::new(elo0, elo1, Model::Logistic).is_err());
        }
        for (alpha, beta) in [(0.0, 0.1), (0.1, 1.0), (0.5, 0.5), (f64::NAN, 0.1)] {
            assert!(ErrorRates::new(alpha, beta).is_err());
        }
    }
}
