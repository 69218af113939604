//! Detection of gates that cannot decide within their pairs.

use super::forecast::{Result, strengths};
use super::test::own_rates;
use super::{Spread, Test, Trial, Trials, UsualSpread};
use leitai_config::TestKind;
use leitai_stats::{GroupSequential, TestPlan};

/// A gate is short of pairs if it fails to decide more often than this.
const TOO_OFTEN: f64 = 0.5;
/// A number of pairs is enough if the gate is inconclusive at most this often.
const SELDOM: f64 = 0.05;
/// Upper limit of the search, above the largest number that a config accepts.
const MAX: u64 = 1_000_000_000;

/// A gate that will probably be inconclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// Pairs of a candidate that can be evidence, recorded ones included.
    pub pairs: u64,
    /// The property that the gate lacks.
    pub missing: MissingProperty,
    /// A sufficient number of pairs: to decide 19 times of 20 at either hypothesis, or for a
    /// group-sequential test to accept a candidate as strong as `elo1` with probability 1 - beta;
    /// `None` beyond 10^9.
    pub enough: Option<u64>,
}

/// The property that a gate with too few pairs lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MissingProperty {
    /// A decision: the probability of an inconclusive end, at `elo0` or at `elo1`, the larger of
    /// the two.
    Decision(f64),
    /// Power: the probability of acceptance at `elo1`.
    Power(f64),
}

impl Shortfall {
    /// Returns the shortfall of the gate; `None` if it can decide. Uses the formulas of the
    /// likelihood ratio from the current state of the trials, which takes no time; a strict test
    /// needs slightly more pairs than they say. A group-sequential test always decides and is
    /// assessed by its own formulas, as planned.
    ///
    /// # Errors
    /// There is no forecast.
    pub fn of(trials: &Trials, usual: UsualSpread) -> Result<Option<Self>> {
        let (spread, _) = Spread::of(trials, usual)?;
        if let TestKind::GroupSequential { looks } = trials.gate.test {
            return Self::of_power(trials, spread, looks);
        }
        let open = trials.candidates.iter().filter(|it| it.verdict.is_none());
        let mut worst: Option<(&Trial, f64)> = None;
        for trial in open {
            let share = undecided(trials, trial, spread, trials.left(trial).1)?;
            if worst.is_none_or(|(_, most)| share > most) {
                worst = Some((trial, share));
            }
        }
        let Some((trial, inconclusive)) = worst.filter(|(_, share)| *share > TOO_OFTEN) else {
            return Ok(None);
        };
        let left = trials.left(trial).1;
        let is_enough = |more| Ok(undecided(trials, trial, spread, more)? <= SELDOM);
        Ok(Some(Self {
            pairs: trial.pairs() + left,
            missing: MissingProperty::Decision(inconclusive),
            enough: least(left, is_enough)?.map(|more| trial.pairs() + more),
        }))
    }

    fn of_power(trials: &Trials, spread: Spread, looks: u64) -> Result<Option<Self>> {
        let (gate, pairs) = (&trials.gate, trials.rounds);
        let [_, high] = strengths(gate, spread)?;
        let variance = spread.variance(high)?;
        let Test::GroupSequential(test) = Test::new(gate, pairs)? else {
            return Ok(None);
        };
        let power = test.power(high, variance);
        if power >= TOO_OFTEN {
            return Ok(None);
        }
        // The test needs one pair per look; the exact number at each look matters little.
        let is_enough = |pairs: u64| {
            let test = GroupSequential::new(gate.pair_hypotheses(), gate.errors, pairs, looks);
            let power = test.map_err(super::Untestable::from)?.power(high, variance);
            Ok(power >= 1.0 - gate.errors.beta())
        };
        Ok(Some(Self {
            pairs,
            missing: MissingProperty::Power(power),
            enough: least(pairs, is_enough)?,
        }))
    }
}

/// The least sufficient number above `short`, to 1 %.
fn least(mut short: u64, is_enough: impl Fn(u64) -> Result<bool>) -> Result<Option<u64>> {
    let mut enough = short.saturating_mul(2).clamp(2, MAX);
    while !is_enough(enough)? {
        if enough == MAX {
            return Ok(None);
        }
        (short, enough) = (enough, enough.saturating_mul(2).min(MAX));
    }
    while enough - short > (enough / 100).max(1) {
        let middle = short.midpoint(enough);
        if is_enough(middle)? {
            enough = middle;
        } else {
            short = middle;
        }
    }
    Ok(Some(enough))
}

/// Probability that a trial with `pairs` more pairs decides neither way, at `elo0` or at `elo1`,
/// the larger of the two.
fn undecided(trials: &Trials, trial: &Trial, spread: Spread, pairs: u64) -> Result<f64> {
    let gate = &trials.gate;
    let mut most = 0.0;
    for elo in strengths(gate, spread)? {
        let plan = TestPlan::new(
            gate.pair_hypotheses(),
            own_rates(gate)?,
            spread.variance(elo)?,
        )?;
        let plan = plan.from_here(trial.test.remaining());
        most = plan.capped(elo, 2.0 * pairs as f64).inconclusive.max(most);
    }
    Ok(most)
}
