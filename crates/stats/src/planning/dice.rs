//! A plan counted out: the very test, played with dice on the very law of pairs.
//!
//! The formulas take a likelihood ratio for a Brownian motion. Its steps are not small
//! where hypotheses are far apart, and not alike where pairs are skewed or mostly
//! level: below some hundred pairs they are 10 to 60 % too low. No exact recursion is
//! at hand, the ratio being a function of five counts. So the test is played, often
//! enough for an error of about one per cent, and the error is told.

use std::ops::Range;

use serde::Serialize;
use thiserror::Error;

use crate::selfcheck::play_out;
use crate::{Decision, Fare, PairLaw, SequentialTest, Simulator};

/// Matches at most: a rate of 5 % is then known to ± 0.15 %.
const MOST: f64 = 20_000.0;
/// Matches at least: ± 1 %.
const LEAST: f64 = 400.0;
/// Matches that tell how long they are, and at the same time what a strength has to have.
const PILOT: u64 = 32;
/// Matches between two looks at what they have cost.
const ROUND: u64 = 128;
/// The seed of every plan: the same question has the same answer.
const SEED: u64 = 1;

/// What dice say of a test at one true strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rolled {
    /// Matches played.
    pub matches: u64,
    /// Share of them in which H1 was accepted.
    pub pass: f64,
    /// Standard error of that share.
    pub pass_error: f64,
    /// Share in which H0 was.
    pub reject: f64,
    /// Mean number of pairs.
    pub pairs: f64,
    /// Its standard error.
    pub pairs_error: f64,
    /// Covariance of `pass` and `pairs`.
    #[serde(skip)]
    pub covariance: f64,
}

/// Matches so long that a budget of pairs tells nothing.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a match takes more than about {0:.0} pairs: too long to simulate")]
pub struct TooLong(pub f64);

/// How a match ended, and after how many pairs.
type Played = (Option<Decision>, f64);

impl Rolled {
    /// Plays `test` on `law` for at most `most` pairs each, some `budget` pairs in all
    /// if a match takes `expected`. The same on any number of threads.
    pub fn new<T: SequentialTest + Clone + Sync>(
        test: &T,
        law: &PairLaw,
        (expected, most): (f64, u64),
        budget: f64,
        simulator: &Simulator,
    ) -> Self {
        let expected = expected.min(most as f64).max(1.0);
        let matches = (budget / expected).clamp(LEAST, MOST) as u64;
        Self::of(test, law, most, 0..matches, simulator)
    }

    /// The same within a budget that is kept to a small factor whatever the law: matches can
    /// take far longer than is expected of them where nearly all pairs end level.
    ///
    /// # Errors
    /// [`TooLong`] if the budget is no more than some ten matches.
    pub fn within<T: SequentialTest + Clone + Sync>(
        test: &T,
        law: &PairLaw,
        most: u64,
        budget: f64,
        simulator: &Simulator,
    ) -> Result<Self, TooLong> {
        let share = (budget / PILOT as f64).max(1.0);
        // The longest of those that follow may be longer than the longest of the first.
        let [first, later] = [share, 4.0 * share].map(|most| most as u64);
        let mut played = Vec::new();
        let mut pairs = 0.0;
        let mut wanted = PILOT;
        while (played.len() as u64) < wanted && pairs < 2.0 * budget {
            let cap = if played.is_empty() { first } else { later };
            let start = played.len() as u64;
            let numbers = start..wanted.min(start + ROUND);
            let round = Self::play(test, law, most.min(cap), numbers, simulator);
            if cap < most && round.iter().any(|(ending, _)| ending.is_none()) {
                return Err(TooLong(share));
            }
            pairs += round.iter().map(|(_, pairs)| pairs).sum::<f64>();
            if played.is_empty() {
                let mean = (pairs / PILOT as f64).max(1.0);
                wanted = (budget / mean).clamp(PILOT as f64, MOST) as u64;
            }
            played.extend(round);
        }
        Ok(Self::counted(&played))
    }

    /// Plays the matches of these numbers; those of other numbers are independent of
    /// them. A test may have taken pairs before: it goes on from there, and those are not
    /// counted.
    pub fn of<T: SequentialTest + Clone + Sync>(
        test: &T,
        law: &PairLaw,
        most: u64,
        numbers: Range<u64>,
        simulator: &Simulator,
    ) -> Self {
        let numbers = numbers.start..numbers.end.max(numbers.start + 1);
        Self::counted(&Self::play(test, law, most, numbers, simulator))
    }

    fn play<T: SequentialTest + Clone + Sync>(
        test: &T,
        law: &PairLaw,
        most: u64,
        numbers: Range<u64>,
        simulator: &Simulator,
    ) -> Vec<Played> {
        simulator.share_out(numbers.end - numbers.start, |number, memo| {
            let mut test = test.clone();
            let stream = (SEED, numbers.start + number);
            let pairs = play_out(&mut test, law, stream, most, memo).pairs();
            (test.decision(), pairs as f64)
        })
    }

    /// What at least one match says.
    fn counted(played: &[Played]) -> Self {
        let matches = played.len() as u64;
        let mean_of = |part: fn(&Played, f64) -> f64, about: f64| {
            played.iter().map(|own| part(own, about)).sum::<f64>() / matches as f64
        };
        let share = |wanted| {
            let such = played.iter().filter(|(own, _)| *own == Some(wanted));
            such.count() as f64 / matches as f64
        };
        let pass = share(Decision::Accepted);
        let mean = mean_of(|(_, pairs), _| *pairs, 0.0);
        let square = mean_of(|(_, pairs), mean| (pairs - mean).powi(2), mean);
        let both = mean_of(
            |(own, pairs), mean| match own {
                Some(Decision::Accepted) => pairs - mean,
                _ => 0.0,
            },
            mean,
        );
        let freedom = (matches - 1).max(1) as f64;
        // With half a match more of either kind: none in n is not known to be never.
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

impl From<Rolled> for Fare {
    fn from(rolled: Rolled) -> Self {
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
