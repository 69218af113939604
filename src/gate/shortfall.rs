//! Whether a gate can decide within the pairs that it may play.

use super::forecast::{NoForecast, strengths};
use super::test::own_rates;
use super::{Spread, Trials, Usual};
use crate::config::TestKind;
use crate::stats::TestPlan;

/// A gate is short of pairs if it ends inconclusive more often than this, at one of its
/// hypotheses.
const TOO_OFTEN: f64 = 0.5;
/// So many pairs are enough with which it does so at most so often.
const SELDOM: f64 = 0.05;
/// More pairs than a config may ask for.
const MOST: u64 = 1_000_000_000;

/// A gate that will most likely end inconclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// Pairs of a candidate that can be evidence.
    pub pairs: u64,
    /// How often it ends inconclusive, where that is most often: if the truth is `elo0`,
    /// or if it is `elo1`.
    pub inconclusive: f64,
    /// Pairs within which it decides 19 times of 20 at either; `None` beyond 10^9.
    pub enough: Option<u64>,
}

impl Shortfall {
    /// What the gate is short of; `None` if it can decide, as the group-sequential test
    /// always does. By the formulas of the likelihood ratio, in no time; a strict test
    /// takes a little more.
    ///
    /// # Errors
    /// There is no forecast.
    pub fn of(trials: &Trials, usual: Usual) -> Result<Option<Self>, NoForecast> {
        if matches!(trials.gate().test, TestKind::GroupSequential { .. }) {
            return Ok(None);
        }
        let (spread, _) = Spread::of(trials, usual);
        let undecided = |pairs| undecided(trials, spread, pairs);
        let pairs = trials.different_pairs();
        let inconclusive = undecided(pairs)?;
        if inconclusive <= TOO_OFTEN {
            return Ok(None);
        }
        let is_enough = |pairs| Ok::<_, NoForecast>(undecided(pairs)? <= SELDOM);
        let (mut short, mut enough) = (pairs, pairs.saturating_mul(2).min(MOST));
        while !is_enough(enough)? {
            if enough == MOST {
                return Ok(Some(Self {
                    pairs,
                    inconclusive,
                    enough: None,
                }));
            }
            (short, enough) = (enough, enough.saturating_mul(2).min(MOST));
        }
        while enough - short > (enough / 100).max(1) {
            let middle = short.midpoint(enough);
            if is_enough(middle)? {
                enough = middle;
            } else {
                short = middle;
            }
        }
        Ok(Some(Self {
            pairs,
            inconclusive,
            enough: Some(enough),
        }))
    }
}

/// How often a gate of so many pairs decides neither at `elo0` nor at `elo1`, at the one
/// where that is more often.
fn undecided(trials: &Trials, spread: Spread, pairs: u64) -> Result<f64, NoForecast> {
    let gate = trials.gate();
    let mut most = 0.0;
    for elo in strengths(gate, spread)? {
        let plan = TestPlan::new(gate.hypotheses, own_rates(gate)?, spread.variance(elo)?)?;
        most = plan.capped(elo, 2.0 * pairs as f64).inconclusive.max(most);
    }
    Ok(most)
}
