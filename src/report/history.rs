//! Gates one after the other, and what was let in.

use std::cmp::Reverse;

use serde::Serialize;

use super::columns::aligned;
use super::csv::{Column, own, own_or_empty, table, words};
use super::games::minute;
use super::gate::{Candidate, Outcome};
use super::markdown::escape;
use crate::stats::normal::Z95;

/// A candidate of a gate.
#[derive(Clone, Debug, Serialize)]
pub struct HistoryRow {
    /// When the gate was begun, in UTC.
    pub begun: Option<String>,
    /// The run's identity.
    pub run: String,
    /// The variant that the candidate was measured against.
    pub base: String,
    /// The candidate.
    pub candidate: String,
    /// `None` of a gate that goes on.
    pub verdict: Option<Outcome>,
    /// Whether it passed.
    pub passed: Option<bool>,
    /// Pairs that count.
    pub pairs: u64,
    /// Elo after the test stopped: median-unbiased where that can be had.
    pub elo: Option<f64>,
    /// Its lower 95 % limit.
    pub elo_low: Option<f64>,
    /// Its upper 95 % limit.
    pub elo_high: Option<f64>,
}

impl HistoryRow {
    /// The row of a candidate of that run.
    pub fn new(run: &str, begun: Option<String>, base: &str, candidate: &Candidate) -> Self {
        let any = &candidate.results.estimate.elo;
        let after = candidate.after_stop.as_ref();
        let after = after.filter(|after| after.elo_median_unbiased.is_some());
        let [elo, elo_low, elo_high] = after.map_or([any.value, any.low, any.high], |after| {
            [after.elo_median_unbiased, after.ci_low, after.ci_high]
        });
        Self {
            begun,
            run: run.to_owned(),
            base: base.to_owned(),
            candidate: candidate.name.clone(),
            verdict: candidate.verdict,
            passed: candidate.passed,
            pairs: candidate.pairs,
            elo,
            elo_low,
            elo_high,
        }
    }

    /// Whether its test said that it is good enough.
    pub fn is_accepted(&self) -> bool {
        self.verdict == Some(Outcome::Accepted)
    }

    /// The sum of what was accepted, in Elo, and its standard error as if gates were
    /// independent; `None` where nothing was, or one has no limits.
    pub fn sum(rows: &[Self]) -> Option<(f64, f64)> {
        let mut sum = None;
        for row in rows.iter().filter(|row| row.is_accepted()) {
            let error = (row.elo_high? - row.elo_low?) / (2.0 * Z95);
            let (elo, variance) = sum.unwrap_or((0.0, 0.0));
            sum = Some((elo + row.elo?, variance + error * error));
        }
        sum.map(|(elo, variance)| (elo, f64::sqrt(variance)))
    }

    /// In the order in which gates were begun; of a gate that is in several records, as where
    /// they were merged or given twice, the candidate that has most pairs.
    pub fn in_order(rows: &mut Vec<Self>) {
        let of = |row: &Self| (row.run.clone(), row.candidate.clone());
        rows.sort_by_cached_key(|row| (of(row), Reverse(row.pairs)));
        rows.dedup_by(|one, other| of(one) == of(other));
        rows.sort_by(|one, other| (&one.begun, &one.run).cmp(&(&other.begun, &other.run)));
    }

    fn verdict(&self) -> &'static str {
        self.verdict.map_or("unfinished", Outcome::name)
    }

    fn cells(&self, name: impl Fn(&str) -> String) -> Vec<String> {
        let signed =
            |elo: Option<f64>| elo.map_or_else(|| "-".to_owned(), |it| format!("{it:+.1}"));
        vec![
            minute(self.begun.as_deref()),
            name(&self.candidate),
            name(&self.base),
            self.verdict().to_owned(),
            self.pairs.to_string(),
            signed(self.elo),
            format!("{} .. {}", signed(self.elo_low), signed(self.elo_high)),
        ]
    }
}

const HEADS: [&str; 7] = [
    "begun (UTC)",
    "candidate",
    "base",
    "verdict",
    "pairs",
    "Elo",
    "95 %",
];

/// What was let in, in a sentence.
fn footing(rows: &[HistoryRow]) -> String {
    let accepted = rows.iter().filter(|row| row.is_accepted()).count();
    let sum = HistoryRow::sum(rows).map_or_else(String::new, |(elo, error)| {
        format!(
            ", {elo:+.1} ± {:.1} Elo together: more than was won, for those were accepted whose \
             games went well",
            Z95 * error
        )
    });
    format!("{accepted} of {} accepted{sum}", rows.len())
}

/// As text for a person.
pub fn history_text(rows: &[HistoryRow]) -> String {
    if rows.is_empty() {
        return "no gates".to_owned();
    }
    let heads = HEADS.map(str::to_owned).to_vec();
    let cells = rows.iter().map(|row| row.cells(str::to_owned));
    let all: Vec<_> = std::iter::once(heads).chain(cells).collect();
    let table = aligned("", &all, |column| column < 4);
    format!("{table}\n\n{}", footing(rows))
}

/// As a table in Markdown.
pub fn history_markdown(rows: &[HistoryRow]) -> String {
    let lines = rows
        .iter()
        .map(|row| format!("| {} |\n", row.cells(escape).join(" | ")));
    let lines: Vec<String> = lines.collect();
    format!(
        "| {} |\n|---|---|---|---|--:|--:|--:|\n{}\n{}\n",
        HEADS.join(" | "),
        lines.concat(),
        footing(rows)
    )
}

const COLUMNS: &[Column<HistoryRow>] = &[
    ("begun", |row| own_or_empty(row.begun.as_deref())),
    ("run", |row| own(&row.run)),
    ("base", |row| words(&row.base)),
    ("candidate", |row| words(&row.candidate)),
    ("verdict", |row| own(row.verdict())),
    ("pairs", |row| own(row.pairs)),
    ("elo", |row| own_or_empty(row.elo)),
    ("elo_low", |row| own_or_empty(row.elo_low)),
    ("elo_high", |row| own_or_empty(row.elo_high)),
];

/// As CSV.
pub fn history_csv(rows: &[HistoryRow]) -> String {
    table(COLUMNS, rows.iter().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_changes_add_up_and_errors_as_squares() {
        let row = |verdict, elo: f64, half: f64| HistoryRow {
            begun: Some("2026-01-31T12:00:00Z".to_owned()),
            run: "3f".to_owned(),
            base: "a|b".to_owned(),
            candidate: "c".to_owned(),
            verdict: Some(verdict),
            passed: None,
            pairs: 7,
            elo: Some(elo),
            elo_low: Some(elo - half),
            elo_high: Some(elo + half),
        };
        let mut rows = vec![
            row(Outcome::Accepted, 3.0, 3.0 * Z95),
            row(Outcome::Rejected, -9.0, 1.0),
            row(Outcome::Accepted, 4.5, 4.0 * Z95),
        ];
        let (elo, error) = HistoryRow::sum(&rows).unwrap();
        assert!((elo - 7.5).abs() < 1e-12 && (error - 5.0).abs() < 1e-12);
        assert!(history_text(&rows).ends_with("whose games went well"));
        assert!(history_markdown(&rows).contains("| a\\|b |"));
        assert!(history_csv(&rows).contains("3f,a|b,c,rejected,7,-9,"));
        // Of a gate with several candidates that is in two records nothing counts twice.
        let other = |mut row: HistoryRow, candidate: &str, begun: &str, pairs| {
            (row.candidate, row.begun, row.pairs) = (candidate.into(), Some(begun.into()), pairs);
            row
        };
        let gate = |pairs: u64| {
            [("b", 5_u64), ("a", 6)].map(|(candidate, more)| {
                let row = row(Outcome::Accepted, 1.0, 1.0);
                other(row, candidate, "2026", pairs + more)
            })
        };
        let mut all = [gate(0), gate(7)].concat();
        all.push(HistoryRow {
            run: "0".to_owned(),
            ..other(rows[0].clone(), "c", "2027", 1)
        });
        HistoryRow::in_order(&mut all);
        let all: Vec<_> = all
            .iter()
            .map(|row| (row.candidate.as_str(), row.pairs))
            .collect();
        assert_eq!(all, [("a", 13), ("b", 12), ("c", 1)]);
        rows[2].elo_low = None;
        assert_eq!(HistoryRow::sum(&rows), None);
        assert_eq!(HistoryRow::sum(&[]), None);
    }
}
