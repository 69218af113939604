//! The problems of a study, and what an answer to them is worth.

use std::collections::HashMap;

use super::Cell;
use crate::games::go::{CaptureVerdict, Problem};
use crate::settings::choice;

/// A problem, and which others it hangs together with.
#[derive(Clone, Debug)]
pub struct Case {
    /// The problem.
    pub problem: Problem,
    /// Number of its position: equal for problems whose stones are the same but
    /// for symmetry and colours.
    pub cluster: usize,
}

choice! {
    /// What an answer is worth.
    pub enum Judgement {
        /// The expected verdict.
        Right = "right",
        /// Another verdict.
        Wrong = "wrong",
        /// A verdict, and nobody knows the right one.
        Unjudged = "unjudged",
        /// No verdict.
        Unsolved = "unsolved",
    }
}

impl Judgement {
    /// Whether the problem counts as solved: answered, and not known to be wrong.
    pub fn is_solved(self) -> bool {
        matches!(self, Judgement::Right | Judgement::Unjudged)
    }

    /// What `found` is worth where `expected` is right.
    pub fn of(found: CaptureVerdict, expected: Option<CaptureVerdict>) -> Self {
        let expected = expected.filter(|verdict| *verdict != CaptureVerdict::Unknown);
        match expected {
            _ if found == CaptureVerdict::Unknown => Judgement::Unsolved,
            None => Judgement::Unjudged,
            Some(expected) if expected == found => Judgement::Right,
            Some(_) => Judgement::Wrong,
        }
    }
}

impl Case {
    /// What this cell's answer is worth.
    pub fn judge(&self, cell: &Cell) -> Judgement {
        Judgement::of(cell.answer.verdict, self.problem.expected)
    }
}

/// The problems with the clusters that their positions make.
pub fn cases(problems: Vec<Problem>) -> Vec<Case> {
    let mut clusters = HashMap::new();
    problems
        .into_iter()
        .map(|problem| {
            let next = clusters.len();
            let cluster = *clusters.entry(position(&problem)).or_insert(next);
            Case { problem, cluster }
        })
        .collect()
}

/// The first of the 16 forms of a problem's stones.
fn position(problem: &Problem) -> Vec<String> {
    let forms = problem.versions().map(|version| version.board.to_rows());
    forms.min().unwrap_or_default()
}
