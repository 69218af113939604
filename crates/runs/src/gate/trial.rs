//! The trial of one candidate.

use std::collections::HashMap;

use serde::Serialize;

use super::Test;
use crate::tournament::{Failing, PairUse, Reliability, Replay};
use leitai_players::play::PairRecord;
use leitai_players::schedule::PairSpec;
use leitai_stats::{Pentanomial, SequentialTest};

/// The result of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The test accepted H1.
    Accepted,
    /// The test accepted H0.
    Rejected,
    /// The variants played identically in every pair, for as many pairs as the config requires or
    /// as exist: there is no change to test.
    PlayedAlike {
        /// True if no change is good enough, because H0 says that the candidate is weaker.
        passes: bool,
    },
    /// The pairs ran out before the test decided.
    Inconclusive(Shortage),
    /// A player failed in all its first games, or in more than the tolerated share of them.
    Failed(Failing),
}

impl Verdict {
    /// The verdict as a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::PlayedAlike { .. } => "played alike",
            Self::Inconclusive(_) => "inconclusive",
            Self::Failed(_) => "failed",
        }
    }

    /// Returns whether the candidate passes; `None` if its strength is undecided.
    pub fn passed(self) -> Option<bool> {
        match self {
            Self::Accepted => Some(true),
            Self::Rejected => Some(false),
            Self::PlayedAlike { passes } => Some(passes),
            Self::Inconclusive(_) | Self::Failed(_) => None,
        }
    }
}

/// Reason for the lack of more pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shortage {
    /// The cap in the config.
    Cap,
    /// All openings are used, and repeating one would repeat the games.
    Openings,
}

/// State of one candidate in the gate.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Index of the candidate among the variants.
    pub candidate: usize,
    /// The test itself.
    pub test: Test,
    /// Pairs that the test has counted as evidence.
    pub evidence: Pentanomial,
    /// Pairs whose games transposed into those of an earlier pair.
    pub related: u64,
    /// Pairs that repeat an earlier one move by move.
    pub duplicates: u64,
    /// Pairs of the test whose two games are identical move by move.
    pub alike: u64,
    /// True once the variants have played differently in some pair.
    pub(super) differed: bool,
    /// Pairs since the last evidence: those that repeat earlier ones or transpose into them.
    pub(super) idle: u64,
    /// The first pair that can count as idle: before it the book was still growing.
    idle_from: u64,
    /// Keys of the start positions of all pairs that count, related pairs included, and whether the
    /// test has taken a pair from there.
    starts: HashMap<u64, bool>,
    /// The number of these that are openings of the unchanged book; the others replaced them in
    /// later laps.
    pub book_openings: usize,
    /// True if the test has taken two pairs from one position. Such pairs are dependent, and the
    /// test's error rates assume independence.
    pub openings_repeat: bool,
    /// Failures of candidate and baseline in its pairs.
    pub reliability: Reliability,
    /// Number in the schedule of the last pair that counts; `None` before the first.
    pub last_pair: Option<u64>,
    /// The verdict; `None` while the trial continues.
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

    /// Returns whether failures ended all games of the baseline or of the candidate.
    pub fn is_unplayed(&self, base: usize) -> bool {
        let both = [base, self.candidate];
        self.reliability.without_finished(both).is_some()
    }

    /// Takes the candidate's next pair. A pair that repeats an earlier one, or whose games
    /// transposed into those of an earlier one, is no evidence; the test only counts it as a used
    /// pair of the schedule. So all evidence is independent, and the choice of evidence depends on
    /// the past alone.
    pub(super) fn take(
        &mut self,
        spec: &PairSpec,
        record: &PairRecord,
        replay: &Replay,
        counted: PairUse,
    ) {
        self.last_pair = Some(spec.index);
        self.reliability
            .take(spec.variants, record.number(), record.faults());
        let alike = record.is_alike();
        self.differed |= !alike;
        self.idle += u64::from(spec.index >= self.idle_from);
        match counted {
            PairUse::New => {
                self.idle = 0;
                self.openings_repeat |= self.note_start(spec, replay, true);
                let cell = record.cell(self.candidate);
                self.evidence.0[cell] += 1;
                self.alike += u64::from(alike);
                let games = record.games.iter();
                let games = games.map(|game| game.half_points(self.candidate));
                let taken = self.test.record_pair(cell, games);
                debug_assert!(taken.is_ok(), "a cell of two games");
            }
            PairUse::Related => {
                self.note_start(spec, replay, false);
                self.related += 1;
                self.test.skip();
            }
            PairUse::Duplicate => {
                self.duplicates += 1;
                self.test.skip();
            }
        }
    }

    /// Stores the start position of a pair that counts, and whether the test takes it. Returns
    /// whether the test had already taken a pair from there.
    fn note_start(&mut self, spec: &PairSpec, replay: &Replay, is_taken: bool) -> bool {
        let start = replay.passed.first().copied().unwrap_or(spec.index);
        let is_other = !self.starts.contains_key(&start);
        self.book_openings += usize::from(is_other && spec.lap == 0);
        let taken = self.starts.entry(start).or_default();
        std::mem::replace(taken, *taken || is_taken)
    }

    /// Sets the verdict, unless there is one.
    pub(super) fn set_verdict(&mut self, verdict: Verdict) {
        self.verdict.get_or_insert(verdict);
    }

    /// The number of pairs that the test has counted as evidence.
    pub fn pairs(&self) -> u64 {
        self.evidence.pairs()
    }

    /// The number of distinct start positions of its pairs, related pairs included. An opening that
    /// was repeated with other plies appended counts as another.
    pub fn distinct_openings(&self) -> usize {
        self.starts.len()
    }
}
