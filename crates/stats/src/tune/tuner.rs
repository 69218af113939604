//! Ask and tell: what every tuner looks like from outside.

use std::collections::VecDeque;

use serde::Serialize;
use thiserror::Error;

use super::dice::{Dice, Purpose};
use super::{BadMethod, Dimension, Kind, Method, Space};
use crate::Pentanomial;
use crate::normal::Z95;

/// Two players that are to meet, and how often.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proposal {
    /// Number of the batch, from 0.
    pub number: u64,
    /// Which trial of the algorithm the games belong to; 0 where it has none.
    pub trial: u64,
    /// Values of the first player, in the parameters' own units, as played.
    pub plus: Vec<f64>,
    /// Values of the second player.
    pub minus: Vec<f64>,
    /// Pairs to be played, at least 1.
    pub pairs: u32,
}

/// What the games show of one parameter, in its own unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The value to report; the start where the games show no effect, unless
    /// [`NoEffect::Move`](super::NoEffect::Move) has it moved.
    pub value: f64,
    /// One standard error: value ± 1.96 errors holds the best value in about 95 of 100
    /// tunes. Where the games set no limits, 1.96 errors reach from the value over the
    /// bounds.
    pub error: f64,
    /// The 95 % interval of the best value, which need not have the value in its
    /// middle; a bound where the games set no limit. Whole where the parameter is.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Whether the games show, at 95 %, that the parameter matters.
    pub is_seen: bool,
    /// What a step at the start can make in strength, in Elo, at most (95 %), where no effect
    /// is seen; `None` where one is, or where too few games tell nothing.
    pub steepest: Option<f64>,
    /// Whether the results agree with a strength that is a parabola about the value, which
    /// the error rests on; `None` where too few games tell.
    pub is_parabola: Option<bool>,
}

impl Reading {
    /// Of a dimension, from a value and its interval in steps from the start.
    pub(super) fn new(
        dimension: &Dimension,
        best: f64,
        (low, high): (f64, f64),
        is_seen: bool,
        steepest: Option<f64>,
    ) -> Self {
        let at = |x: f64| dimension.start + x * dimension.step;
        // Half of the interval, and how far the value lies from its middle.
        let (half, off) = (0.5 * (high - low), best - f64::midpoint(low, high));
        // A whole number is reported rounded, and its limits hold that.
        let (low, high) = match dimension.kind {
            Kind::Integer => (
                at(low).floor().max(dimension.min),
                at(high).ceil().min(dimension.max),
            ),
            Kind::Real => (at(low), at(high)),
        };
        Self {
            value: at(best),
            error: half.hypot(off) / Z95 * dimension.step,
            low,
            high,
            is_seen,
            steepest,
            is_parabola: None,
        }
    }

    /// The same with the result of the test for a parabola.
    pub(super) fn fitting(self, is_parabola: Option<bool>) -> Self {
        Self {
            is_parabola,
            ..self
        }
    }
}

/// A strategy's wish: a proposal without its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Which trial of the strategy the games belong to.
    pub trial: u64,
    /// Values of the first player, as played.
    pub plus: Vec<f64>,
    /// Values of the second player, as played.
    pub minus: Vec<f64>,
}

/// What an algorithm has to tell; [`Tuner`] does the rest.
pub trait Strategy {
    /// The players of batch `number`, before which `issued` pairs were asked for. A
    /// function of what was absorbed, of both numbers and of the dice.
    fn propose(&self, space: &Space, number: u64, issued: u64, dice: Dice) -> Draft;

    /// Takes the result of a proposal, in the order of their numbers.
    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial);

    /// The best values as of now, in the parameters' own units, within the
    /// bounds, not rounded.
    fn estimate(&self, space: &Space) -> Vec<f64>;

    /// What the games show of each parameter; `None` if the algorithm cannot tell
    /// (yet).
    fn readings(&self, _: &Space) -> Option<Vec<Reading>> {
        None
    }

    /// Multiplies the distance of perturbed players from the centre; nothing
    /// where there is no such thing.
    fn scale_perturbation(&mut self, _: f64) {}

    /// Things to tell the user, in plain words.
    fn notes(&self, _: &Space) -> Vec<String> {
        Vec::new()
    }
}

/// What a tuner may spend, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Pairs in all; the last batch is cut to fit.
    pub pairs: u64,
    /// Pairs of one batch, at least 1: one draw of the perturbation.
    pub batch: u32,
    /// Batches under way at once, at least 1: a batch knows the results of all
    /// batches up to that many before it, whatever the number of threads.
    pub window: u32,
    /// Seed of everything random.
    pub seed: u64,
}

/// A result that cannot be told.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadTell(String);

/// A tuner: proposals out, results in.
///
/// Everything is a function of space, method, plan and the results told so
/// far. The proposals of the next [`Plan::window`] batches are fixed as soon as
/// the results before them are known, so that no driver, however many threads
/// it has and in whatever order they finish, can change what is played. To
/// resume, tell a fresh tuner the results again.
pub struct Tuner {
    space: Space,
    plan: Plan,
    strategy: Box<dyn Strategy + Send>,
    open: VecDeque<Proposal>,
    results_seen: u64,
    pairs_seen: u64,
    issued: u64,
    issued_pairs: u64,
}

impl Tuner {
    /// A tuner before its first batch.
    ///
    /// # Errors
    /// [`BadMethod`] for settings with which the method cannot run.
    pub fn new(space: Space, method: &Method, plan: Plan) -> Result<Self, BadMethod> {
        let strategy = method.strategy(&space, &plan)?;
        Ok(Self::with_strategy(space, strategy, plan))
    }

    /// A tuner with an algorithm of one's own.
    pub fn with_strategy(space: Space, strategy: Box<dyn Strategy + Send>, plan: Plan) -> Self {
        let mut tuner = Self {
            space,
            plan,
            strategy,
            open: VecDeque::new(),
            results_seen: 0,
            pairs_seen: 0,
            issued: 0,
            issued_pairs: 0,
        };
        for _ in 0..plan.window.max(1) {
            tuner.issue();
        }
        tuner
    }

    fn issue(&mut self) {
        let left = self.plan.pairs.saturating_sub(self.issued_pairs);
        let pairs = u64::from(self.plan.batch.max(1)).min(left);
        if pairs == 0 {
            return;
        }
        let dice = Dice::new(self.plan.seed, Purpose::Batch, self.issued);
        let draft = self
            .strategy
            .propose(&self.space, self.issued, self.issued_pairs, dice);
        self.open.push_back(Proposal {
            number: self.issued,
            trial: draft.trial,
            plus: draft.plus,
            minus: draft.minus,
            pairs: pairs as u32,
        });
        self.issued += 1;
        self.issued_pairs += pairs;
    }

    /// What is played in batch `number`; `None` if that is not known yet, or
    /// told already, or beyond the budget.
    pub fn ask(&self, number: u64) -> Option<&Proposal> {
        let index = number.checked_sub(self.results_seen)?;
        self.open.get(usize::try_from(index).ok()?)
    }

    /// Takes the result of the next batch, from the view of the first player.
    ///
    /// # Errors
    /// [`BadTell`] for another batch or another number of pairs; nothing is
    /// taken then.
    pub fn tell(&mut self, number: u64, result: &Pentanomial) -> Result<(), BadTell> {
        let want = self.results_seen;
        if number != want {
            return Err(BadTell(format!(
                "batch {number} was told, batch {want} is next: tell results in the order of \
                 batches"
            )));
        }
        let Some(proposal) = self.open.front() else {
            return Err(BadTell(format!(
                "batch {number} was told, but the budget is spent"
            )));
        };
        let (want, got) = (u64::from(proposal.pairs), result.pairs());
        if want != got {
            return Err(BadTell(format!(
                "batch {number} asked for {want} pairs, and {got} were told"
            )));
        }
        self.strategy.absorb(&self.space, proposal, result);
        self.open.pop_front();
        self.results_seen += 1;
        self.pairs_seen += got;
        self.issue();
        Ok(())
    }

    /// The values to report now, in the parameters' own units, within the
    /// bounds, not rounded.
    pub fn estimate(&self) -> Vec<f64> {
        self.strategy.estimate(&self.space)
    }

    /// What the games show of each parameter; `None` if the algorithm cannot tell
    /// (yet).
    pub fn readings(&self) -> Option<Vec<Reading>> {
        self.strategy.readings(&self.space)
    }

    /// [`Reading::error`] of each parameter.
    pub fn errors(&self) -> Option<Vec<f64>> {
        let readings = self.readings()?;
        Some(readings.iter().map(|reading| reading.error).collect())
    }

    /// What the user should know, in plain words.
    pub fn notes(&self) -> Vec<String> {
        self.strategy.notes(&self.space)
    }

    /// Whether the budget is spent and every result told.
    pub fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Batches told, the number of the next one.
    pub fn results_seen(&self) -> u64 {
        self.results_seen
    }

    /// Pairs told.
    pub fn pairs_seen(&self) -> u64 {
        self.pairs_seen
    }

    /// What is tuned.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What may be spent.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

#[cfg(test)]
mod tests;
