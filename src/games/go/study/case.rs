//! The problems of a study, and what an answer to them is worth.

use std::collections::HashMap;

use super::{Cell, Cells};
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
    /// Whether its verdict is only what the judges agree on.
    pub by_judges: bool,
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
    /// Whether its right verdict is known.
    pub fn is_known(&self) -> bool {
        let expected = self.problem.expected;
        expected.is_some_and(|verdict| verdict != CaptureVerdict::Unknown)
    }

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
            Case {
                problem,
                cluster,
                by_judges: false,
            }
        })
        .collect()
}

/// The problems; one without a verdict has that on which all judges agree, by what they
/// answered.
pub fn judged(cases: &[Case], cells: &Cells, judges: &[usize]) -> Vec<Case> {
    let verdict = |problem: usize| {
        let mut answers = judges.iter().map(|&judge| {
            let cell = cells.cell(judge, problem)?;
            Some(cell.answer.verdict).filter(|it| *it != CaptureVerdict::Unknown)
        });
        let first = answers.next()??;
        answers.all(|answer| answer == Some(first)).then_some(first)
    };
    let mut cases = cases.to_vec();
    for (problem, case) in cases
        .iter_mut()
        .enumerate()
        .filter(|(_, case)| !case.is_known())
    {
        case.problem.expected = verdict(problem);
        case.by_judges = case.problem.expected.is_some();
    }
    cases
}

/// The first of the 16 forms of a problem's stones.
fn position(problem: &Problem) -> Vec<String> {
    let forms = problem.versions().map(|version| version.board.to_rows());
    forms.min().unwrap_or_default()
}
