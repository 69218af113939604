//! A candidate's strength according to its gate.

use serde::Serialize;

use super::Candidate;
use crate::figures::number::{interval, signed};
use leitai_stats::{AfterSprt, Hypotheses, Ranged};

/// The estimate with its limits; a limit at the end of the scale is left open.
pub fn unbiased(after: &AfterSprt) -> Ranged {
    let inside = |limit: Option<f64>| limit.filter(|elo| elo.abs() < Hypotheses::LIMIT);
    let (low, high) = (inside(after.ci_low), inside(after.ci_high));
    Ranged::new(after.elo_median_unbiased, low, high)
}

/// A candidate's strength according to its gate.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// Elo with its 95 % limits.
    pub elo: Ranged,
    /// The kind of estimate.
    pub kind: StrengthKind,
}

/// The kind of a gate's estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrengthKind {
    /// The median-unbiased estimate of a test that has stopped.
    MedianUnbiased,
    /// The same estimate when it is rough: from few pairs, or beyond a bound.
    MedianUnbiasedRoughly,
    /// The estimate of a match, which stopping biases in either direction, with limits that hold at
    /// every moment.
    AtAnyTime,
}

impl StrengthKind {
    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::MedianUnbiased => "median-unbiased",
            Self::MedianUnbiasedRoughly => "median-unbiased, roughly",
            Self::AtAnyTime => "at any time",
        }
    }
}

/// A candidate's strength: the median-unbiased estimate after its test has stopped, if available;
/// `None` without pairs.
pub fn strength(candidate: &Candidate) -> Option<Strength> {
    let after = candidate.after_stop.as_ref();
    let after = after.filter(|after| after.elo_median_unbiased.is_some());
    let strength = match after {
        Some(after) => Strength {
            elo: unbiased(after),
            kind: match after.note {
                None => StrengthKind::MedianUnbiased,
                Some(_) => StrengthKind::MedianUnbiasedRoughly,
            },
        },
        None => Strength {
            elo: Ranged {
                value: candidate.results.estimate.elo.value,
                ..candidate.results.any_time
            },
            kind: StrengthKind::AtAnyTime,
        },
    };
    (candidate.pairs > 0 && strength.elo != Ranged::NOTHING).then_some(strength)
}

/// The verdict in plain words and, after the first pair that counts, the strength.
pub fn verdict_and_strength(candidate: &Candidate) -> String {
    let sentence = &candidate.sentence;
    let Some(Strength { elo, kind }) = strength(candidate) else {
        return sentence.clone();
    };
    format!(
        "{}. Elo {} (95 %: {}), {}",
        sentence.trim_end_matches('.'),
        signed(elo.value),
        interval(&elo),
        kind.words()
    )
}
