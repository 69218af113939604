//! One candidate on trial.

use std::collections::HashMap;

use serde::Serialize;

use super::Test;
use crate::play::PairRecord;
use crate::schedule::PairSpec;
use crate::stats::{Pentanomial, SequentialTest};
use crate::tournament::{Counted, Failing, Reliability, Replay};

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
    /// A player failed in all its first games, or in more than the tolerated share of them.
    Failed(Failing),
}

impl Verdict {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::PlayedAlike { .. } => "played alike",
            Self::Inconclusive(_) => "inconclusive",
            Self::Failed(_) => "failed",
        }
    }

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

/// One candidate's way through the gate.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Index of the candidate among the variants.
    pub candidate: usize,
    /// The test itself.
    pub test: Test,
    /// Pairs that the test has taken: those that are evidence.
    pub evidence: Pentanomial,
    /// Pairs whose games ran into those of an earlier pair.
    pub related: u64,
    /// Pairs that repeat an earlier one move by move.
    pub duplicates: u64,
    /// Pairs among those of the test whose two games went move by move alike.
    pub alike: u64,
    /// Whether the variants have not played alike in every pair so far.
    pub(super) differed: bool,
    /// Pairs since the last one that was evidence: those that repeat earlier ones or
    /// ran into them.
    pub(super) idle: u64,
    /// The first pair that may be idle: before it the book had yet to grow.
    idle_from: u64,
    /// Keys of the positions from which the pairs that count began, those whose games ran
    /// into others too, and whether the test has taken a pair from there.
    starts: HashMap<u64, bool>,
    /// How many of them are openings of the book as it stands; the others took their places
    /// in later laps.
    pub book_openings: usize,
    /// Whether the test has taken two pairs from one position: they are not independent, and
    /// the test's error rates assume that they are.
    pub openings_repeat: bool,
    /// How often candidate and base failed in its pairs.
    pub reliability: Reliability,
    /// Number in the schedule of the last pair that counts; `None` before the first.
    pub last_pair: Option<u64>,
    /// The verdict; `None` while the trial goes on.
    pub verdict: Option<Verdict>,
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
            book_openings: 0,
            openings_repeat: false,
            reliability: Reliability::default(),
            last_pair: None,
            verdict: None,
        }
    }

    /// Whether failures ended all games of the base or of the candidate.
    pub fn is_unplayed(&self, base: usize) -> bool {
        let both = [base, self.candidate];
        self.reliability.without_finished(both).is_some()
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
        self.last_pair = Some(spec.index);
        self.reliability
            .take(spec.variants, spec.index, record.faults());
        let alike = record.is_alike();
        self.differed |= !alike;
        self.idle += u64::from(spec.index >= self.idle_from);
        match counted {
            Counted::New => {
                self.idle = 0;
                self.openings_repeat |= self.begins(spec, replay, true);
                self.evidence.0[record.cell()] += 1;
                self.alike += u64::from(alike);
                let taken = self.test.record(record.cell());
                debug_assert!(taken.is_ok(), "a cell of two games");
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
        self.book_openings += usize::from(is_other && spec.lap == 0);
        let taken = self.starts.entry(start).or_default();
        std::mem::replace(taken, *taken || is_taken)
    }

    /// Gives the verdict. The first one stands.
    pub(super) fn give(&mut self, verdict: Verdict) {
        self.verdict.get_or_insert(verdict);
    }

    /// Pairs that the test has taken: those that are evidence.
    pub fn pairs(&self) -> u64 {
        self.evidence.pairs()
    }

    /// Different positions from which its pairs began, those of related pairs too; an opening that was played
    /// again with other plies behind it is another.
    pub fn distinct_openings(&self) -> usize {
        self.starts.len()
    }
}
