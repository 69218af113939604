//! One candidate on trial.

use std::collections::HashMap;

use serde::Serialize;

use super::Test;
use crate::game::Cause;
use crate::play::PairRecord;
use crate::schedule::PairSpec;
use crate::stats::{Decision, Level, Pentanomial, SequentialTest};
use crate::tournament::{Counted, Replay};

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The test accepted H1.
    Accepted,
    /// The test accepted H0.
    Rejected,
    /// The variants played alike in every pair, as many as the config waits for or as
    /// there are: there is no change to test.
    PlayedAlike {
        /// Whether no change at all is good enough: H0 says that the candidate is
        /// weaker.
        passes: bool,
    },
    /// There are no more pairs, and the test has not decided.
    Inconclusive(Shortage),
    /// A player failed, and the config does not count that as a loss.
    Failed(Failure),
}

impl Verdict {
    /// Whether the candidate passes; `None` where its strength was not decided.
    pub fn passed(self) -> Option<bool> {
        match self {
            Self::Accepted => Some(true),
            Self::Rejected => Some(false),
            Self::PlayedAlike { passes } => Some(passes),
            Self::Inconclusive(_) | Self::Failed(_) => None,
        }
    }
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
    evidence: Pentanomial,
    related: u64,
    duplicates: u64,
    alike: u64,
    differed: bool,
    /// Pairs since the last one that was evidence.
    idle: u64,
    /// The first pair that may be idle: before it the book had yet to grow.
    idle_from: u64,
    /// Keys of the positions from which the pairs that count began, those whose games ran
    /// into others too, and whether the test has taken a pair from there.
    starts: HashMap<u64, bool>,
    /// How many of them are openings of the book as it stands.
    from_book: usize,
    /// Whether the test has taken two pairs from one position.
    repeats: bool,
    last: Option<u64>,
    verdict: Option<Verdict>,
}

impl Trial {
    pub(super) fn new(candidate: usize, test: Test, idle_from: u64) -> Self {
        Self {
            candidate,
            test,
            evidence: Pentanomial::default(),
            related: 0,
            duplicates: 0,
            alike: 0,
            differed: false,
            idle: 0,
            idle_from,
            starts: HashMap::new(),
            from_book: 0,
            repeats: false,
            last: None,
            verdict: None,
        }
    }

    /// Takes the candidate's next pair. One that repeats an earlier one is no
    /// evidence, nor is one whose games ran into those of an earlier one, and the
    /// test hears only that a pair of the schedule is gone: so all that it takes are
    /// independent, and what it takes depends on the past alone.
    pub(super) fn take(
        &mut self,
        spec: &PairSpec,
        record: &PairRecord,
        replay: &Replay,
        counted: Counted,
    ) {
        self.last = Some(spec.index);
        let alike = record.is_alike();
        self.differed |= !alike;
        self.idle += u64::from(spec.index >= self.idle_from);
        match counted {
            Counted::New => {
                self.idle = 0;
                self.repeats |= self.begins(spec, replay, true);
                self.evidence.0[record.cell()] += 1;
                self.alike += u64::from(alike);
                self.test.record(record.cell());
            }
            Counted::Related => {
                self.begins(spec, replay, false);
                self.related += 1;
                self.test.skip();
            }
            Counted::Duplicate => {
                self.duplicates += 1;
                self.test.skip();
            }
        }
    }

    /// Notes where a pair that counts began, and whether the test takes it. Returns whether
    /// the test had taken one from there.
    fn begins(&mut self, spec: &PairSpec, replay: &Replay, is_taken: bool) -> bool {
        let start = replay.passed.first().copied().unwrap_or(spec.index);
        let is_other = !self.starts.contains_key(&start);
        self.from_book += usize::from(is_other && spec.lap == 0);
        let taken = self.starts.entry(start).or_default();
        std::mem::replace(taken, *taken || is_taken)
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
        self.evidence.pairs()
    }

    /// The same by outcome.
    pub fn evidence(&self) -> Pentanomial {
        self.evidence
    }

    /// Pairs whose games ran into those of an earlier pair.
    pub fn related(&self) -> u64 {
        self.related
    }

    /// Pairs that repeat an earlier one move by move.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Pairs among those of the test whose two games went move by move alike.
    pub fn alike(&self) -> u64 {
        self.alike
    }

    /// Pairs since the last one that was evidence: those that repeat earlier ones or
    /// ran into them.
    pub(super) fn idle(&self) -> u64 {
        self.idle
    }

    /// Whether the variants have played alike in every pair so far.
    pub(super) fn all_alike(&self) -> bool {
        !self.differed
    }

    /// Different positions from which its pairs began, those of related pairs too; an opening that was played
    /// again with other plies behind it is another.
    pub fn distinct_openings(&self) -> usize {
        self.starts.len()
    }

    /// Those of them that stand in the book; the others lie random plies behind it.
    pub fn book_openings(&self) -> usize {
        self.from_book
    }

    /// Whether pairs count that begin from a position which was played before:
    /// they are not independent, and the test's error rates assume that they
    /// are.
    pub fn openings_repeat(&self) -> bool {
        self.repeats
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
