//! A gate as text for a terminal.

use std::fmt::Write as _;

use serde::Serialize;

use super::words::help;
use super::{Candidate, GateSummary, Outcome};
use crate::count::count;
use crate::report::at_equal_time;
use crate::report::study::number::{or_dash, percent};
use crate::report::terminal::{failed, interval, signed, waited, warned};
use crate::stats::{AfterSprt, Hypotheses, Ranged};

/// The verdict, then its evidence, candidate by candidate.
pub fn render_gate(summary: &GateSummary) -> String {
    let state = summary.verdict.map_or("undecided", Outcome::name);
    let mut text = format!("{}: {state}\n", summary.game);
    for candidate in &summary.candidates {
        text.push('\n');
        text.push_str(&render(summary, candidate));
    }
    if let Some(budgets) = at_equal_time(&summary.equal_time) {
        let _ = write!(text, "\n{budgets}");
    }
    for scale in &summary.clocks {
        let _ = write!(text, "\n{}", scale.sentence());
    }
    text.push_str(&waited(&summary.latencies));
    if let Some(workers) = &summary.workers {
        text.push_str(&workers.text());
        if workers.by_the_clock {
            text.push_str(
                "  The test takes pairs for independent, whoever played them: its verdict is one \
                 on these workers.\n",
            );
        }
    }
    if let Some(failures) = &summary.failures {
        let _ = write!(text, "\n{}", failed(failures));
    }
    text.push_str(&warned(&summary.pv_warnings));
    for warning in &summary.warnings {
        let _ = write!(text, "\nwarning: {warning}");
    }
    text.trim_end().to_owned()
}

fn render(summary: &GateSummary, candidate: &Candidate) -> String {
    let mut text = format!("{}\n", candidate.sentence);
    if let Some(help) = help(&summary.test, candidate) {
        let _ = writeln!(text, "  help: {help}");
    }
    if candidate.pairs == 0 {
        return text;
    }
    for (label, value) in lines(candidate) {
        let _ = writeln!(text, "  {label:<14}{value}");
    }
    text
}

/// The estimate with its limits; a limit at the end of the scale is left open.
fn unbiased(after: &AfterSprt) -> Ranged {
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

/// The start positions of its pairs.
fn openings(candidate: &Candidate) -> String {
    let (book, all) = (candidate.book_openings, candidate.distinct_openings);
    let different = match all.saturating_sub(book) {
        0 => format!("{all} different"),
        more => format!("{book} from the book, {more} replacements in later laps"),
    };
    let begun = candidate.start_ply;
    let begun = begun.map_or_else(String::new, |ply| format!("; games begin at {ply}"));
    format!(
        "{different}, {} left out{begun}",
        count(
            candidate.duplicate_pairs,
            "duplicate pair",
            "duplicate pairs"
        )
    )
}

/// The evidence for a candidate's verdict, as labels and values.
pub(in crate::report) fn lines(candidate: &Candidate) -> Vec<(&'static str, String)> {
    let results = &candidate.results;
    let estimate = &results.estimate;
    let biased = if candidate.verdict.is_some() {
        "biased after stopping"
    } else {
        "for a match of fixed length"
    };
    let ranged = |range: &Ranged, what: &str| {
        let value = signed(range.value);
        format!("{value} (95 %: {}), {what}", interval(range))
    };
    let pairs = count(candidate.pairs, "pair", "pairs");
    let [ll, ld, level, wd, ww] = results.pentanomial;
    let by_outcome = format!("LL {ll}, LD {ld}, level {level}, WD {wd}, WW {ww}");
    let games = format!(
        "{}: {} won, {} drawn, {} lost",
        estimate.games, results.wins, results.draws, results.losses
    );
    let (nelo, los) = (
        signed(estimate.nelo_full.value),
        percent(estimate.los_cautious),
    );
    let mut lines = vec![
        ("games", games),
        ("pairs", by_outcome),
        ("Elo", ranged(&estimate.elo, biased)),
        ("nElo, LOS", format!("{nelo}, {los}, {biased}")),
    ];
    let margin = results.margin.iter();
    lines.extend(margin.map(|margin| ("discs", ranged(&margin.discs, biased))));
    lines.extend(candidate.after_stop.iter().map(|after| {
        let note = after.note.map_or("", |_| ", roughly");
        (
            "Elo",
            ranged(&unbiased(after), &format!("median-unbiased{note}")),
        )
    }));
    let variance = or_dash(candidate.pair_variance_ratio, |ratio| {
        format!("{ratio:.2} of what independent games would have")
    });
    let any_time = format!("95 %: {}", interval(&results.any_time));
    lines.extend([
        ("Elo, any time", any_time),
        ("pair variance", variance),
        ("openings", openings(candidate)),
        (
            "played alike",
            format!("{} of {pairs}", results.alike_pairs),
        ),
        (
            "unrelated",
            format!("{} of {pairs}", candidate.unrelated_pairs),
        ),
    ]);
    lines
}
