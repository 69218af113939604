//! The expected result of a run, reported before its first game.
//!
//! The run is simulated: the same algorithm in the same space, on surfaces of the synthetic
//! benchmark that are scaled to the assumed loss of the start. The true loss is not known before
//! the run, and real surfaces are not parabolas: the result distinguishes a sufficient budget from
//! a hopeless one, no more.

use serde::{Deserialize, Serialize};

use super::method::positive;
use super::synthetic::run_on;
use super::{
    BadBenchmark, Benchmark, ELO_PER_LEAD, Method, Outcomes, Plan, Simulated, Space, Surface, Tuner,
};
use crate::PairLaw;

/// Maximum number of batches of a rehearsal, and maximum number of batches times dimensions; longer
/// runs are rehearsed with larger batches.
const MAX_BATCHES: u64 = 20_000;
const MAX_WORK: u64 = 600_000;
/// Minimum number of batches for any amount of work: with fewer, larger batches the remaining loss
/// is larger than with single pairs (5,000: a quarter more; 2,000: two thirds).
const MIN_BATCHES: u64 = 10_000;
/// Maximum number of pairs of a rehearsal; larger budgets are rehearsed with this number.
const MAX_PAIRS: u64 = 20_000_000;
/// Number of seeds of [`expectation`] times dimensions, and the range of the number of seeds.
const SEEDS: u64 = 240;
const SEEDS_WITHIN: (u64, u64) = (2, 16);
/// Maximum number of seeds for the check of a larger budget.
pub const FEW_SEEDS: u64 = 4;
/// Share of the start's loss above which the remaining loss shows that the budget is too small.
const TOO_MUCH: f64 = 0.5;
/// Largest share of the start's loss that a sufficient budget leaves: less than one half, because
/// few seeds are inaccurate.
const ENOUGH: f64 = 0.4;
/// Maximum number of times that a budget is doubled to find a sufficient one.
const DOUBLINGS: u32 = 6;

/// Assumptions about players and surface before the first game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assumptions {
    /// Elo that the start loses against the best values, above 0. The best values lie a step away
    /// in every dimension (a normal distribution within the bounds), so this is also about the cost
    /// of a step in every dimension.
    pub start_loss: f64,
    /// Share of drawn games among equals, 0..1.
    pub draw_rate: f64,
    /// Advantage that the openings give to one side: root mean square, in Elo.
    pub opening_bias: f64,
}

impl Default for Assumptions {
    /// 100 Elo, 40 % draws, 60 Elo: as in the tables of docs/tuning.md.
    fn default() -> Self {
        let usual = Benchmark::usual(0);
        Self {
            start_loss: usual.start_loss,
            draw_rate: usual.draw_rate,
            opening_bias: usual.opening_bias,
        }
    }
}

/// The expected remaining loss of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expectation {
    /// Number of games of the budget.
    pub games: u64,
    /// Assumed loss of the start, in Elo.
    pub start_loss: f64,
    /// Remaining loss in Elo after the budget's games: for each seed, with mean and standard error.
    pub left: Simulated,
    /// The required budget, if the budget is too small to learn anything (more than half of the
    /// start's loss is left).
    pub too_small: Option<Needed>,
}

/// The number of games that would be sufficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Needed {
    /// Smallest number of games found that leaves at most two fifths of the start's loss; `None` if
    /// none was found.
    pub games: Option<u64>,
}

/// Simulated runs of an algorithm, one for each seed.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    method: Method,
    space: Space,
    plan: Plan,
    benchmark: Benchmark,
    outcomes: Outcomes,
}

impl Rehearsal {
    /// Creates a rehearsal of a run with this plan, whose seed is ignored.
    ///
    /// # Errors
    /// [`BadBenchmark`] for settings with which the algorithm cannot run, or assumptions that
    /// contradict each other.
    pub fn new(
        space: &Space,
        method: &Method,
        plan: Plan,
        assumptions: &Assumptions,
    ) -> Result<Self, BadBenchmark> {
        let start_loss = positive("the loss at the start", assumptions.start_loss)?;
        let plan = coarser(space.len() as u64, plan);
        // Checks early that the method can run.
        Tuner::new(space.clone(), method, plan)?;
        Ok(Self {
            method: method.clone(),
            space: space.clone(),
            plan,
            benchmark: Benchmark {
                start_loss,
                draw_rate: assumptions.draw_rate,
                opening_bias: assumptions.opening_bias,
                ..Benchmark::usual(2 * plan.pairs)
            },
            outcomes: Outcomes::new(assumptions.draw_rate, assumptions.opening_bias)?,
        })
    }

    /// Returns the Elo left on the surface of a seed; deterministic for each seed. Rehearsals of
    /// other algorithms and budgets in the same space use the same surface.
    ///
    /// # Errors
    /// None: [`Rehearsal::new`] has checked.
    pub fn run(&self, seed: u64) -> Result<f64, BadBenchmark> {
        let surface = Surface::draw(&self.benchmark, self.space.len(), seed)?;
        let surface = surface.inside(&self.space);
        let plan = Plan { seed, ..self.plan };
        run_on(&self.method, &self.space, plan, &surface, &self.outcomes)
    }
}

/// Returns the plan with larger batches, so that there are few of them. The result is almost the
/// same, because the noise of the games does not depend on the batches.
fn coarser(dimensions: u64, plan: Plan) -> Plan {
    let pairs = plan.pairs.min(MAX_PAIRS);
    let batch = u64::from(plan.batch.max(1));
    let most = (MAX_WORK / dimensions.max(1)).clamp(MIN_BATCHES, MAX_BATCHES);
    let factor = pairs.div_ceil(batch).div_ceil(most).max(1);
    Plan {
        pairs,
        batch: u32::try_from(batch * factor).unwrap_or(u32::MAX),
        // Keeps about the same number of pairs under way.
        window: u64::from(plan.window).div_ceil(factor).max(1) as u32,
        ..plan
    }
}

/// Rehearses a run with some seeds, in a second or less up to some hundred dimensions. The result
/// depends only on the arguments.
///
/// # Errors
/// The same as for [`Rehearsal::new`].
pub fn expectation(
    space: &Space,
    method: &Method,
    plan: Plan,
    assumptions: &Assumptions,
) -> Result<Expectation, BadBenchmark> {
    let (least, most) = SEEDS_WITHIN;
    let seeds = (SEEDS / space.len() as u64).clamp(least, most);
    let left = |plan: Plan, seeds: u64| -> Result<Simulated, BadBenchmark> {
        let rehearsal = Rehearsal::new(space, method, plan, assumptions)?;
        let runs = (0..seeds).map(|seed| rehearsal.run(seed));
        Ok(Simulated::new(runs.collect::<Result<_, _>>()?))
    };
    Expectation::of(
        space,
        method,
        plan,
        assumptions,
        left(plan, seeds)?,
        |plan| left(plan, seeds.min(FEW_SEEDS)),
    )
}

impl Expectation {
    /// Creates the expectation from the result of rehearsals. If the budget is too small, it tries
    /// larger ones with `rehearse`, starting at the theoretical minimum.
    ///
    /// # Errors
    /// Those of `rehearse`, or [`BadBenchmark::Law`].
    pub fn of(
        space: &Space,
        method: &Method,
        plan: Plan,
        assumptions: &Assumptions,
        left: Simulated,
        rehearse: impl Fn(Plan) -> Result<Simulated, BadBenchmark>,
    ) -> Result<Self, BadBenchmark> {
        let mut expectation = Self::plain(plan, assumptions, left);
        let Some(mut needed) = expectation.too_small else {
            return Ok(expectation);
        };
        let enough = ENOUGH * assumptions.start_loss;
        let at_best = bound(space, method, assumptions, enough)?;
        let mut pairs = at_best.max(plan.pairs.saturating_mul(2));
        for _ in 0..=DOUBLINGS {
            if pairs > MAX_PAIRS {
                break;
            }
            let left = rehearse(Plan { pairs, ..plan })?;
            if left.mean.is_some_and(|mean| mean <= enough) {
                needed.games = Some(2 * pairs);
                break;
            }
            pairs = pairs.saturating_mul(2);
        }
        expectation.too_small = Some(needed);
        Ok(expectation)
    }

    /// Creates the expectation without trying larger budgets: the sufficient number of games stays
    /// unknown.
    pub fn plain(plan: Plan, assumptions: &Assumptions, left: Simulated) -> Self {
        let start_loss = assumptions.start_loss;
        let is_enough = left.mean.is_some_and(|mean| mean <= TOO_MUCH * start_loss);
        Self {
            games: plan.pairs.saturating_mul(2),
            start_loss,
            left,
            too_small: (!is_enough).then_some(Needed { games: None }),
        }
    }

    /// Returns a warning for the user if the budget is too small to learn anything.
    pub fn warning(&self) -> Option<String> {
        let needed = self.too_small?;
        let left = self.left.mean.unwrap_or(self.start_loss);
        let would_do = match needed.games {
            Some(games) => format!("about {games} would halve it"),
            None => "tune fewer parameters at once".to_owned(),
        };
        Some(format!(
            "{} games are too few to learn anything: of {} Elo that the start is assumed to lose, \
             {left:.0} would be left; {would_do}",
            self.games, self.start_loss
        ))
    }
}

/// Returns the number of pairs below which no unbiased estimate leaves only `left` Elo, rounded up
/// to two digits: `n²·v·347.4²/(16·q·left)` games, from the Fisher information of games between
/// players at a handicap of q from their centre.
fn bound(
    space: &Space,
    method: &Method,
    assumptions: &Assumptions,
    left: f64,
) -> Result<u64, BadBenchmark> {
    let law = PairLaw::from_rates(assumptions.draw_rate, assumptions.opening_bias, 0.0)?;
    let variance = law
        .game_variance()
        .map_or(super::GAME_VARIANCE, |variance| 4.0 * variance.get());
    let n = space.len() as f64;
    let handicap = method.handicap(space, assumptions.start_loss);
    let games = n * n * variance * ELO_PER_LEAD * ELO_PER_LEAD / (16.0 * handicap * left);
    let pairs = (0.5 * games).clamp(1.0, MAX_PAIRS as f64);
    let unit = libm::pow(10.0, (libm::log10(pairs).floor() - 1.0).max(0.0));
    Ok(((pairs / unit).ceil() * unit) as u64)
}

#[cfg(test)]
mod tests;
