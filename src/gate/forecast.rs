//! What to expect of a gate before it is played.

use serde::Serialize;

use super::test::own_rates;
use super::{Spread, Trials, Untestable};
use crate::stats::{BadLaw, BadPlan, BadTest, TestPlan};

/// What to expect of a gate, for each of its candidates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// Where the variance comes from.
    pub spread: Spread,
    /// Variance of one game's score within its pair.
    pub variance: f64,
    /// At H0, half way, and at H1.
    pub points: Vec<Point>,
}

/// What to expect at one true strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// By how much the candidate is stronger, in logistic Elo.
    pub elo: f64,
    /// Probability that it is accepted, if the gate may play on for ever.
    pub pass: f64,
    /// Pairs that are expected until the decision, if it may.
    pub pairs: f64,
    /// Whether that is more than the gate may play: it will mostly be
    /// inconclusive.
    pub beyond_cap: bool,
}

/// Why there is no forecast.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoForecast {
    /// Hypotheses that cannot be told apart.
    #[error(transparent)]
    Plan(#[from] BadPlan),
    /// No law of pairs has such a strength.
    #[error(transparent)]
    Law(#[from] BadLaw),
    /// The error rates make no test.
    #[error(transparent)]
    Rates(#[from] BadTest),
    /// Nor do the hypotheses.
    #[error(transparent)]
    Untestable(#[from] Untestable),
    /// A hypothesis that no score stands for.
    #[error("a hypothesis lies beyond a score of 0 or 1 for so little variance")]
    Beyond,
}

impl Forecast {
    /// The forecast of a gate, with the spread of what `trials` has seen if that
    /// is enough.
    ///
    /// Made with the formulas of the likelihood ratio; the strict test takes 3
    /// to 6 % more pairs. Where candidates are judged together, each is taken to
    /// need the evidence of the first to be accepted.
    ///
    /// # Errors
    /// See [`NoForecast`].
    pub fn new(trials: &Trials) -> Result<Self, NoForecast> {
        let spread = Spread::of(trials);
        let (plan, [low, high]) = planned(trials, spread)?;
        let points = [low, f64::midpoint(low, high), high].map(|elo| {
            let expected = plan.sequential(elo);
            let pairs = expected.expected_games / 2.0;
            Point {
                elo,
                pass: expected.pass_probability,
                pairs,
                beyond_cap: pairs > trials.rounds() as f64,
            }
        });
        Ok(Self {
            spread,
            variance: spread.variance()?.get(),
            points: points.to_vec(),
        })
    }
}

/// The planned test, and its hypotheses in logistic Elo.
pub(super) fn planned(trials: &Trials, spread: Spread) -> Result<(TestPlan, [f64; 2]), NoForecast> {
    let gate = trials.gate();
    let plan = TestPlan::new(gate.hypotheses, own_rates(gate)?, spread.variance()?)?;
    match plan.logistic_hypotheses() {
        (Some(low), Some(high)) => Ok((plan, [low, high])),
        _ => Err(NoForecast::Beyond),
    }
}
