//! The problems of a study, and the judgement of answers.

use std::collections::HashMap;

use super::{Cell, Cells};
use leitai_base::settings::choice;
use leitai_go::{CaptureVerdict, Problem};

/// A problem with its cluster.
#[derive(Clone, Debug)]
pub struct Case {
    /// The problem.
    pub problem: Problem,
    /// Number of its position: equal for problems whose stones differ only by symmetry and colours.
    pub cluster: usize,
    /// True if the verdict is the consensus of the judges.
    pub by_judges: bool,
}

choice! {
    /// The judgement of an answer.
    pub enum Judgement {
        /// The expected verdict.
        Right = "right",
        /// Another verdict.
        Wrong = "wrong",
        /// A verdict, and the right one is unknown.
        Unjudged = "unjudged",
        /// No verdict.
        Unsolved = "unsolved",
    }
}

impl Judgement {
    /// Returns whether the problem counts as solved: answered, and not known to be wrong.
    pub fn is_solved(self) -> bool {
        matches!(self, Judgement::Right | Judgement::Unjudged)
    }

    /// Judges `found` by the `expected` verdict.
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
    /// Returns whether its right verdict is known.
    pub fn is_known(&self) -> bool {
        let expected = self.problem.expected;
        expected.is_some_and(|verdict| verdict != CaptureVerdict::Unknown)
    }

    /// Judges the answer of a cell.
    pub fn judge(&self, cell: &Cell) -> Judgement {
        Judgement::of(cell.answer.verdict, self.problem.expected)
    }
}

/// The problems with the clusters of their positions.
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

/// The problems; a missing verdict is replaced by the consensus of the judges, if all agree.
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
    let unknown = cases.iter_mut().enumerate();
    for (problem, case) in unknown.filter(|(_, case)| !case.is_known()) {
        case.problem.expected = verdict(problem);
        case.by_judges = case.problem.expected.is_some();
    }
    cases
}

/// The canonical one of the 16 forms of a problem's stones.
fn position(problem: &Problem) -> Vec<String> {
    let forms = problem.versions().map(|version| version.board.to_rows());
    forms.min().unwrap_or_default()
}
