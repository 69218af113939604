//! What to expect of a gate before it is played.

use std::num::NonZeroUsize;

use serde::Serialize;

use super::spread::ONE_SIDED;
use super::test::own_rates;
use super::{Spread, Test, Trials, Untestable, Usual};
use crate::config::{Control, Gate, TestKind};
use crate::stats::{BadLaw, BadPlan, BadTest, FORMULA_PAIRS, GameVariance, Rolled, TestPlan};

/// What to expect of a gate, for each of its candidates by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// Where the variance comes from.
    pub spread: Spread,
    /// What is assumed, if nothing is recorded.
    pub assumed: Option<Usual>,
    /// Variance of one game's score within its pair, half way between the
    /// hypotheses.
    pub variance: f64,
    /// At H0, half way, and at H1.
    pub points: Vec<Point>,
    /// What all candidates cost together, at most.
    pub together: Together,
    /// What the numbers leave out, if anything.
    pub note: Option<String>,
}

/// What to expect at one true strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// By how much the candidate is stronger, in logistic Elo.
    pub elo: f64,
    /// Variance of one game's score within its pair at that strength.
    pub variance: f64,
    /// Probability that it is accepted within the cap.
    pub pass: f64,
    /// Probability that it is rejected within the cap.
    pub reject: f64,
    /// Probability that it is neither.
    pub inconclusive: f64,
    /// Pairs that are expected, of at most as many as the gate may play.
    pub pairs: f64,
    /// Gates played with dice that the numbers are counted in, and the standard errors
    /// of `pass` and `pairs`; `None` where they come from the formulas.
    pub gates: Option<u64>,
    /// See `gates`.
    pub pass_error: Option<f64>,
    /// See `gates`.
    pub pairs_error: Option<f64>,
}

/// Pairs of all candidates: in fact fewer, for one that is accepted makes it
/// easier for the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Together {
    /// How many candidates there are.
    pub candidates: usize,
    /// Pairs that are expected if all of them are as strong as takes longest.
    pub pairs: f64,
    /// Pairs that may be played.
    pub max_pairs: u64,
    /// Pairs of one candidate that can be evidence, at most.
    pub different_pairs: u64,
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
    /// is enough, else what is `usual` in the game.
    ///
    /// A gsprt gate that takes more than [`FORMULA_PAIRS`] pairs is forecast by the
    /// formulas of the likelihood ratio up to the cap; every other one is played with
    /// dice. Where candidates are judged together, each is taken to need the evidence
    /// of the first to be accepted.
    ///
    /// # Errors
    /// See [`NoForecast`].
    pub fn new(trials: &Trials, usual: Usual, threads: NonZeroUsize) -> Result<Self, NoForecast> {
        let gate = trials.gate();
        let (spread, one_sided) = Spread::of(trials, usual);
        let [low, high] = strengths(gate, spread)?;
        let middle = f64::midpoint(low, high);
        let points = [low, middle, high].map(|elo| point(trials, spread, elo, threads));
        let points = points.into_iter().collect::<Result<Vec<_>, _>>()?;
        let candidates = gate.candidates.len();
        let longest = points.iter().map(|point| point.pairs).fold(0.0, f64::max);
        Ok(Self {
            spread,
            assumed: match spread {
                Spread::Assumed(usual) => Some(usual),
                Spread::Recorded(_) => None,
            },
            variance: spread.variance(middle)?.get(),
            points,
            together: Together {
                candidates,
                pairs: candidates as f64 * longest,
                max_pairs: trials.rounds().saturating_mul(candidates as u64),
                different_pairs: trials.different_pairs(),
            },
            note: note(gate, one_sided),
        })
    }

    /// The variance of a game among equals that the forecast goes by.
    ///
    /// # Errors
    /// See [`NoForecast`].
    pub fn variance_among_equals(
        trials: &Trials,
        usual: Usual,
    ) -> Result<GameVariance, NoForecast> {
        Spread::of(trials, usual).0.variance(0.0)
    }
}

impl Forecast {
    /// Pairs that the test needs on average where the truth lies half way between
    /// the hypotheses, which takes longest, however many there are.
    ///
    /// # Errors
    /// See [`NoForecast`].
    pub fn uncapped_pairs(trials: &Trials, usual: Usual) -> Result<f64, NoForecast> {
        let gate = trials.gate();
        let (spread, _) = Spread::of(trials, usual);
        let [low, high] = strengths(gate, spread)?;
        let middle = f64::midpoint(low, high);
        let plan = TestPlan::new(gate.hypotheses, own_rates(gate)?, spread.variance(middle)?)?;
        Ok(plan.sequential(middle).expected_games / 2.0)
    }
}

/// Pairs to be played with dice for one strength: of a likelihood ratio, which takes
/// its time, and of other tests.
const BUDGETS: [f64; 2] = [4e6, 16e6];

fn point(
    trials: &Trials,
    spread: Spread,
    elo: f64,
    threads: NonZeroUsize,
) -> Result<Point, NoForecast> {
    let gate = trials.gate();
    let variance = spread.variance(elo)?;
    let plan = TestPlan::new(gate.hypotheses, own_rates(gate)?, variance)?;
    let formula = plan.capped(elo, 2.0 * trials.different_pairs() as f64);
    let expected = formula.expected_games / 2.0;
    let gsprt = matches!(gate.test, TestKind::Gsprt { .. });
    if gsprt && expected > FORMULA_PAIRS {
        return Ok(Point {
            elo,
            variance: variance.get(),
            pass: formula.pass,
            reject: formula.reject,
            inconclusive: formula.inconclusive,
            pairs: expected,
            gates: None,
            pass_error: None,
            pairs_error: None,
        });
    }
    let rolled = Rolled::new(
        &Test::new(gate, trials.rounds())?,
        &spread.law(elo)?,
        (expected, trials.different_pairs()),
        BUDGETS[usize::from(!gsprt)],
        threads,
    );
    Ok(Point {
        elo,
        variance: variance.get(),
        pass: rolled.pass,
        reject: rolled.reject,
        inconclusive: (1.0 - rolled.pass - rolled.reject).max(0.0),
        pairs: rolled.pairs,
        gates: Some(rolled.matches),
        pass_error: Some(rolled.pass_error),
        pairs_error: Some(rolled.pairs_error),
    })
}

/// What a forecast and a rehearsal leave out.
pub(super) fn note(gate: &Gate, one_sided: bool) -> Option<String> {
    let mut notes = Vec::new();
    if one_sided {
        notes.push(ONE_SIDED.to_owned());
    }
    let k = gate.candidates.len();
    match gate.control {
        _ if k < 2 => {}
        Control::None => notes.push(format!(
            "each of the {k} candidates by itself, at alpha for each"
        )),
        Control::FamilyWise | Control::FalseDiscovery => notes.push(format!(
            "each of the {k} candidates by itself, at alpha/{k}: the bound of the first to be \
             accepted; the others need less"
        )),
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// The hypotheses in logistic Elo. What a normalized one stands for depends on
/// the variance at the very strength: a few rounds settle it.
pub(super) fn strengths(gate: &Gate, spread: Spread) -> Result<[f64; 2], NoForecast> {
    let rates = own_rates(gate)?;
    let settled = |upper: bool| {
        let mut elo = 0.0;
        // The first guess need not be a strength that the pairs can stand for.
        let mut variance = spread.first_guess()?;
        for _ in 0..8 {
            let plan = TestPlan::new(gate.hypotheses, rates, variance)?;
            let (low, high) = plan.logistic_hypotheses();
            elo = if upper { high } else { low }.ok_or(NoForecast::Beyond)?;
            variance = spread.variance(elo)?;
        }
        Ok::<_, NoForecast>(elo)
    };
    Ok([settled(false)?, settled(true)?])
}
