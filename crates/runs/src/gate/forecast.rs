//! Forecasts of a gate's cost and verdict, before it starts or from its current state.

use std::num::NonZeroUsize;

use serde::Serialize;

use super::spread::ONE_SIDED;
use super::test::own_rates;
use super::{Spread, Test, Trial, Trials, Untestable, UsualSpread};
use leitai_config::{Control, Gate};
use leitai_stats::{
    BadLaw, BadPlan, BadTest, FORMULA_PAIRS, Matches, SequentialTest, Simulator, TestPlan,
};

/// The forecast of a gate, for each candidate separately.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// Source of the variance.
    pub spread: Spread,
    /// The assumed spread, if no pairs are recorded.
    pub assumed: Option<UsualSpread>,
    /// Variance of one game's score within its pair, midway between the hypotheses.
    pub variance: f64,
    /// Points at H0, midway, and at H1, for the first candidate without a verdict; for a new
    /// candidate if all have verdicts.
    pub points: Vec<Point>,
    /// Each candidate's forecast from its current state.
    pub from_here: Vec<TrialForecast>,
    /// Upper bounds on the cost of all candidates together.
    pub together: CombinedForecast,
    /// A note on effects that the numbers ignore, if any.
    pub note: Option<String>,
}

/// The forecast of one candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialForecast {
    /// Pairs that its test has counted.
    pub recorded: u64,
    /// Current value of the test: the log-likelihood ratio, log e-value or score.
    pub level: f64,
    /// True if the candidate has its verdict.
    pub is_over: bool,
    /// Points at H0, midway, and at H1.
    pub points: Vec<Point>,
}

/// The forecast at one true strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Point {
    /// The candidate's advantage in logistic Elo.
    pub elo: f64,
    /// Variance of one game's score within its pair at that strength.
    pub variance: f64,
    /// Probability that the candidate is accepted within the cap.
    pub pass: f64,
    /// Probability that the candidate is rejected within the cap.
    pub reject: f64,
    /// Probability of neither.
    pub inconclusive: f64,
    /// Expected number of pairs in addition to the recorded ones, limited by the cap of the gate.
    pub pairs: f64,
    /// Number of simulated gates behind the numbers and the standard errors of `pass` and `pairs`;
    /// `None` if the formulas gave them.
    pub gates: Option<u64>,
    /// Standard error of `pass`; see `gates`.
    pub pass_error: Option<f64>,
    /// Standard error of `pairs`; see `gates`.
    pub pairs_error: Option<f64>,
}

/// Pairs of all candidates. The true number is lower, because each acceptance makes the next one
/// easier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CombinedForecast {
    /// The number of candidates.
    pub candidates: usize,
    /// Expected number of remaining pairs if each candidate has the strength that takes longest.
    pub pairs: f64,
    /// The largest number of remaining pairs.
    pub max_pairs: u64,
    /// The largest number of one candidate's pairs that can be evidence.
    pub different_pairs: u64,
    /// Expected number of laps of one candidate through the book, at the strength that takes
    /// longest.
    pub laps: f64,
}

/// The result of a forecast.
pub(super) type Result<T, E = NoForecast> = std::result::Result<T, E>;

/// The cause of a missing forecast.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoForecast {
    /// The hypotheses are indistinguishable.
    #[error(transparent)]
    Plan(#[from] BadPlan),
    /// No law of pairs has the strength.
    #[error(transparent)]
    Law(#[from] BadLaw),
    /// The error rates are not valid for a test.
    #[error(transparent)]
    Rates(#[from] BadTest),
    /// The test does not support the hypotheses.
    #[error(transparent)]
    Untestable(#[from] Untestable),
    /// No score corresponds to a hypothesis.
    #[error("at this variance, a hypothesis would need a score outside 0 to 1")]
    Beyond,
    /// The test counts games.
    #[error(
        "forecasts are about pairs, and `test = \"trinomial\"` counts games\nhelp: look at the same \
         gate with `test = \"gsprt\"`, which needs no more games"
    )]
    CountsGames,
}

impl Forecast {
    /// The forecast of a gate. Uses the spread of the pairs in `trials` if there are enough of
    /// them, else `usual`, the usual spread of the game.
    ///
    /// The formulas of the likelihood ratio, up to the cap, give the forecast of a gsprt gate that
    /// takes more than [`FORMULA_PAIRS`] pairs; all other gates are simulated. Each candidate
    /// continues from its pairs in `trials`. If candidates are judged together, each one needs the
    /// evidence of the first to be accepted.
    ///
    /// # Errors
    /// See [`NoForecast`].
    pub fn new(trials: &Trials, usual: UsualSpread, threads: NonZeroUsize) -> Result<Self> {
        let gate = &trials.gate;
        let (spread, one_sided) = Spread::of(trials, usual)?;
        let [low, high] = strengths(gate, spread)?;
        let middle = f64::midpoint(low, high);
        let strengths = [low, middle, high];
        // All candidates are tested for the same hypotheses.
        let simulator = &Simulator::new(threads);
        let mut from_here: Vec<TrialForecast> = Vec::new();
        for trial in &trials.candidates {
            let is_new = |ahead: &&TrialForecast| ahead.recorded == 0 && !ahead.is_over;
            let same = from_here.iter().find(is_new);
            // All candidates before their first pair have the same forecast.
            let ahead = match same.filter(|_| trial.last_pair.is_none()) {
                Some(ahead) => ahead.clone(),
                None => TrialForecast::of(trials, trial, spread, strengths, simulator)?,
            };
            from_here.push(ahead);
        }
        let points = if let Some(ahead) = from_here.iter().find(|ahead| !ahead.is_over) {
            ahead.points.clone()
        } else {
            let new = Test::new(gate, trials.rounds)?;
            let all = trials.different_pairs();
            let points = strengths.map(|elo| point(gate, (&new, all), spread, elo, simulator));
            points.into_iter().collect::<Result<_>>()?
        };
        let longest = |ahead: &TrialForecast| {
            let pairs = ahead.points.iter().map(|point| point.pairs);
            pairs.fold(0.0, f64::max)
        };
        let left = trials.candidates.iter().map(|trial| trials.left(trial).0);
        Ok(Self {
            spread,
            assumed: match spread {
                Spread::Assumed(usual) | Spread::AssumedOfGames(usual) => Some(usual),
                Spread::Recorded(_) => None,
            },
            variance: spread.variance(middle)?.get() * gate.games_per_pair() / 2.0,
            together: CombinedForecast {
                candidates: gate.candidates.len(),
                pairs: from_here.iter().map(longest).sum(),
                max_pairs: left.fold(0, u64::saturating_add),
                different_pairs: trials.different_pairs(),
                laps: points.iter().map(|point| point.pairs).fold(0.0, f64::max)
                    / trials.openings as f64,
            },
            points,
            from_here,
            note: note(gate, one_sided),
        })
    }

    /// Average number of pairs that the test needs without a cap, for a true strength midway
    /// between the hypotheses, which takes longest.
    ///
    /// # Errors
    /// See [`NoForecast`].
    pub fn uncapped_pairs(trials: &Trials, usual: UsualSpread) -> Result<f64> {
        let gate = &trials.gate;
        let (spread, _) = Spread::of(trials, usual)?;
        let [low, high] = strengths(gate, spread)?;
        let middle = f64::midpoint(low, high);
        let plan = TestPlan::new(
            gate.pair_hypotheses(),
            own_rates(gate)?,
            spread.variance(middle)?,
        )?;
        Ok(plan.sequential(middle).expected_games / 2.0)
    }
}

/// Pairs to simulate for one strength: of a likelihood ratio test, which is slow, and of other
/// tests.
const BUDGETS: [f64; 2] = [4e6, 16e6];

impl TrialForecast {
    fn of(
        trials: &Trials,
        trial: &Trial,
        spread: Spread,
        strengths: [f64; 3],
        simulator: &Simulator,
    ) -> Result<Self> {
        let over = trial.verdict.map(|verdict| Point::over(verdict.passed()));
        let from_here = (&trial.test, trials.left(trial).1);
        let points = strengths.map(|elo| match over {
            Some(over) => Ok(Point {
                elo,
                variance: spread.variance(elo)?.get() * trials.gate.games_per_pair() / 2.0,
                ..over
            }),
            None => point(&trials.gate, from_here, spread, elo, simulator),
        });
        Ok(Self {
            recorded: trial.pairs(),
            level: trial.test.level().value,
            is_over: trial.verdict.is_some(),
            points: points.into_iter().collect::<Result<_>>()?,
        })
    }
}

impl Point {
    /// The forecast of a finished trial.
    fn over(passed: Option<bool>) -> Self {
        let certain = |it: bool| f64::from(u8::from(it));
        Self {
            pass: certain(passed == Some(true)),
            reject: certain(passed == Some(false)),
            inconclusive: certain(passed.is_none()),
            ..Self::default()
        }
    }
}

fn point(
    gate: &Gate,
    (test, left): (&Test, u64),
    spread: Spread,
    elo: f64,
    simulator: &Simulator,
) -> Result<Point> {
    let variance = spread.variance(elo)?;
    let plan = TestPlan::new(gate.pair_hypotheses(), own_rates(gate)?, variance)?;
    let plan = plan.from_here(test.remaining());
    let formula = plan.capped(elo, 2.0 * left as f64);
    let expected = formula.expected_games / 2.0;
    let gsprt = matches!(test, Test::Gsprt(_));
    let point = Point {
        elo,
        variance: variance.get() * gate.games_per_pair() / 2.0,
        ..Point::default()
    };
    if gsprt && expected > FORMULA_PAIRS {
        return Ok(Point {
            pass: formula.pass,
            reject: formula.reject,
            inconclusive: formula.inconclusive,
            pairs: expected,
            ..point
        });
    }
    let budget = BUDGETS[usize::from(!gsprt)];
    let law = spread.law(elo)?;
    let rolled = Matches::new(test, &law, left, simulator).expecting(expected, budget);
    Ok(Point {
        pass: rolled.pass,
        reject: rolled.reject,
        inconclusive: (1.0 - rolled.pass - rolled.reject).max(0.0),
        pairs: rolled.pairs,
        gates: Some(rolled.matches),
        pass_error: Some(rolled.pass_error),
        pairs_error: Some(rolled.pairs_error),
        ..point
    })
}

/// Returns a note on effects that a forecast and a rehearsal ignore.
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

/// The hypotheses in logistic Elo. Normalized Elo depends on the variance at the strength itself; a
/// few iterations converge.
pub(super) fn strengths(gate: &Gate, spread: Spread) -> Result<[f64; 2]> {
    let rates = own_rates(gate)?;
    let settled = |upper: bool| {
        let mut elo = 0.0;
        // The pairs may not be able to have the strength of the first guess.
        let mut variance = spread.first_guess()?;
        for _ in 0..8 {
            let plan = TestPlan::new(gate.pair_hypotheses(), rates, variance)?;
            let (low, high) = plan.logistic_hypotheses();
            elo = if upper { high } else { low }.ok_or(NoForecast::Beyond)?;
            variance = spread.variance(elo)?;
        }
        Ok::<_, NoForecast>(elo)
    };
    Ok([settled(false)?, settled(true)?])
}
