//! Whether a gate can decide within the pairs that it may play.

use super::forecast::{NoForecast, strengths};
use super::test::own_rates;
use super::{Spread, Test, Trial, Trials, UsualSpread};
use crate::config::TestKind;
use crate::stats::{GroupSequential, TestPlan};

/// A gate is short of pairs if it misses its end more often than this.
const TOO_OFTEN: f64 = 0.5;
/// So many pairs are enough with which it ends inconclusive at most so often.
const SELDOM: f64 = 0.05;
/// More pairs than a config may ask for.
const MOST: u64 = 1_000_000_000;

/// A gate that will most likely tell nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// Pairs of a candidate that can be evidence, those that are recorded too.
    pub pairs: u64,
    /// What it will miss.
    pub lack: Lack,
    /// Pairs that would be enough: to decide 19 times of 20 at either hypothesis, or for a
    /// group-sequential test to accept what is as strong as `elo1` with the probability 1 -
    /// beta; `None` beyond 10^9.
    pub enough: Option<u64>,
}

/// What a gate with too few pairs misses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lack {
    /// A decision: how often it ends inconclusive, where that is most often, if the truth
    /// is `elo0` or if it is `elo1`.
    Decision(f64),
    /// What it is played for: the power, how often it accepts if the truth is `elo1`.
    Power(f64),
}

impl Shortfall {
    /// What the gate is short of; `None` if it can decide. By the formulas of the likelihood
    /// ratio, in no time, from where the trials stand; a strict test takes a little more. A
    /// group-sequential test always decides, by its formulas as it was planned.
    ///
    /// # Errors
    /// There is no forecast.
    pub fn of(trials: &Trials, usual: UsualSpread) -> Result<Option<Self>, NoForecast> {
        let (spread, _) = Spread::of(trials, usual);
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
            lack: Lack::Decision(inconclusive),
            enough: least(left, is_enough)?.map(|more| trial.pairs() + more),
        }))
    }

    fn of_power(trials: &Trials, spread: Spread, looks: u64) -> Result<Option<Self>, NoForecast> {
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
        // A pair more or less at each look does not matter, but that there is one does.
        let is_enough = |pairs: u64| {
            let test = GroupSequential::new(gate.hypotheses, gate.errors, pairs, looks);
            let power = test.map_err(super::Untestable::from)?.power(high, variance);
            Ok(power >= 1.0 - gate.errors.beta())
        };
        Ok(Some(Self {
            pairs,
            lack: Lack::Power(power),
            enough: least(pairs, is_enough)?,
        }))
    }
}

/// The least number above `short` that is enough, to a hundredth.
fn least(
    mut short: u64,
    is_enough: impl Fn(u64) -> Result<bool, NoForecast>,
) -> Result<Option<u64>, NoForecast> {
    let mut enough = short.saturating_mul(2).clamp(2, MOST);
    while !is_enough(enough)? {
        if enough == MOST {
            return Ok(None);
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
    Ok(Some(enough))
}

/// How often a trial with so many pairs to come decides neither at `elo0` nor at `elo1`, at
/// the one where that is more often.
fn undecided(
    trials: &Trials,
    trial: &Trial,
    spread: Spread,
    pairs: u64,
) -> Result<f64, NoForecast> {
    let gate = &trials.gate;
    let mut most = 0.0;
    for elo in strengths(gate, spread)? {
        let plan = TestPlan::new(gate.hypotheses, own_rates(gate)?, spread.variance(elo)?)?;
        let plan = plan.from_here(trial.test.to_go());
        most = plan.capped(elo, 2.0 * pairs as f64).inconclusive.max(most);
    }
    Ok(most)
}
