//! Answers for solved positions, as text and JSON.

use serde_json::{Map, Value};

use super::problems::Problem;
use crate::cli::prelude::*;
use leitai_game::Position;
use leitai_games::othello::endgame::Solution;
use leitai_games::othello::{EmptySquares, Othello, OthelloRules};

#[derive(Serialize)]
pub(super) struct SolveReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    fen: String,
    empty: u32,
    pub(super) score: Option<i32>,
    lower: i32,
    upper: i32,
    best_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_scores: Option<Map<String, Value>>,
    pv: Vec<String>,
    nodes: u64,
    ms: f64,
    empties_to: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip)]
    side: &'static str,
}

impl SolveReport {
    pub(super) fn new(
        problem: &Problem,
        rules: OthelloRules,
        solution: &Solution,
        time: Duration,
        all_moves: bool,
        stopped: bool,
    ) -> Self {
        let position = &problem.position;
        let text = |mv| Othello::move_text(mv);
        let score = solution.score();
        let best = solution.moves.first().map(|&(_, score)| score);
        // No move is known to be best before all scores are known.
        let best = best.filter(|_| score.is_some());
        let best_moves = solution.moves.iter().filter(|(_, its)| Some(*its) == best);
        let scores = solution.moves.iter();
        let is_winners = rules.empties == EmptySquares::Winner;
        Self {
            number: problem.place.map(|(number, _)| number),
            line: problem.place.map(|(_, line)| line),
            fen: position.to_fen(),
            empty: position.empties(),
            score,
            lower: solution.lower,
            upper: solution.upper,
            best_move: solution.best.map(text),
            best_moves: all_moves.then(|| best_moves.map(|&(mv, _)| text(mv)).collect()),
            move_scores: all_moves
                .then(|| scores.map(|&(mv, its)| (text(mv), its.into())).collect()),
            pv: solution.pv.iter().map(|&mv| text(mv)).collect(),
            nodes: solution.nodes,
            ms: (time.as_secs_f64() * 1e6).round() / 1e3,
            empties_to: rules.empties.name(),
            expected: problem.expected.filter(|_| is_winners),
            note: match (score, solution.best, stopped) {
                (None, _, false) => Some("the nodes did not suffice: raise --nodes".to_owned()),
                (None, _, true) => Some("interrupted".to_owned()),
                (Some(_), None, _) => Some("the game is over".to_owned()),
                (Some(_), Some(_), _) => None,
            },
            side: Othello::SIDE_NAMES[position.side_to_move().index()],
        }
    }

    /// Returns whether the file has another score.
    pub(super) fn is_unexpected(&self) -> bool {
        matches!((self.score, self.expected), (Some(score), Some(expected)) if score != expected)
    }

    /// The report as text: one line in a list, else several.
    pub(super) fn text(&self, in_list: bool) -> String {
        if in_list {
            return self.row();
        }
        let mut text = match self.score {
            Some(score) => format!("score      {score:+} for {}", self.side),
            None => format!(
                "score      between {:+} and {:+} for {}",
                self.lower, self.upper, self.side
            ),
        };
        let best = self.best_move.as_deref().unwrap_or("none");
        let _ = write!(text, "\nbest move  {best}");
        if let Some(scores) = &self.move_scores {
            for (mv, score) in by_score(scores) {
                let _ = write!(text, "\n  {mv:8} {score:+}");
            }
        }
        if !self.pv.is_empty() {
            let _ = write!(text, "\npv         {}", self.pv.join(" "));
        }
        let rate = self.nodes as f64 / self.ms.max(1e-3) / 1e3;
        let _ = write!(
            text,
            "\nnodes      {} ({rate:.1} million/s, {:.3} s)\nempties    {} to {}",
            self.nodes,
            self.ms / 1e3,
            self.empty,
            self.empties_to
        );
        if let Some(note) = &self.note {
            let _ = write!(text, "\nnote       {note}");
        }
        text
    }

    fn row(&self) -> String {
        let number = self.number.unwrap_or(0);
        let score = match self.score {
            Some(score) => format!("{score:+}"),
            None => format!("{:+}..{:+}", self.lower, self.upper),
        };
        let best = self.best_move.as_deref().unwrap_or("-");
        let mut row = format!(
            "{number:4}  {:2} empty  {score:>8}  {best:4}  {:>12} nodes  {:9.3} s",
            self.empty,
            self.nodes,
            self.ms / 1e3
        );
        match self.expected {
            Some(expected) if self.is_unexpected() => {
                let _ = write!(row, "  the file says {expected:+}");
            }
            Some(_) if self.score.is_some() => row.push_str("  as expected"),
            _ => {}
        }
        if let Some(note) = &self.note {
            let _ = write!(row, "  {note}");
        }
        row
    }
}

fn by_score(scores: &Map<String, Value>) -> Vec<(&str, i64)> {
    let list = scores.iter();
    let list = list.map(|(mv, score)| (mv.as_str(), score.as_i64().unwrap_or(0)));
    let mut list: Vec<(&str, i64)> = list.collect();
    list.sort_by_key(|&(mv, score)| (-score, mv.to_owned()));
    list
}

/// Totals over the positions of a file.
#[derive(Default)]
pub(super) struct Totals {
    positions: usize,
    solved: usize,
    known: usize,
    unexpected: usize,
    nodes: u64,
    ms: f64,
}

impl Totals {
    pub(super) fn add(&mut self, report: &SolveReport) {
        self.positions += 1;
        self.solved += usize::from(report.score.is_some());
        self.known += usize::from(report.score.is_some() && report.expected.is_some());
        self.unexpected += usize::from(report.is_unexpected());
        self.nodes += report.nodes;
        self.ms += report.ms;
    }

    pub(super) fn text(&self) -> String {
        let rate = self.nodes as f64 / self.ms.max(1e-3) / 1e3;
        let mut text = format!(
            "{} of {} solved, {} nodes, {:.3} s, {rate:.1} million/s",
            self.solved,
            count(self.positions as u64, "position", "positions"),
            self.nodes,
            self.ms / 1e3
        );
        if self.known > 0 {
            let right = self.known - self.unexpected;
            let _ = write!(text, "; {right} of {} scores as expected", self.known);
        }
        text
    }
}
