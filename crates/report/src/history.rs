//! The history of gates, and the accepted changes.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::columns::{Room, aligned, header};
use super::csv::{Column, or_empty, own, table, words};
use super::games::minute;
use super::gate::{Candidate, Outcome, StrengthKind, strength};
use super::markdown::{Code, escape, sentence};
use leitai_runs::figures::number::or_dash;
use leitai_stats::Ranged;

/// A candidate of a gate.
#[derive(Clone, Debug, Serialize)]
pub struct HistoryRow {
    /// Start of the gate, in UTC.
    pub begun: Option<String>,
    /// The identity of the run.
    pub run: String,
    /// The game.
    pub game: String,
    /// The baseline variant.
    pub base: String,
    /// The candidate.
    pub candidate: String,
    /// Complete description of both players without their names.
    #[serde(skip)]
    pub players: [String; 2],
    /// The verdict; `None` while the gate continues.
    pub verdict: Option<Outcome>,
    /// True if it passed.
    pub passed: Option<bool>,
    /// Pairs that count.
    pub pairs: u64,
    /// Elo, median-unbiased if available.
    pub elo: Option<f64>,
    /// Its lower 95 % limit; `None` if open.
    pub elo_low: Option<f64>,
    /// Its upper 95 % limit; `None` if open.
    pub elo_high: Option<f64>,
    /// The kind of estimate; `None` without pairs.
    pub estimate: Option<StrengthKind>,
    /// True if a later gate has decided about the same two players.
    pub decided_again: bool,
}

/// A gate without a row: its record is damaged, or its version is not supported.
#[derive(Clone, Debug, Serialize)]
pub struct UnreadGate {
    /// The record.
    pub record: String,
    /// The identity of the run; `None` if nothing in the record is readable.
    pub run: Option<String>,
    /// The reason.
    pub error: String,
}

/// The accepted changes of one game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AcceptedSum {
    /// The game.
    pub game: String,
    /// The number of changes in the sum.
    pub terms: usize,
    /// The sum of their Elo, as if each was built on the earlier ones.
    pub elo: f64,
    /// The number of changes left out because their gate has no estimate.
    pub not_estimated: usize,
    /// The number of changes left out in favour of a stronger candidate of the same gate.
    pub alternatives: usize,
}

impl HistoryRow {
    /// The row of a candidate of the given run.
    pub fn new(
        (run, begun): (&str, Option<String>),
        game: &str,
        (base, players): (&str, [String; 2]),
        candidate: &Candidate,
    ) -> Self {
        let strength = strength(candidate);
        let elo = strength.map_or(Ranged::NOTHING, |strength| strength.elo);
        Self {
            begun,
            run: run.to_owned(),
            game: game.to_owned(),
            base: base.to_owned(),
            candidate: candidate.name.clone(),
            players,
            verdict: candidate.verdict,
            passed: candidate.passed,
            pairs: candidate.pairs,
            elo: elo.value,
            elo_low: elo.low,
            elo_high: elo.high,
            estimate: strength.map(|strength| strength.kind),
            decided_again: false,
        }
    }

    /// Returns whether the candidate was accepted, and no later gate of the same players has
    /// decided.
    pub fn is_accepted(&self) -> bool {
        self.verdict == Some(Outcome::Accepted) && !self.decided_again
    }

    /// The accepted changes per game. A change counts once: of several candidates of one gate,
    /// which exclude each other or may do so, the strongest.
    pub fn sums(rows: &[Self]) -> Vec<AcceptedSum> {
        let mut sums: Vec<AcceptedSum> = Vec::new();
        for row in rows.iter().filter(|row| row.is_accepted()) {
            let place = sums.iter().position(|sum| sum.game == row.game);
            let place = place.unwrap_or(sums.len());
            if place == sums.len() {
                sums.push(AcceptedSum::default());
                sums[place].game.clone_from(&row.game);
            }
            let sum = &mut sums[place];
            let Some(elo) = row.elo else {
                sum.not_estimated += 1;
                continue;
            };
            let is_stronger = |other: &&Self| {
                let key = |row: &Self| (row.elo, Reverse(row.candidate.clone()));
                other.run == row.run && other.is_accepted() && key(other) > key(row)
            };
            if rows.iter().any(|other| is_stronger(&other)) {
                sum.alternatives += 1;
            } else {
                sum.terms += 1;
                sum.elo += elo;
            }
        }
        sums
    }

    /// Sorts the rows by the start of their gates. Of a gate in several records, for instance after
    /// a merge, keeps the candidate with most pairs. Marks candidates that a later gate has decided
    /// about again: the last decision counts.
    pub fn in_order(rows: &mut Vec<Self>) {
        let of = |row: &Self| (row.run.clone(), row.candidate.clone());
        rows.sort_by_cached_key(|row| (of(row), Reverse(row.pairs)));
        rows.dedup_by(|one, other| of(one) == of(other));
        rows.sort_by(|one, other| (&one.begun, &one.run).cmp(&(&other.begun, &other.run)));
        let mut decided = HashSet::new();
        for row in rows.iter_mut().rev().filter(|row| row.passed.is_some()) {
            row.decided_again = !decided.insert((row.game.clone(), row.players.clone()));
        }
    }

    fn verdict(&self) -> &'static str {
        self.verdict.map_or("unfinished", Outcome::name)
    }

    fn cells(&self, name: impl Fn(&str) -> String) -> Vec<String> {
        let signed = |elo: Option<f64>| or_dash(elo, |elo| format!("{elo:+.1}"));
        let again = if self.decided_again {
            ", decided again"
        } else {
            ""
        };
        vec![
            minute(self.begun.as_deref()),
            name(&self.game),
            name(&self.candidate),
            name(&self.base),
            format!("{}{again}", self.verdict()),
            self.pairs.to_string(),
            signed(self.elo),
            format!("{} .. {}", signed(self.elo_low), signed(self.elo_high)),
            self.estimate.map_or("-", StrengthKind::words).to_owned(),
        ]
    }
}

const HEADS: &str = "begun (UTC),game,candidate,base,verdict,pairs,Elo,95 %,estimate";

/// The accepted changes, in sentences.
fn footing(rows: &[HistoryRow]) -> String {
    let accepted = rows.iter().filter(|row| row.is_accepted()).count();
    let mut text = format!("{accepted} of {} accepted", rows.len());
    let sums = HistoryRow::sums(rows);
    for sum in &sums {
        let (game, elo, terms) = (&sum.game, sum.elo, sum.terms);
        let _ = write!(text, "\n{game}: {elo:+.1} Elo by {terms} of them");
        for (left, reason) in [
            (sum.alternatives, "weaker than another of their gate"),
            (sum.not_estimated, "without an estimate"),
        ] {
            if left > 0 {
                let _ = write!(text, ", {left} {reason} left out");
            }
        }
    }
    if !sums.is_empty() {
        text.push_str(
            "\nassumes that each change was built on the earlier ones; overestimates the gain on \
             average (selection bias: lucky candidates are accepted more often)",
        );
    }
    text
}

/// The history as text for a terminal.
pub fn history_text(rows: &[HistoryRow], room: Room) -> String {
    if rows.is_empty() {
        return "no gates".to_owned();
    }
    let heads = header(HEADS);
    let cells = rows.iter().map(|row| row.cells(str::to_owned));
    let all: Vec<_> = std::iter::once(heads).chain(cells).collect();
    let table = aligned("", &all, 1, |column| column < 5 || column == 8, room);
    format!("{table}\n\n{}", footing(rows))
}

/// The history as a table in Markdown, with the gates that are not in it.
pub fn history_markdown(rows: &[HistoryRow], unread: &[UnreadGate]) -> String {
    let missing = unread.iter().map(|UnreadGate { record, run, error }| {
        let gate = run.as_ref().map(|run| format!("gate `{run:.12}`"));
        let gate = gate.as_deref().unwrap_or("the gates");
        let missing = format!("Not in this table: {gate} of `{record}`: {error}");
        format!("\n⚠️ {}\n", sentence(&missing, Code::Running))
    });
    let lines = rows.iter().map(|row| row.cells(escape).join(" | "));
    let lines: Vec<String> = lines.map(|line| format!("| {line} |\n")).collect();
    format!(
        "| {} |\n|---|---|---|---|---|--:|--:|--:|---|\n{}\n{}\n{}",
        HEADS.replace(',', " | "),
        lines.concat(),
        footing(rows).replace('\n', "  \n"),
        missing.collect::<String>()
    )
}

const COLUMNS: &[Column<HistoryRow>] = &[
    ("begun", |row| or_empty(row.begun.as_deref())),
    ("run", |row| own(&row.run)),
    ("game", |row| words(&row.game)),
    ("base", |row| words(&row.base)),
    ("candidate", |row| words(&row.candidate)),
    ("verdict", |row| own(row.verdict())),
    ("pairs", |row| own(row.pairs)),
    ("elo", |row| or_empty(row.elo)),
    ("elo_low", |row| or_empty(row.elo_low)),
    ("elo_high", |row| or_empty(row.elo_high)),
    ("estimate", |row| {
        words(row.estimate.map_or("", StrengthKind::words))
    }),
    ("decided_again", |row| own(row.decided_again)),
];

/// The history as CSV.
pub fn history_csv(rows: &[HistoryRow]) -> String {
    table(COLUMNS, rows.iter().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gate of `candidate` against `base`, with players equal to their names.
    fn row(run: &str, candidate: &str, verdict: Outcome, elo: f64) -> HistoryRow {
        HistoryRow {
            begun: Some(format!("2026-01-{run}T12:00:00Z")),
            run: run.to_owned(),
            game: "chess".to_owned(),
            base: "a|b".to_owned(),
            candidate: candidate.to_owned(),
            players: ["a|b".to_owned(), candidate.to_owned()],
            verdict: Some(verdict),
            passed: Some(verdict == Outcome::Accepted),
            pairs: 7,
            elo: Some(elo),
            elo_low: Some(elo - 1.0),
            elo_high: None,
            estimate: Some(StrengthKind::MedianUnbiased),
            decided_again: false,
        }
    }

    fn sums(rows: &[HistoryRow]) -> Vec<(String, usize, f64, usize, usize)> {
        let mut rows = rows.to_vec();
        HistoryRow::in_order(&mut rows);
        let sums = HistoryRow::sums(&rows).into_iter();
        let sums = sums.map(|it| (it.game, it.terms, it.elo, it.not_estimated, it.alternatives));
        sums.collect()
    }

    #[test]
    fn accepted_changes_add_up() {
        let rows = [
            row("03", "c", Outcome::Accepted, 3.0),
            row("02", "d", Outcome::Rejected, -9.0),
            row("04", "e", Outcome::Accepted, 4.5),
        ];
        let chess = |terms, elo| ("chess".to_owned(), terms, elo, 0, 0);
        assert_eq!(sums(&rows), [chess(2, 7.5)]);
        assert!(history_text(&rows, Room::Unlimited).contains("\nchess: +7.5 Elo by 2 of them\n"));
        assert!(history_text(&rows, Room::Unlimited).ends_with("are accepted more often)"));
        assert!(history_markdown(&rows, &[]).contains("| a\\|b |"));
        assert!(history_csv(&rows).contains("02,chess,a|b,d,rejected,7,-9,"));
        assert!(sums(&[]).is_empty());
        let mut of_two_games = rows.clone();
        of_two_games[2].game = "go".to_owned();
        let go = ("go".to_owned(), 1, 4.5, 0, 0);
        assert_eq!(sums(&of_two_games), [chess(1, 3.0), go]);
        let mut unknown = rows;
        unknown[0].elo = None;
        assert_eq!(sums(&unknown), [("chess".to_owned(), 1, 4.5, 1, 0)]);
    }

    /// The same two players with other terms or another seed, and other names.
    #[test]
    fn the_last_decision_about_two_players_counts() {
        let chess = |terms, elo| ("chess".to_owned(), terms, elo, 0, 0);
        let first = row("01", "c", Outcome::Accepted, 3.0);
        let again = |verdict, elo| HistoryRow {
            candidate: "another name".to_owned(),
            ..row("02", "c", verdict, elo)
        };
        let accepted = [again(Outcome::Accepted, 5.0), first.clone()];
        assert_eq!(sums(&accepted), [chess(1, 5.0)]);
        assert!(sums(&[first.clone(), again(Outcome::Rejected, -1.0)]).is_empty());
        let mut unfinished = again(Outcome::Rejected, -1.0);
        (unfinished.verdict, unfinished.passed) = (None, None);
        assert_eq!(sums(&[first, unfinished]), [chess(1, 3.0)]);
    }

    #[test]
    fn alternatives_of_one_gate_count_once() {
        let rows = ["c", "d", "e"].map(|name| row("01", name, Outcome::Accepted, 2.0));
        assert_eq!(sums(&rows), [("chess".to_owned(), 1, 2.0, 0, 2)]);
        // The same gate in another record with more pairs does not count twice.
        let longer = rows.clone().map(|row| HistoryRow {
            pairs: 9,
            elo: Some(2.5),
            ..row
        });
        let both = [rows, longer].concat();
        assert_eq!(sums(&both), [("chess".to_owned(), 1, 2.5, 0, 2)]);
    }
}
