//! Which test wins most from a stream of ideas.
//!
//! Ideas come one after the other, their true strengths θ drawn from a normal law,
//! mostly of small ones. Each is tested, accepted ones stay. By renewal (Ross,
//! Stochastic Processes, 1996, theorem 3.6.1) the Elo won per game is in the long run
//!
//! ```text
//! E[θ · P(pass | θ)] / E[games | θ]
//! ```
//!
//! Both means are sums over 161 points, to eight deviations on each side: for a normal law
//! exact to rounding. Pass probability and games are those of [`TestPlan`] where tests are
//! looked for; a test that is shown is played with dice where its formulas do not hold.
//!
//! Level α, power, and distance of the hypotheses hang together: for every α there are
//! hypotheses and β whose test has the same two lines. So α is kept, and only the other
//! three are looked for. Where no game is lost by testing ideas, ever coarser tests win
//! ever more on paper; what is looked for is bounded ([`Region`]): an idea worth nothing is
//! accepted with probability α at most (elo0 ≥ 0), and a change worth elo1 is missed in 40 %
//! of its tests at most.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use super::{ErrorRates, GameVariance, Hypotheses, Model, TestPlan};

/// Points of the sums to each side, and deviations.
const FINE: (i32, f64) = (80, 8.0);
/// The same where thousands of tests are looked at.
const COARSE: (i32, f64) = (24, 6.0);
/// Most steps of H0: means far above the deviation would ask for thousands.
const MOST_LOW: u32 = 20;
/// A part of the best rate that counts as good as it.
const ALIKE: f64 = 0.95;

/// Where ideas' true strengths come from: a normal law, in logistic Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IdeaPrior {
    /// In Elo.
    pub mean: f64,
    /// In Elo.
    pub deviation: f64,
}

/// What is no prior of changes.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadPrior {
    /// Not of the form.
    #[error("`{0}` is not of the form N(MEAN,DEVIATION), such as N(-1,4)")]
    Form(String),
    /// Out of range.
    #[error("the mean must lie between -200 and 200 Elo, the deviation between 0.1 and 200")]
    Range,
    /// Too few gates to learn it from.
    #[error(
        "{got} recorded candidates are too few to learn a prior of changes from: at least {want}"
    )]
    TooFew {
        /// Candidates that there are.
        got: usize,
        /// Candidates that it takes.
        want: usize,
    },
}

/// How a test fares with ideas of one strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fare {
    /// Share that is accepted.
    pub pass: f64,
    /// Games per idea.
    pub games: f64,
    /// Variances of both, and their covariance; 0 where they are not counted.
    pub scatter: [f64; 3],
}

/// What a test wins from ideas of a law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Harvest {
    /// Elo won per game, in the long run.
    pub elo_per_game: f64,
    /// Its standard error, where it was counted in tests played with dice; 0 by formula.
    pub elo_per_game_error: f64,
    /// Games per idea.
    pub games: f64,
    /// Share of ideas that are accepted.
    pub accepted: f64,
    /// Share of the accepted that are weaker than what they replace.
    pub weaker: f64,
}

/// A test, and what it wins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// Which test.
    pub test: &'static str,
    /// H0 and H1 in logistic Elo.
    pub elo0: f64,
    /// H1.
    pub elo1: f64,
    /// Probability of accepting H1 where H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 where H1 is true.
    pub beta: f64,
    /// What it wins.
    #[serde(flatten)]
    pub harvest: Harvest,
}

/// Least and greatest values of what was looked at, or is as good as the best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Region {
    /// Of elo0.
    pub elo0: [f64; 2],
    /// Of elo1.
    pub elo1: [f64; 2],
    /// Of beta.
    pub beta: [f64; 2],
}

/// The best test, and how much the choice matters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Best {
    /// The test that wins most.
    pub choice: Choice,
    /// What was looked at.
    pub searched: Region,
    /// Tests that win at least 95 % of it lie between these.
    pub alike: Region,
}

/// A test beside the best and beside what is usual, all of at most so many pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The prior of changes.
    pub prior: IdeaPrior,
    /// How that was learnt; `None` if it was given.
    pub learnt: Option<FittedPrior>,
    /// Most pairs of a test; `None` without a cap.
    pub max_pairs: Option<u64>,
    /// The test that was asked about; its hypotheses in logistic Elo.
    pub yours: Choice,
    /// (0, 5) with errors of 0.05.
    pub usual: Choice,
    /// The best in its region at the level of `yours`; `None` where there is none.
    pub best: Option<Best>,
    /// The best without the cap, if that wins a twentieth more.
    pub uncapped: Option<Choice>,
}

/// A prior of changes as recorded results have it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FittedPrior {
    /// The law.
    pub prior: IdeaPrior,
    /// Standard error of its mean.
    pub mean_error: f64,
    /// Standard error of its deviation.
    pub deviation_error: f64,
    /// Results that it was learnt from.
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
    /// Results below which no law is fitted.
    pub const LEAST_RESULTS: usize = 10;

    /// Mean and standard deviation, in logistic Elo.
    ///
    /// # Errors
    /// [`BadPrior::Range`].
    pub fn new(mean: f64, deviation: f64) -> Result<Self, BadPrior> {
        let is_sound = mean.abs() <= 200.0 && (0.1..=200.0).contains(&deviation);
        is_sound
            .then_some(Self { mean, deviation })
            .ok_or(BadPrior::Range)
    }

    /// What a test wins that fares so with ideas of a strength, which come with that
    /// share of all.
    pub fn harvest(&self, test: impl FnMut(f64, f64) -> Fare) -> Harvest {
        self.sum(FINE, test)
    }

    fn sum(&self, (points, reach): (i32, f64), mut test: impl FnMut(f64, f64) -> Fare) -> Harvest {
        let weight = |k: i32| {
            let z = reach * f64::from(k) / f64::from(points);
            (z, (-0.5 * z * z).exp())
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
        // Of a ratio of means, by the delta method.
        let variance = scatter[0] + rate * (rate * scatter[1] - 2.0 * scatter[2]);
        Harvest {
            elo_per_game: rate,
            elo_per_game_error: variance.max(0.0).sqrt() / games,
            games,
            accepted,
            weaker: weaker / accepted.max(f64::MIN_POSITIVE),
        }
    }

    /// What a sequential test wins by the formulas, of at most so many games if there is
    /// a cap.
    pub fn harvest_of(&self, plan: &TestPlan, most_games: Option<f64>) -> Harvest {
        self.harvest(|elo, _| plan.fare(elo, most_games))
    }

    /// The test at a level that wins most by the formulas, of at most so many games if
    /// there is a cap, by trying all: H0 from 0 to the mean and two deviations (at least two
    /// deviations), H1 up to eight deviations above it, β from 0.05 to 0.4 (or what the level
    /// leaves); steps of an eighth of a deviation, rounded to quarters of an Elo where that is
    /// coarser than half of one, and of H0 at most 20 steps. `None` for a level that leaves no test.
    pub fn best(
        &self,
        alpha: f64,
        variance: GameVariance,
        most_games: Option<f64>,
    ) -> Option<Best> {
        let step = self.deviation / 8.0;
        let step = if step > 0.5 {
            (4.0 * step).round() / 4.0
        } else {
            step
        };
        let farthest = self.mean.max(0.0) + 2.0 * self.deviation;
        let far = ((farthest / step).ceil() as u32).min(MOST_LOW);
        let low_step = (farthest / step).ceil() * step / f64::from(far.max(1));
        let wide = (8.0 * self.deviation / step).ceil() as u32;
        let mut choices = Vec::new();
        for eighth in 1..=8 {
            let beta = 0.05 * f64::from(eighth);
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
                    harvest: self.sum(COARSE, |elo, _| plan.fare(elo, most_games)),
                });
            }
        }
        let rate = |choice: &Choice| choice.harvest.elo_per_game;
        let choice = *choices.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
        let alike = choices.iter().filter(|c| rate(c) >= ALIKE * rate(&choice));
        Some(Best {
            choice,
            searched: Region::of(choices.iter()),
            alike: Region::of(alike),
        })
    }

    /// The law that makes recorded results likeliest: the Elo and standard error of
    /// each candidate's pairs, `xᵢ ~ N(mean, deviation² + errorᵢ²)`.
    ///
    /// A test that stops by what it sees does not change the likelihood of what it has
    /// seen (Berger and Wolpert, The Likelihood Principle, 1988), so that stopped
    /// results need no correction here, though each is too far out by itself. The
    /// deviation is by restricted maximum likelihood (Harville, JASA 72, 1977), which counts
    /// that the mean is fitted too; errors by the curvature. With few results, and where the
    /// errors of the results are larger than the deviation, it can come out far too small.
    /// Ideas that were never tested, or not recorded, are not in it.
    ///
    /// # Errors
    /// [`BadPrior::TooFew`], or a law out of range.
    pub fn fit(results: &[(f64, f64)]) -> Result<FittedPrior, BadPrior> {
        let (got, want) = (results.len(), Self::LEAST_RESULTS);
        if got < want {
            return Err(BadPrior::TooFew { got, want });
        }
        // Given the deviation the best mean is known.
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
                -0.5 * (variance.ln() + (x - mean) * (x - mean) / variance)
            });
            (log.sum::<f64>() - 0.5 * weights.ln(), mean, weights)
        };
        let grid = (0..=400).map(|k| 0.1 * 2000.0_f64.powf(f64::from(k) / 400.0));
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
    /// How the sequential test fares with ideas of a strength, by the formulas, of at
    /// most so many games if there is a cap.
    pub fn fare(&self, elo: f64, most_games: Option<f64>) -> Fare {
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
        Fare {
            pass,
            games,
            scatter: [0.0; 3],
        }
    }
}

impl Region {
    fn of<'a>(choices: impl Iterator<Item = &'a Choice>) -> Self {
        let mut region = Self {
            elo0: [f64::MAX, f64::MIN],
            elo1: [f64::MAX, f64::MIN],
            beta: [f64::MAX, f64::MIN],
        };
        for choice in choices {
            for (ends, value) in [
                (&mut region.elo0, choice.elo0),
                (&mut region.elo1, choice.elo1),
                (&mut region.beta, choice.beta),
            ] {
                *ends = [ends[0].min(value), ends[1].max(value)];
            }
        }
        region
    }
}

#[cfg(test)]
mod tests;
