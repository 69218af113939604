//! The best sequential test for a stream of ideas.
//!
//! Ideas come one after the other. Their true strengths θ have a normal distribution, mostly of
//! small values. Each idea is tested, and accepted ones stay. By renewal theory (Ross, Stochastic
//! Processes, 1996, theorem 3.6.1) the Elo won per game is in the long run
//!
//! ```text
//! E[θ · P(pass | θ)] / E[games | θ]
//! ```
//!
//! Both means are sums over 161 points, to eight deviations on each side: for a normal distribution
//! exact to rounding. The search for tests uses pass probability and games of [`TestPlan`]; a test
//! that is reported is simulated where its formulas do not hold.
//!
//! Level α, power, and distance of the hypotheses depend on each other: for every α there are
//! hypotheses and β whose test has the same two bounds. So the search keeps α and varies the other
//! three. If testing ideas costs no games elsewhere, ever coarser tests win ever more on paper, so
//! the search is bounded ([`Region`]): an idea worth nothing is accepted with probability α at most
//! (elo0 ≥ 0), and a change worth elo1 is missed in at most 40 % of its tests.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use super::{ErrorRates, GameVariance, Hypotheses, Model, TestPlan};

/// Points of the sums on each side, and their range in deviations.
const FINE: (i32, f64) = (80, 8.0);
/// The same for a search over thousands of tests.
const COARSE: (i32, f64) = (24, 6.0);
/// Maximum number of steps of H0: means far above the deviation would need thousands.
const MAX_LOW: u32 = 20;
/// Share of the best rate that counts as equally good.
const ALIKE: f64 = 0.95;

/// The distribution of the true strengths of ideas: normal, in logistic Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IdeaPrior {
    /// Mean in Elo.
    pub mean: f64,
    /// Standard deviation in Elo.
    pub deviation: f64,
}

/// A reason why a prior of changes is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadPrior {
    /// The text does not have the form of a prior.
    #[error("`{0}` is not of the form N(MEAN,DEVIATION), such as N(-1,4)")]
    Form(String),
    /// The mean or the deviation is out of range.
    #[error("the mean must lie between -200 and 200 Elo, the deviation between 0.1 and 200")]
    Range,
    /// There are too few recorded candidates for a fit.
    #[error(
        "{got} recorded candidates are too few for a fit of a prior of changes: at least {want} are \
         needed"
    )]
    TooFew {
        /// Number of recorded candidates.
        got: usize,
        /// Number of candidates that a fit needs.
        want: usize,
    },
}

/// Outcome and cost of a test for ideas of one strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestOutcome {
    /// Share of ideas that are accepted.
    pub pass: f64,
    /// Games per idea.
    pub games: f64,
    /// Variances of both, and their covariance; 0 if they are not simulated.
    pub scatter: [f64; 3],
}

/// The gain of a test from ideas of a prior.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PriorGain {
    /// Elo won per game, in the long run.
    pub elo_per_game: f64,
    /// Standard error of `elo_per_game` if tests were simulated; 0 by formula.
    pub elo_per_game_error: f64,
    /// Games per idea.
    pub games: f64,
    /// Share of ideas that are accepted.
    pub accepted: f64,
    /// Share of accepted ideas that are weaker than the version they replace.
    pub weaker: f64,
}

/// A test and its gain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// Name of the test.
    pub test: &'static str,
    /// H0 in logistic Elo.
    pub elo0: f64,
    /// H1 in logistic Elo.
    pub elo1: f64,
    /// Probability of accepting H1 if H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 if H1 is true.
    pub beta: f64,
    /// Gain of the test.
    #[serde(flatten)]
    pub gain: PriorGain,
}

/// Ranges of the parameters of tests: those of a search, or those close to the best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Region {
    /// Range of elo0.
    pub elo0: [f64; 2],
    /// Range of elo1.
    pub elo1: [f64; 2],
    /// Range of beta.
    pub beta: [f64; 2],
}

/// The best test, and the tests that are nearly as good.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Best {
    /// The test with the largest gain per game.
    pub choice: Choice,
    /// The region of the search.
    pub searched: Region,
    /// The range of tests that win at least 95 % of the best.
    pub alike: Region,
}

/// A test compared with the best and with the usual one, all with the same maximum number of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The prior of changes.
    pub prior: IdeaPrior,
    /// The fit of the prior; `None` if the user gave the prior.
    #[serde(rename = "learnt")]
    pub fitted: Option<FittedPrior>,
    /// Maximum number of pairs of a test; `None` without a cap.
    pub max_pairs: Option<u64>,
    /// The user's test, with its hypotheses in logistic Elo.
    pub yours: Choice,
    /// The test of (0, 5) with error rates of 0.05.
    pub usual: Choice,
    /// The best test in its region at the level of `yours`; `None` if there is none.
    pub best: Option<Best>,
    /// The best test without the cap, if its gain is at least a twentieth larger.
    pub uncapped: Option<Choice>,
}

/// A prior of changes fitted to recorded results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FittedPrior {
    /// The fitted prior.
    pub prior: IdeaPrior,
    /// Standard error of its mean.
    pub mean_error: f64,
    /// Standard error of its deviation.
    pub deviation_error: f64,
    /// Number of results in the fit.
    pub results: usize,
}

impl fmt::Display for IdeaPrior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let round = |x: f64| (100.0 * x).round() / 100.0 + 0.0;
        write!(f, "N({},{})", round(self.mean), round(self.deviation))
    }
}

impl FromStr for IdeaPrior {
    type Err = BadPrior;

    fn from_str(text: &str) -> Result<Self, BadPrior> {
        let form = || BadPrior::Form(text.to_owned());
        let inner = text.trim().strip_prefix(['N', 'n']).ok_or_else(form)?;
        let inner = inner.trim().strip_prefix('(').ok_or_else(form)?;
        let inner = inner.strip_suffix(')').ok_or_else(form)?;
        let (mean, deviation) = inner.split_once(',').ok_or_else(form)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| form());
        Self::new(number(mean)?, number(deviation)?)
    }
}

impl IdeaPrior {
    /// Minimum number of results for a fit.
    pub const MIN_RESULTS: usize = 10;

    /// Creates a prior from mean and standard deviation, in logistic Elo.
    ///
    /// # Errors
    /// [`BadPrior::Range`] if the mean is beyond ±200 or the deviation is outside 0.1..=200.
    pub fn new(mean: f64, deviation: f64) -> Result<Self, BadPrior> {
        if mean.abs() <= 200.0 && (0.1..=200.0).contains(&deviation) {
            Ok(Self { mean, deviation })
        } else {
            Err(BadPrior::Range)
        }
    }

    /// Computes the gain of a test. `test` returns the outcome for ideas of a strength, given their
    /// share of all ideas.
    pub fn gain(&self, test: impl FnMut(f64, f64) -> TestOutcome) -> PriorGain {
        self.sum(FINE, test)
    }

    fn sum(
        &self,
        (points, reach): (i32, f64),
        mut test: impl FnMut(f64, f64) -> TestOutcome,
    ) -> PriorGain {
        let weight = |k: i32| {
            let z = reach * f64::from(k) / f64::from(points);
            (z, libm::exp(-0.5 * z * z))
        };
        let all: f64 = (-points..=points).map(|k| weight(k).1).sum();
        let (mut won, mut games, mut accepted, mut weaker) = (0.0, 0.0, 0.0, 0.0);
        let mut scatter = [0.0; 3];
        for k in -points..=points {
            let (z, weight) = weight(k);
            let share = weight / all;
            let elo = self.mean + self.deviation * z;
            let fare = test(elo, share);
            won += share * elo * fare.pass;
            games += share * fare.games;
            accepted += share * fare.pass;
            if elo < 0.0 {
                weaker += share * fare.pass;
            }
            let factors = [elo * elo, 1.0, elo].map(|factor| share * share * factor);
            for (sum, (factor, own)) in scatter.iter_mut().zip(factors.iter().zip(fare.scatter)) {
                *sum += factor * own;
            }
        }
        let games = games.max(f64::MIN_POSITIVE);
        let rate = won / games;
        // The variance of a ratio of means, by the delta method.
        let variance = scatter[0] + rate * (rate * scatter[1] - 2.0 * scatter[2]);
        PriorGain {
            elo_per_game: rate,
            elo_per_game_error: variance.max(0.0).sqrt() / games,
            games,
            accepted,
            weaker: weaker / accepted.max(f64::MIN_POSITIVE),
        }
    }

    /// Computes the gain of a sequential test by the formulas, with at most `most_games` games if
    /// there is a cap.
    pub fn gain_by_formula(&self, plan: &TestPlan, most_games: Option<f64>) -> PriorGain {
        self.gain(|elo, _| plan.outcome(elo, most_games))
    }

    /// Finds the test at a level with the largest gain by the formulas, with at most `most_games`
    /// games if there is a cap.
    ///
    /// Tries all tests with H0 from 0 to the mean plus two deviations (at least two deviations), H1
    /// up to eight deviations above it, and β from 0.05 to 0.4 (or up to the limit that the level
    /// leaves). Steps are an eighth of a deviation, rounded to quarters of an Elo if that is
    /// coarser than half of one; H0 has at most 20 steps. `None` if the level leaves no test.
    pub fn best(
        &self,
        alpha: f64,
        variance: GameVariance,
        most_games: Option<f64>,
    ) -> Option<Best> {
        let eighth = self.deviation / 8.0;
        let step = if eighth > 0.5 {
            (4.0 * eighth).round() / 4.0
        } else {
            eighth
        };
        let farthest = self.mean.max(0.0) + 2.0 * self.deviation;
        let far = ((farthest / step).ceil() as u32).min(MAX_LOW);
        let low_step = (farthest / step).ceil() * step / f64::from(far.max(1));
        let wide = (8.0 * self.deviation / step).ceil() as u32;
        let mut choices = Vec::new();
        for twentieths in 1..=8 {
            let beta = 0.05 * f64::from(twentieths);
            let Ok(rates) = ErrorRates::new(alpha, beta) else {
                continue;
            };
            for (low, width) in (0..=far).flat_map(|low| (1..=wide).map(move |w| (low, w))) {
                let elo0 = low_step * f64::from(low);
                let elo1 = elo0 + step * f64::from(width);
                let plan = Hypotheses::new(elo0, elo1, Model::Logistic).ok();
                let plan = plan.and_then(|h| TestPlan::new(h, rates, variance).ok());
                let Some(plan) = plan else { continue };
                choices.push(Choice {
                    test: "gsprt",
                    elo0,
                    elo1,
                    alpha,
                    beta,
                    gain: self.sum(COARSE, |elo, _| plan.outcome(elo, most_games)),
                });
            }
        }
        let rate = |choice: &Choice| choice.gain.elo_per_game;
        let choice = *choices.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
        let alike = choices.iter().filter(|c| rate(c) >= ALIKE * rate(&choice));
        Some(Best {
            choice,
            searched: Region::of(&choices.iter()),
            alike: Region::of(&alike),
        })
    }

    /// Fits the distribution by maximum likelihood to recorded results: the Elo and standard error
    /// of each candidate's pairs, `xᵢ ~ N(mean, deviation² + errorᵢ²)`.
    ///
    /// A stopping rule that depends only on the observed results does not change their likelihood
    /// (Berger and Wolpert, The Likelihood Principle, 1988), so stopped results need no correction
    /// here, though each is biased by itself. The deviation is fitted by restricted maximum
    /// likelihood (Harville, JASA 72, 1977), which accounts for the fitted mean; errors are by the
    /// curvature. With few results, or with errors larger than the deviation, the fitted deviation
    /// can be far too small. Ideas that were never tested or recorded are not included.
    ///
    /// # Errors
    /// [`BadPrior::TooFew`], or a law out of range.
    pub fn fit(results: &[(f64, f64)]) -> Result<FittedPrior, BadPrior> {
        let (got, want) = (results.len(), Self::MIN_RESULTS);
        if got < want {
            return Err(BadPrior::TooFew { got, want });
        }
        // For a given deviation the best mean has a closed form.
        let profile = |deviation: f64| {
            let square = deviation * deviation;
            let (mut weights, mut sum) = (0.0, 0.0);
            for &(x, error) in results {
                let weight = 1.0 / (square + error * error);
                weights += weight;
                sum += weight * x;
            }
            let mean = sum / weights;
            let log = results.iter().map(|&(x, error)| {
                let variance = square + error * error;
                -0.5 * (libm::log(variance) + (x - mean) * (x - mean) / variance)
            });
            (log.sum::<f64>() - 0.5 * libm::log(weights), mean, weights)
        };
        let grid = (0..=400).map(|k| 0.1 * libm::pow(2000.0, f64::from(k) / 400.0));
        let best = grid.max_by(|a, b| profile(*a).0.total_cmp(&profile(*b).0));
        let deviation = best.unwrap_or(0.1);
        let (_, mean, weights) = profile(deviation);
        // Fisher information of the deviation: Σ 2σ²/(σ² + e²)².
        let information: f64 = results
            .iter()
            .map(|&(_, e)| 2.0 * (deviation / (deviation * deviation + e * e)).powi(2))
            .sum();
        Ok(FittedPrior {
            prior: Self::new(mean, deviation)?,
            mean_error: weights.sqrt().recip(),
            deviation_error: information.sqrt().recip(),
            results: got,
        })
    }
}

impl TestPlan {
    /// Computes outcome and cost of the sequential test for ideas of a strength by the formulas,
    /// with at most `most_games` games if there is a cap.
    pub fn outcome(&self, elo: f64, most_games: Option<f64>) -> TestOutcome {
        let (pass, games) = match most_games {
            None => {
                let free = self.sequential(elo);
                (free.pass_probability, free.expected_games)
            }
            Some(most) => {
                let capped = self.capped(elo, most);
                (capped.pass, capped.expected_games)
            }
        };
        TestOutcome {
            pass,
            games,
            scatter: [0.0; 3],
        }
    }
}

impl Region {
    fn of<'a>(choices: &(impl Iterator<Item = &'a Choice> + Clone)) -> Self {
        let range = |value: fn(&Choice) -> f64| {
            let values = choices.clone().map(value);
            values.fold([f64::MAX, f64::MIN], |[low, high], x| {
                [low.min(x), high.max(x)]
            })
        };
        Self {
            elo0: range(|choice| choice.elo0),
            elo1: range(|choice| choice.elo1),
            beta: range(|choice| choice.beta),
        }
    }
}

#[cfg(test)]
mod tests;
