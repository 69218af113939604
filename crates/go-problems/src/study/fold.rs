//! Computes figures from cells: solved problems, and their cost.

use super::costs::Measure;
use super::figures::{
    Disputed, Effort, Figures, Penalised, ProblemCost, Quantiles, SolverFigures, Within,
};
use super::pairs::pairs;
use super::predict::predictions;
use super::trajectory::trajectories;
use super::{Case, Cell, Cells, Judgement, Solver, Task};
use crate::statistics::penalised_mean;
use leitai_go::{CaptureVerdict, Play};
use leitai_stats::wilson;

/// The input of the figures.
pub(super) struct Fold<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) cells: &'a Cells,
    pub(super) wanted: &'a Wanted<'a>,
}

/// Settings of the figures.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// The mode of the solvers.
    pub mode: &'a str,
    /// Indices of the solvers whose consensus replaces unknown verdicts.
    pub judges: &'a [usize],
    /// Names of the solvers that did not start, and have no cells.
    pub absent: &'a [String],
    /// Time limits for counts of solved problems, in seconds.
    pub within: &'a [f64],
    /// Seed of the resamples.
    pub seed: u64,
    /// Resamples of each interval.
    pub resamples: u32,
    /// True if times are reported.
    pub times: bool,
}

impl Figures {
    /// Computes the figures of `cells`.
    pub fn new(task: &Task<'_>, cells: &Cells, wanted: &Wanted<'_>) -> Self {
        let fold = Fold {
            task,
            cells,
            wanted,
        };
        let common = fold.common();
        let expected = |verdict| {
            let cases = task.cases.iter();
            let count = cases.filter(|case| case.problem.expected == Some(verdict));
            (verdict, count.count())
        };
        let positions = task.cases.iter().map(|case| case.cluster).max();
        let solver = |index| fold.solver(index, &common, wanted.within);
        let judge = |&index: &usize| task.solvers[index].name.clone();
        Self {
            game: "go",
            mode: wanted.mode.to_owned(),
            problems: task.cases.len(),
            positions: positions.map_or(0, |last| last + 1),
            expected: [
                CaptureVerdict::Captured,
                CaptureVerdict::Escapes,
                CaptureVerdict::Ko,
            ]
            .map(expected),
            judged: task.cases.iter().filter(|case| case.by_judges).count(),
            judges: wanted.judges.iter().map(judge).collect(),
            node_limit: task.nodes,
            time_limit: task.time.map(|time| time.as_secs_f64()),
            repeats: task.repeats,
            seed: wanted.seed,
            resamples: wanted.resamples,
            common: common.len(),
            absent: wanted.absent.to_vec(),
            solvers: (0..task.solvers.len()).map(solver).collect(),
            pairs: pairs(&fold),
            disputed: fold.disputed(),
            trajectories: trajectories(&fold),
            predictions: predictions(&fold),
            costs: fold.costs(),
        }
    }
}

impl<'a> Fold<'a> {
    /// The problems with a solver's cells; missing cells are left out.
    pub(super) fn answered(
        &self,
        solver: usize,
    ) -> impl Iterator<Item = (usize, &'a Case, &'a Cell)> + use<'a> {
        let cells = self.cells;
        let cases = self.task.cases.iter().enumerate();
        cases.filter_map(move |(problem, case)| Some((problem, case, cells.cell(solver, problem)?)))
    }

    /// The judgement of a solver's answer to a problem.
    pub(super) fn judgement(&self, solver: usize, problem: usize) -> Judgement {
        let case = &self.task.cases[problem];
        let cell = self.cells.cell(solver, problem);
        cell.map_or(Judgement::Unsolved, |cell| case.judge(cell))
    }

    /// Returns whether a solver has solved a problem.
    pub(super) fn is_solved(&self, solver: usize, problem: usize) -> bool {
        self.judgement(solver, problem).is_solved()
    }

    /// The problems that every solver has solved.
    fn common(&self) -> Vec<usize> {
        let all = |problem: &usize| {
            (0..self.task.solvers.len()).all(|solver| self.is_solved(solver, *problem))
        };
        (0..self.task.cases.len()).filter(all).collect()
    }

    fn solver(&self, index: usize, common: &[usize], within: &[f64]) -> SolverFigures {
        let judged: Vec<(usize, &Case, &Cell, Judgement)> = self
            .answered(index)
            .map(|(problem, case, cell)| (problem, case, cell, case.judge(cell)))
            .collect();
        let count = |which: Judgement| judged.iter().filter(|(.., it)| *it == which).count();
        let solved = || judged.iter().filter(|(.., it)| it.is_solved());
        let own: Vec<&Cell> = solved().map(|(_, _, cell, _)| *cell).collect();
        let shared: Vec<&Cell> = solved()
            .filter(|(problem, ..)| common.contains(problem))
            .map(|(_, _, cell, _)| *cell)
            .collect();
        let right = count(Judgement::Right);
        let is_silent = |case: &Case, it| !case.is_known() && it == Judgement::Unsolved;
        let silent = judged
            .iter()
            .filter(|(_, case, _, it)| is_silent(case, *it));
        let cells = || judged.iter().map(|(_, _, cell, _)| *cell);
        let faults = || cells().filter_map(|cell| cell.fault.as_ref());
        let listed = || {
            solved().filter_map(|(_, case, cell, _)| {
                let best = Play::of(cell.answer.best?);
                let solutions = &case.problem.solutions;
                (!solutions.is_empty()).then(|| solutions.contains(&best))
            })
        };
        let Solver { name, outside, .. } = &self.task.solvers[index];
        let seconds = |cell: &Cell| cell.time().as_secs_f64();
        SolverFigures {
            name: name.clone(),
            outside: *outside,
            right,
            right_share: wilson(right as u64, self.task.cases.len() as u64),
            solved: own.len(),
            unsolved: count(Judgement::Unsolved),
            wrong: count(Judgement::Wrong),
            unjudged: count(Judgement::Unjudged),
            unjudged_unsolved: silent.count(),
            faults: faults().count(),
            fault: faults().next().cloned(),
            unsteady: cells().filter(|cell| cell.unsteady).count(),
            listed_moves: [listed().count(), listed().filter(|is| *is).count()],
            own: self.effort(&own),
            common: self.effort(&shared),
            seconds: quantiles(cells().map(seconds)).filter(|_| self.wanted.times),
            within: within
                .iter()
                .filter(|_| self.wanted.times)
                .map(|&limit| Within {
                    seconds: limit,
                    solved: own.iter().filter(|cell| seconds(cell) <= limit).count(),
                })
                .collect(),
            penalised_nodes: self
                .task
                .nodes
                .filter(|_| !*outside)
                .and_then(|cap| self.penalised(index, Measure::Nodes, cap as f64)),
            penalised_seconds: self
                .task
                .time
                .filter(|_| self.wanted.times)
                .and_then(|cap| self.penalised(index, Measure::Time, cap.as_secs_f64())),
        }
    }

    /// The cost of every problem: `None` if it was not solved.
    pub(super) fn costs_of(&self, solver: usize, measure: Measure) -> Vec<Option<f64>> {
        let cost = |problem| {
            let cost = measure.of(self.cells.cell(solver, problem)?);
            cost.filter(|_| self.is_solved(solver, problem))
        };
        (0..self.task.cases.len()).map(cost).collect()
    }

    fn penalised(&self, solver: usize, measure: Measure, cap: f64) -> Option<Penalised> {
        let costs = self.costs_of(solver, measure);
        Some(Penalised {
            par2: penalised_mean(&costs, cap, 2.0)?,
            par10: penalised_mean(&costs, cap, 10.0)?,
        })
    }

    fn effort(&self, cells: &[&Cell]) -> Effort {
        let counted =
            |of: fn(&Cell) -> Option<u64>| mean(cells.iter().map(|cell| Some(of(cell)? as f64)));
        let timed = |of: fn(&Cell) -> Option<f64>| {
            mean(cells.iter().map(|cell| of(cell))).filter(|_| self.wanted.times)
        };
        Effort {
            problems: cells.len(),
            seconds: timed(|cell| Some(cell.wall.as_secs_f64())),
            cpu_seconds: timed(|cell| Some(cell.cpu?.as_secs_f64())),
            visited: counted(|cell| cell.answer.visited),
            expanded: counted(|cell| cell.answer.expanded),
            generated: counted(|cell| cell.answer.generated),
            depth: counted(|cell| cell.answer.depth.map(u64::from)),
        }
    }

    fn disputed(&self) -> Vec<Disputed> {
        let solvers = 0..self.task.solvers.len();
        let dispute = |(problem, case): (usize, &Case)| {
            let verdict = |solver| {
                let cell = self.cells.cell(solver, problem);
                cell.map_or(CaptureVerdict::Unknown, |cell| cell.answer.verdict)
            };
            let verdicts: Vec<CaptureVerdict> = solvers.clone().map(verdict).collect();
            let known = verdicts.iter().copied();
            let known = known.filter(|verdict| *verdict != CaptureVerdict::Unknown);
            let mut answers = known.chain(case.problem.expected);
            let first = answers.next()?;
            answers.any(|answer| answer != first).then(|| Disputed {
                id: case.problem.id.clone(),
                expected: case.problem.expected,
                verdicts,
            })
        };
        let cases = self.task.cases.iter().enumerate();
        cases.filter_map(dispute).collect()
    }

    fn costs(&self) -> Vec<(String, Vec<ProblemCost>)> {
        let cost = |problem, solver| {
            let cell = self.cells.cell(solver, problem);
            let timed = cell.filter(|_| self.wanted.times);
            ProblemCost {
                solved: self.is_solved(solver, problem),
                visited: cell.and_then(|cell| cell.answer.visited),
                seconds: timed.map(|cell| cell.time().as_secs_f64()),
            }
        };
        let row = |(problem, case): (usize, &Case)| {
            let costs = (0..self.task.solvers.len()).map(|solver| cost(problem, solver));
            (case.problem.id.clone(), costs.collect())
        };
        self.task.cases.iter().enumerate().map(row).collect()
    }
}

/// The mean; `None` without values, or if one is missing.
fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Option<Vec<f64>> = values.collect();
    let values = values.filter(|values| !values.is_empty())?;
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

/// Quantiles by rank: the least value that is not exceeded by this share of values.
fn quantiles(values: impl Iterator<Item = f64>) -> Option<Quantiles> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        let rank = (values.len() * percent).div_ceil(100).max(1);
        values.get(rank - 1).copied()
    };
    Some(Quantiles {
        mean: mean(values.iter().copied().map(Some))?,
        median: at(50)?,
        p95: at(95)?,
        most: at(100)?,
    })
}
