//! Simulation of the planned test with random pairs.
//!
//! The formulas treat the likelihood ratio as a Brownian motion. Its steps are not small if
//! hypotheses are far apart, and not alike if pairs are skewed or mostly level: below some hundred
//! pairs the formulas are 10 to 60 % too low. No exact recursion is known, because the ratio is a
//! function of five counts. So the test is simulated until the error is about one per cent, and the
//! result includes its error.

use std::ops::Range;

use serde::Serialize;
use thiserror::Error;

use crate::selfcheck::play_out;
use crate::{Decision, PairLaw, SequentialTest, Simulator, TestOutcome};

/// Maximum number of matches: determines a rate of 5 % to ± 0.15 %.
const MAX: f64 = 20_000.0;
/// Minimum number of matches: ± 1 %.
const MIN: f64 = 400.0;
/// Matches of the pilot, which measures the length of a match; also the minimum for each strength.
const PILOT: u64 = 32;
/// Matches between two checks of the budget.
const ROUND: u64 = 128;
/// The seed of every plan, so that equal plans give equal results.
const SEED: u64 = 1;

/// Simulated results of a test at one true strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SimulatedTest {
    /// Number of matches.
    pub matches: u64,
    /// Share of matches that accepted H1.
    pub pass: f64,
    /// Standard error of `pass`.
    pub pass_error: f64,
    /// Share of matches that accepted H0.
    pub reject: f64,
    /// Mean number of pairs.
    pub pairs: f64,
    /// Standard error of `pairs`.
    pub pairs_error: f64,
    /// Covariance of `pass` and `pairs`.
    #[serde(skip)]
    pub covariance: f64,
}

/// Matches are too long for the budget of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a match takes more than about {0:.0} pairs: too long to simulate")]
pub struct TooLong(pub f64);

/// The decision of a match, and its number of pairs.
type Match = (Option<Decision>, f64);

/// Simulated matches of a test.
#[derive(Clone, Copy, Debug)]
pub struct Matches<'a, T> {
    test: &'a T,
    law: &'a PairLaw,
    most: u64,
    simulator: &'a Simulator,
}

impl<'a, T: SequentialTest + Clone + Sync> Matches<'a, T> {
    /// Matches with pairs of `law` and at most `most` pairs each. If `test` has already seen pairs,
    /// each match continues from there and counts new pairs only.
    pub fn new(test: &'a T, law: &'a PairLaw, most: u64, simulator: &'a Simulator) -> Self {
        Self {
            test,
            law,
            most,
            simulator,
        }
    }

    /// Simulates about `budget` pairs in all if a match takes `expected`. The result does not depend
    /// on the number of threads.
    pub fn expecting(&self, expected: f64, budget: f64) -> SimulatedTest {
        let expected = expected.min(self.most as f64).max(1.0);
        self.numbered(0..(budget / expected).clamp(MIN, MAX) as u64)
    }

    /// Simulates within a budget that is exceeded by at most a small factor for any law: matches
    /// can take far longer than expected if nearly all pairs end level.
    ///
    /// # Errors
    /// [`TooLong`] if the budget is no more than some ten matches.
    pub fn within(&self, budget: f64) -> Result<SimulatedTest, TooLong> {
        let share = (budget / PILOT as f64).max(1.0);
        // Later matches may be longer than the longest of the pilot.
        let [first, later] = [share, 4.0 * share].map(|most| most as u64);
        let mut played = Vec::new();
        let mut pairs = 0.0;
        let mut wanted = PILOT;
        while (played.len() as u64) < wanted && pairs < 2.0 * budget {
            let cap = if played.is_empty() { first } else { later };
            let start = played.len() as u64;
            let round = self.play(self.most.min(cap), start..wanted.min(start + ROUND));
            if cap < self.most && round.iter().any(|(decision, _)| decision.is_none()) {
                return Err(TooLong(share));
            }
            pairs += round.iter().map(|(_, pairs)| pairs).sum::<f64>();
            if played.is_empty() {
                let mean = (pairs / PILOT as f64).max(1.0);
                wanted = (budget / mean).clamp(PILOT as f64, MAX) as u64;
            }
            played.extend(round);
        }
        Ok(SimulatedTest::counted(&played))
    }

    /// Simulates the matches with these numbers, at least one; they are independent of those with
    /// other numbers.
    pub fn numbered(&self, numbers: Range<u64>) -> SimulatedTest {
        let numbers = numbers.start..numbers.end.max(numbers.start + 1);
        SimulatedTest::counted(&self.play(self.most, numbers))
    }

    fn play(&self, most: u64, numbers: Range<u64>) -> Vec<Match> {
        let count = numbers.end - numbers.start;
        self.simulator.run_all(count, |number, memo| {
            let mut test = self.test.clone();
            let stream = (SEED, numbers.start + number);
            let pairs = play_out(&mut test, self.law, stream, most, memo).pairs();
            (test.decision(), pairs as f64)
        })
    }
}

impl SimulatedTest {
    /// Summarises at least one match.
    fn counted(played: &[Match]) -> Self {
        let matches = played.len() as u64;
        let mean_of =
            |part: &dyn Fn(&Match) -> f64| played.iter().map(part).sum::<f64>() / matches as f64;
        let share = |wanted| {
            let such = played
                .iter()
                .filter(|(decision, _)| *decision == Some(wanted));
            such.count() as f64 / matches as f64
        };
        let pass = share(Decision::Accepted);
        let mean = mean_of(&|(_, pairs)| *pairs);
        let square = mean_of(&|(_, pairs)| (pairs - mean).powi(2));
        let both = mean_of(&|(decision, pairs)| match decision {
            Some(Decision::Accepted) => pairs - mean,
            _ => 0.0,
        });
        let freedom = (matches - 1).max(1) as f64;
        // Half a match is added to either side, because zero of n does not mean never.
        let near = (pass * matches as f64 + 0.5) / (matches as f64 + 1.0);
        Self {
            matches,
            pass,
            pass_error: (near * (1.0 - near) / matches as f64).sqrt(),
            reject: share(Decision::Rejected),
            pairs: mean,
            pairs_error: (square / freedom).sqrt(),
            covariance: both / freedom,
        }
    }
}

impl From<SimulatedTest> for TestOutcome {
    fn from(rolled: SimulatedTest) -> Self {
        Self {
            pass: rolled.pass,
            games: 2.0 * rolled.pairs,
            scatter: [
                rolled.pass_error.powi(2),
                4.0 * rolled.pairs_error.powi(2),
                2.0 * rolled.covariance,
            ],
        }
    }
}
