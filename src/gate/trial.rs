//! One candidate on trial.

use std::collections::HashSet;

use serde::Serialize;

use super::Test;
use crate::game::Cause;
use crate::play::PairRecord;
use crate::schedule::PairSpec;
use crate::stats::{Decision, Level, SequentialTest};
use crate::tournament::Counted;

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The test accepted H1.
    Accepted,
    /// The test accepted H0.
    Rejected,
    /// There are no more pairs, and the test has not decided.
    Inconclusive(Shortage),
    /// A player failed, and the config does not count that as a loss.
    Failed(Failure),
}

/// Why there are no more pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shortage {
    /// The config allows no more.
    Cap,
    /// Every opening has been played, and playing one again would repeat the
    /// games.
    Openings,
}

/// A game that a player lost other than by its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Index of the variant.
    pub variant: usize,
    /// What it did.
    pub cause: Cause,
    /// The pair's number in the schedule.
    pub pair: u64,
    /// Which game of it, 0 or 1.
    pub game: usize,
}

impl Failure {
    /// The first failure in a pair, if there is one.
    pub(super) fn of(record: &PairRecord) -> Option<Self> {
        record.faults().next().map(|fault| Self {
            variant: fault.variant,
            cause: fault.cause,
            pair: record.index,
            game: fault.game,
        })
    }
}

/// One candidate's way through the gate.
#[derive(Clone, Debug)]
pub struct Trial {
    candidate: usize,
    test: Test,
    pairs: u64,
    duplicates: u64,
    /// Whether an opening that is played again has other plies behind it.
    varies: bool,
    /// Where games began: the opening, and if it varies, the lap.
    starts: HashSet<(usize, u64)>,
    last: Option<u64>,
    verdict: Option<Verdict>,
}

impl Trial {
    pub(super) fn new(candidate: usize, test: Test, varies: bool) -> Self {
        Self {
            candidate,
            test,
            pairs: 0,
            duplicates: 0,
            varies,
            starts: HashSet::new(),
            last: None,
            verdict: None,
        }
    }

    /// Takes the candidate's next pair. One that repeats an earlier one is no
    /// evidence: the test hears only that a pair of the schedule is gone.
    pub(super) fn take(&mut self, spec: &PairSpec, cell: usize, counted: Counted) {
        self.last = Some(spec.index);
        let lap = if self.varies { spec.lap } else { 0 };
        self.starts.insert((spec.opening, lap));
        match counted {
            Counted::New => {
                self.pairs += 1;
                self.test.record(cell);
            }
            Counted::Duplicate => {
                self.duplicates += 1;
                self.test.skip();
            }
        }
    }

    /// Gives the verdict. The first one stands.
    pub(super) fn give(&mut self, verdict: Verdict) {
        self.verdict.get_or_insert(verdict);
    }

    /// What the candidate's own test says.
    pub(super) fn decision(&self) -> Option<Decision> {
        self.test.decision()
    }

    /// Logarithm of the evidence against H0; `None` if the test has no e-value.
    pub(super) fn ln_e_value(&self) -> Option<f64> {
        self.test.ln_e_value()
    }

    /// Index of the candidate among the variants.
    pub fn candidate(&self) -> usize {
        self.candidate
    }

    /// Where the test stands.
    pub fn level(&self) -> Level {
        self.test.level()
    }

    /// The test itself.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// Pairs that the test has taken: those that are evidence.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Pairs that repeat an earlier one move by move.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Different openings among its pairs; one that was played again with other plies
    /// behind it is another.
    pub fn distinct_openings(&self) -> usize {
        self.starts.len()
    }

    /// Whether pairs count that begin where games began before: they are not
    /// independent, and the test's error rates assume that they are.
    pub fn openings_repeat(&self) -> bool {
        self.pairs > self.starts.len() as u64
    }

    /// Number in the schedule of the last pair that counts; `None` before the
    /// first.
    pub fn last_pair(&self) -> Option<u64> {
        self.last
    }

    /// The verdict; `None` while the trial goes on.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }
}
