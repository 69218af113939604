//! The ask-and-tell interface of all tuners.

use std::collections::VecDeque;

use serde::Serialize;
use thiserror::Error;

use super::Purpose;
use super::{BadMethod, Dimension, Kind, Method, Space};
use crate::Pentanomial;
use crate::RandomNumbers;
use crate::normal::Z95;

/// Two players of a batch, with the number of pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proposal {
    /// Number of the batch, from 0.
    pub number: u64,
    /// Trial of the algorithm to which the games belong; 0 for algorithms without trials.
    pub trial: u64,
    /// Values of the first player, in the parameters' own units, as played.
    pub plus: Vec<f64>,
    /// Values of the second player.
    pub minus: Vec<f64>,
    /// Number of pairs, at least 1.
    pub pairs: u32,
}

/// The evidence of the games on one parameter, in its own unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The value to report; the start if the games show no effect, unless
    /// [`NoEffect::Move`](super::NoEffect::Move) moves it.
    pub value: f64,
    /// One standard error: value ± 1.96 errors contains the best value in about 95 of 100 tunes. If
    /// the games determine no limits, 1.96 errors reach from the value over the bounds.
    pub error: f64,
    /// Lower end of the 95 % interval of the best value, which need not be symmetric around the
    /// value; a bound if the games determine no limit. A whole number if the parameter is one.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// True if the games show, at 95 %, that the parameter has an effect.
    pub is_seen: bool,
    /// Largest possible effect of a step at the start, in Elo (95 %), if no effect is visible;
    /// `None` if one is, or if the games are too few.
    pub steepest: Option<f64>,
    /// True if the results agree with a parabola around the value, which the error assumes; `None`
    /// if the games are too few.
    pub is_parabola: Option<bool>,
}

impl Reading {
    /// Creates the reading of a dimension from a value and its interval in steps from the start.
    pub(super) fn new(
        dimension: &Dimension,
        best: f64,
        (low, high): (f64, f64),
        is_seen: bool,
        steepest: Option<f64>,
        is_parabola: Option<bool>,
    ) -> Self {
        let at = |x: f64| dimension.start + x * dimension.step;
        // Half of the interval, and the distance of the value from its middle.
        let (half, off) = (0.5 * (high - low), best - f64::midpoint(low, high));
        // A whole number is reported rounded, and its limits include the rounded value.
        let kind = dimension.kind;
        let (mut low, mut high) = (at(low), at(high));
        if kind != Kind::Real {
            low = kind.to_units(low, f64::floor).max(dimension.min);
            high = kind.to_units(high, f64::ceil).min(dimension.max);
        }
        Self {
            value: at(best),
            error: libm::hypot(half, off) / Z95 * dimension.step,
            low,
            high,
            is_seen,
            steepest,
            is_parabola,
        }
    }
}

/// Values of the two players of a batch, as played.
pub(super) type Players = (Vec<f64>, Vec<f64>);

/// An algorithm that is ready to propose.
pub(super) type BoxedStrategy = Box<dyn Strategy + Send>;

/// The algorithm behind a [`Tuner`].
pub(super) trait Strategy {
    /// Proposes the trial and the players of batch `number`, before which `issued` pairs were
    /// proposed. The proposal depends only on absorbed results, both numbers and the random numbers.
    fn propose(
        &self,
        space: &Space,
        number: u64,
        issued: u64,
        random: RandomNumbers,
    ) -> (u64, Players);

    /// Absorbs the result of a proposal, in the order of their numbers.
    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial);

    /// The current best values, in the parameters' own units, within the bounds, not rounded.
    fn estimate(&self, space: &Space) -> Vec<f64>;

    /// The evidence on each parameter; `None` if the algorithm has none (yet).
    fn readings(&self, _: &Space) -> Option<Vec<Reading>> {
        None
    }

    /// Multiplies the distance of perturbed players from the centre; does nothing without such a
    /// distance.
    fn scale_perturbation(&mut self, _: f64) {}

    /// Notes for the user, in plain words.
    fn notes(&self, _: &Space) -> Vec<String> {
        Vec::new()
    }
}

/// Budget and schedule of a tuner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Total number of pairs; the last batch is cut to fit.
    pub pairs: u64,
    /// Number of pairs per batch, at least 1; each batch draws one perturbation.
    pub batch: u32,
    /// Number of batches under way at once, at least 1: a batch knows the results of all batches up
    /// to that many before it, for any number of threads.
    pub window: u32,
    /// Seed of all random numbers.
    pub seed: u64,
}

impl Plan {
    /// Returns the usual plan: a fresh perturbation for each pair and many batches under way.
    pub fn usual(pairs: u64, seed: u64) -> Self {
        Self {
            pairs,
            batch: 1,
            window: 32,
            seed,
        }
    }
}

/// A result that the tuner does not accept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadResult(String);

/// A tuner, which proposes batches and receives their results.
///
/// Everything depends only on space, method, plan and the results so far. The proposals of the next
/// [`Plan::window`] batches are fixed as soon as the results before them are known, so the number
/// of a driver's threads and the order in which they finish cannot change the games. To resume,
/// pass the same results to a new tuner.
pub struct Tuner {
    space: Space,
    plan: Plan,
    strategy: BoxedStrategy,
    open: VecDeque<Proposal>,
    results_seen: u64,
    pairs_seen: u64,
    issued: u64,
    issued_pairs: u64,
}

impl Tuner {
    /// Creates a tuner before its first batch.
    ///
    /// # Errors
    /// [`BadMethod`] for settings with which the method cannot run.
    pub fn new(space: Space, method: &Method, plan: Plan) -> Result<Self, BadMethod> {
        let mut tuner = Self {
            strategy: method.strategy(&space, &plan)?,
            space,
            plan,
            open: VecDeque::new(),
            results_seen: 0,
            pairs_seen: 0,
            issued: 0,
            issued_pairs: 0,
        };
        for _ in 0..plan.window.max(1) {
            tuner.issue();
        }
        Ok(tuner)
    }

    fn issue(&mut self) {
        let left = self.plan.pairs.saturating_sub(self.issued_pairs);
        let pairs = u64::from(self.plan.batch.max(1)).min(left);
        if pairs == 0 {
            return;
        }
        let random = Purpose::Batch.random(self.plan.seed, self.issued);
        let (space, number) = (&self.space, self.issued);
        let proposed = self
            .strategy
            .propose(space, number, self.issued_pairs, random);
        let (trial, (plus, minus)) = proposed;
        self.open.push_back(Proposal {
            number,
            trial,
            plus,
            minus,
            pairs: pairs as u32,
        });
        self.issued += 1;
        self.issued_pairs += pairs;
    }

    /// Returns the proposal of batch `number`; `None` if it is not known yet, already has a result,
    /// or is beyond the budget.
    pub fn ask(&self, number: u64) -> Option<&Proposal> {
        let index = number.checked_sub(self.results_seen)?;
        self.open.get(usize::try_from(index).ok()?)
    }

    /// Passes the result of the next batch, from the point of view of the first player.
    ///
    /// # Errors
    /// [`BadResult`] for another batch or another number of pairs; then the tuner does not change.
    pub fn tell(&mut self, number: u64, result: &Pentanomial) -> Result<(), BadResult> {
        let want = self.results_seen;
        if number != want {
            return Err(BadResult(format!(
                "result of batch {number}, but batch {want} is next: pass results in the order of \
                 batches"
            )));
        }
        let Some(proposal) = self.open.front() else {
            return Err(BadResult(format!(
                "result of batch {number}, but the budget is spent"
            )));
        };
        let (want, got) = (u64::from(proposal.pairs), result.pairs());
        if want != got {
            return Err(BadResult(format!(
                "batch {number} has {want} pairs, but the result has {got}"
            )));
        }
        self.strategy.absorb(&self.space, proposal, result);
        self.open.pop_front();
        self.results_seen += 1;
        self.pairs_seen += got;
        self.issue();
        Ok(())
    }

    /// The current values to report, in the parameters' own units, within the bounds, not rounded.
    pub fn estimate(&self) -> Vec<f64> {
        self.strategy.estimate(&self.space)
    }

    /// The evidence on each parameter; `None` if the algorithm has none (yet).
    pub fn readings(&self) -> Option<Vec<Reading>> {
        self.strategy.readings(&self.space)
    }

    /// [`Reading::error`] of each parameter.
    pub fn errors(&self) -> Option<Vec<f64>> {
        let readings = self.readings()?;
        Some(readings.iter().map(|reading| reading.error).collect())
    }

    /// Notes for the user, in plain words.
    pub fn notes(&self) -> Vec<String> {
        self.strategy.notes(&self.space)
    }

    /// Returns whether the budget is used up and all results have arrived.
    pub fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Number of batches with results, which is also the number of the next one.
    pub fn results_seen(&self) -> u64 {
        self.results_seen
    }

    /// Number of pairs with results.
    pub fn pairs_seen(&self) -> u64 {
        self.pairs_seen
    }

    /// The tuned space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The plan of the tuner.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

#[cfg(test)]
mod tests;
