//! The results of a session's calls.

use std::fmt;
use std::path::PathBuf;

use leitai_runs::figures::gate::{Candidate, GateSummary, Outcome};
use leitai_runs::figures::{Results, Summary};
use leitai_runs::study::Figures;
use leitai_session::{Halt, TuneEnded};
use leitai_stats::Estimate;
use serde::Serialize;

/// The JSON text of a result.
pub(super) fn json(value: &impl Serialize) -> String {
    // Results have no maps with keys that are not text, the only values that JSON refuses.
    serde_json::to_string(value).unwrap_or_default()
}

/// The reason for the end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum End {
    /// All work is done.
    Complete,
    /// The session was cancelled; a new one with the same record continues.
    Cancelled,
    /// The time was over; a new session with the same record continues.
    TimeUp,
    /// A player failed, and the config does not tolerate it.
    PlayerFailed,
}

/// The result of a tournament.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunResult {
    /// The reason for the end.
    pub end: End,
    /// The run's identity in the record.
    pub run: String,
    /// Pairs in the whole schedule.
    pub pairs: u64,
    /// Pairs played.
    pub pairs_played: u64,
    /// Games that count.
    pub games: u64,
    /// The variants, best rating first.
    pub variants: Vec<VariantResult>,
    /// Warnings about the reliability of the numbers.
    pub warnings: Vec<String>,
    json: String,
}

impl RunResult {
    pub(super) fn of(summary: &Summary, end: End, run: &str) -> Self {
        let failures = summary.play.failures.iter();
        let failures: Vec<_> = failures.flat_map(|all| &all.variants).collect();
        let failures_of = |name: &str| {
            let of_it = failures.iter().find(|it| it.name == name);
            of_it.map_or(0, |it| it.share.failed + it.share.time_losses)
        };
        let variants = summary.variants.iter().map(|row| VariantResult {
            name: row.name.clone(),
            wins: row.results.wins,
            draws: row.results.draws,
            losses: row.results.losses,
            failures: failures_of(&row.name),
            pentanomial: row.results.pentanomial,
            estimate: row.results.estimate,
        });
        Self {
            end,
            run: run.to_owned(),
            pairs: summary.pairs,
            pairs_played: summary.pairs_played,
            games: summary.games,
            variants: variants.collect(),
            warnings: summary.warnings.clone(),
            json: json(summary),
        }
    }

    /// Returns whether all games were played.
    pub fn is_complete(&self) -> bool {
        self.end == End::Complete
    }

    /// All figures as JSON; `docs/json.md` describes the fields.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

/// One variant against all its opponents.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct VariantResult {
    /// Its name.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost by a crash, an illegal move, the clock or another failure of the player.
    pub failures: u64,
    /// Pairs by outcome: both lost, a loss and a draw, level, a win and a draw, both won.
    pub pentanomial: [u64; 5],
    /// Score, Elo and normalised Elo with 95 % intervals.
    pub estimate: Estimate,
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The candidate is better by `elo1` or more.
    Accepted,
    /// The candidate is better by `elo0` or less.
    Rejected,
    /// The candidate played like the base in every pair: there is nothing to test.
    PlayedAlike,
    /// The pairs ran out.
    Inconclusive,
    /// A player failed too often.
    Failed,
}

impl Verdict {
    fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Accepted => Self::Accepted,
            Outcome::Rejected => Self::Rejected,
            Outcome::PlayedAlike => Self::PlayedAlike,
            Outcome::Inconclusive => Self::Inconclusive,
            Outcome::Failed => Self::Failed,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::PlayedAlike => "played alike",
            Self::Inconclusive => "inconclusive",
            Self::Failed => "failed",
        })
    }
}

/// The result of a gate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GateResult {
    /// The reason for the end.
    pub end: End,
    /// The run's identity in the record.
    pub run: String,
    /// The verdict of the whole gate; `None` if it ended before.
    pub verdict: Option<Verdict>,
    /// The candidates, in the order of the config.
    pub candidates: Vec<CandidateResult>,
    /// Reasons to distrust the verdict.
    pub warnings: Vec<String>,
    json: String,
}

impl GateResult {
    pub(super) fn of(summary: &GateSummary, end: End, run: &str) -> Self {
        Self {
            end,
            run: run.to_owned(),
            verdict: summary.verdict.map(Verdict::of),
            candidates: summary.candidates.iter().map(CandidateResult::of).collect(),
            warnings: summary.warnings.clone(),
            json: json(summary),
        }
    }

    /// Returns whether every candidate was accepted.
    pub fn is_accepted(&self) -> bool {
        self.verdict == Some(Verdict::Accepted)
    }

    /// All figures as JSON; `docs/json.md` describes the fields.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

/// One candidate of a gate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CandidateResult {
    /// Its name.
    pub name: String,
    /// Its verdict; `None` while its test continues.
    pub verdict: Option<Verdict>,
    /// The verdict in words.
    pub sentence: String,
    /// Pairs that count.
    pub pairs: u64,
    /// Pairs by outcome: both lost, a loss and a draw, level, a win and a draw, both won.
    pub pentanomial: [u64; 5],
    /// The estimates of a match of fixed length, which are biased once a test has stopped it.
    pub estimate: Estimate,
}

impl CandidateResult {
    fn of(candidate: &Candidate) -> Self {
        let Results {
            pentanomial,
            estimate,
            ..
        } = candidate.results;
        Self {
            name: candidate.name.clone(),
            verdict: candidate.verdict.map(Verdict::of),
            sentence: candidate.sentence.clone(),
            pairs: candidate.pairs,
            pentanomial,
            estimate,
        }
    }
}

/// The result of a tune.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TuneResult {
    /// The reason for the end.
    pub end: End,
    /// The values that games moved.
    pub values: Vec<TunedValue>,
    /// The file with the tuned variant; `None` if nothing has changed.
    pub tuned: Option<PathBuf>,
    /// The test of the tuned variant against the start.
    pub proof: Option<GateResult>,
    json: String,
}

impl TuneResult {
    pub(super) fn of(ended: &TuneEnded) -> Self {
        let results = &ended.results;
        let learning = results.learning.iter();
        let values = learning.flat_map(|learning| &learning.dimensions);
        let values = values.map(|row| TunedValue {
            name: row.name.clone(),
            start: row.start.to_string(),
            value: row.value.to_string(),
        });
        let proof = results.proof.as_ref();
        Self {
            end: match &ended.halt {
                None => End::Complete,
                Some(Halt::Cancelled(_)) => End::Cancelled,
                Some(Halt::TimeUp) => End::TimeUp,
                Some(_) => End::PlayerFailed,
            },
            values: values.collect(),
            tuned: results.tuned.clone(),
            proof: proof.map(|it| GateResult::of(&it.summary, End::Complete, &it.run)),
            json: json(results),
        }
    }

    /// Returns whether the proof accepts the tuned variant.
    pub fn is_proven(&self) -> bool {
        self.proof.as_ref().is_some_and(GateResult::is_accepted)
    }

    /// All figures as JSON; `docs/json.md` describes the fields.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

/// A number that a tune moves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TunedValue {
    /// Its path, such as `eval.material.rook`.
    pub name: String,
    /// The value at the start, with its decimals.
    pub start: String,
    /// The tuned value.
    pub value: String,
}

/// The result of a study.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StudyResult {
    /// The reason for the end.
    pub end: End,
    /// The variants, in the order of the config; empty unless all searches are done.
    pub variants: Vec<StudiedVariant>,
    json: String,
}

impl StudyResult {
    /// Returns whether all searches are done.
    pub fn is_complete(&self) -> bool {
        self.end == End::Complete
    }

    pub(super) fn of(figures: Option<&Figures>, end: End) -> Self {
        let variants = figures.iter().flat_map(|figures| &figures.variants);
        let variants = variants.map(|variant| {
            let depths = variant.depths.iter();
            StudiedVariant {
                name: variant.name.clone(),
                nodes: depths.map(|depth| depth.nodes.mean).collect(),
            }
        });
        Self {
            end,
            variants: variants.collect(),
            json: figures.map_or_else(|| "null".to_owned(), json),
        }
    }

    /// All figures as JSON, `null` before the searches are done; `docs/json.md` describes the fields.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

/// The result of one variant in a study.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StudiedVariant {
    /// The name of the variant.
    pub name: String,
    /// The mean number of nodes by depth, from 1 on, over the positions that every variant
    /// finished; `None` if there are none.
    pub nodes: Vec<Option<f64>>,
}
