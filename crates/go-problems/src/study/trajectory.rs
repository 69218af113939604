//! Progress of searches: the best value by depth, proof and disproof numbers by nodes, for problems
//! that were captured, that escaped and that stayed unsolved.

use super::Cell;
use super::figures::{Shape, Trace, Trajectories};
use super::fold::Fold;
use leitai_game::search::proof::Event;
use leitai_go::CaptureVerdict;

/// The maximum number of shown searches per kind.
const MAX_TRACES: usize = 6;

/// The outcomes of a search.
const OUTCOMES: [CaptureVerdict; 3] = [
    CaptureVerdict::Captured,
    CaptureVerdict::Escapes,
    CaptureVerdict::Unknown,
];

/// The longest searches of each outcome, by the solver with the longest traces of either shape.
pub(super) fn trajectories(fold: &Fold<'_>) -> Vec<Trajectories> {
    [Shape::Value, Shape::Numbers]
        .into_iter()
        .filter_map(|shape| Some((shape, tracer(fold, shape)?)))
        .flat_map(|(shape, solver)| OUTCOMES.map(|outcome| of(fold, shape, solver, outcome)))
        .collect()
}

/// The solver with the most events of this shape, the first of several.
pub(super) fn tracer(fold: &Fold<'_>, shape: Shape) -> Option<usize> {
    let moments = |solver: &usize| -> usize {
        let cells = fold.answered(*solver);
        cells.map(|(_, _, cell)| steps(cell, shape).len()).sum()
    };
    let solvers = (0..fold.task.solvers.len()).rev();
    solvers
        .filter(|solver| moments(solver) > 0)
        .max_by_key(moments)
}

/// The events of this shape.
pub(super) fn steps(cell: &Cell, shape: Shape) -> Vec<Event> {
    let is = |step: &&Event| step.value().is_some() == (shape == Shape::Value);
    cell.steps.iter().filter(is).copied().collect()
}

fn of(fold: &Fold<'_>, shape: Shape, solver: usize, outcome: CaptureVerdict) -> Trajectories {
    let mut traces: Vec<Trace> = fold
        .answered(solver)
        .filter(|(_, _, cell)| cell.answer.verdict == outcome)
        .map(|(_, case, cell)| Trace {
            id: case.problem.id.clone(),
            steps: steps(cell, shape),
        })
        .filter(|trace| !trace.steps.is_empty())
        .collect();
    let searches = traces.len();
    // A stable sort: among equally long traces the first of the suite stays first.
    traces.sort_by_key(|trace| std::cmp::Reverse(trace.steps.len()));
    traces.truncate(MAX_TRACES);
    Trajectories {
        solver: fold.task.solvers[solver].name.clone(),
        shape,
        outcome,
        searches,
        traces,
    }
}
