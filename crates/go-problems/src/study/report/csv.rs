//! The cells, the figures and the trajectories of a study of solvers as CSV: a
//! header line, then a row each. An absent value is an empty field.

use std::fmt::Display;
use std::time::Duration;

use crate::study::{Case, Cell, Cells, Effort, Figures, SolverFigures, Task};
use leitai_game::search::proof::Event;
use leitai_go::{CaptureVerdict, Play};
use leitai_report::csv::{self, Column, line, or_empty, own, table, words};

/// A cell with its solver's name and its problem.
type Solved<'a> = (&'a str, &'a Case, &'a Cell);

/// The cells by solver, then by problem; missing cells are left out.
fn solved<'a>(task: &Task<'a>, cells: &'a Cells) -> impl Iterator<Item = Solved<'a>> {
    let cases = task.cases;
    let solvers = task.solvers.iter().enumerate();
    solvers.flat_map(move |(index, solver)| {
        let row = move |(number, case)| Some((&*solver.name, case, cells.cell(index, number)?));
        cases.iter().enumerate().filter_map(row)
    })
}

/// The raw cells: a row per problem and solver.
pub fn cells_csv(task: &Task<'_>, cells: &Cells, times: bool) -> String {
    let columns: [Column<Solved<'_>>; 13] = [
        ("solver", |(name, ..)| words(name)),
        ("problem", |(_, case, _)| words(&case.problem.id)),
        ("position", |(_, case, _)| own(case.cluster)),
        ("expected", |(_, case, _)| {
            or_empty(case.problem.expected.map(CaptureVerdict::name))
        }),
        ("verdict", |(.., cell)| own(cell.answer.verdict.name())),
        ("judgement", |(_, case, cell)| own(case.judge(cell).name())),
        ("move", |(_, case, cell)| {
            let name = |best| Play::of(best).name(case.problem.board.size());
            or_empty(cell.answer.best.map(name))
        }),
        ("visited", |(.., cell)| or_empty(cell.answer.visited)),
        ("expanded", |(.., cell)| or_empty(cell.answer.expanded)),
        ("generated", |(.., it)| or_empty(it.answer.generated)),
        ("depth", |(.., cell)| or_empty(cell.answer.depth)),
        ("seconds", |(.., cell)| seconds(Some(cell.wall))),
        ("cpu_seconds", |(.., cell)| seconds(cell.cpu)),
    ];
    let shown = if times { &columns } else { &columns[..11] };
    table(shown, solved(task, cells))
}

/// A part of a value that may be missing.
fn of<T, P: Display>(whole: Option<T>, part: fn(T) -> P) -> csv::Cell {
    or_empty(whole.map(part))
}

fn seconds(time: Option<Duration>) -> csv::Cell {
    or_empty(time.map(|time| format!("{:.9}", time.as_secs_f64())))
}

/// The figures: a row per solver.
pub fn summary_csv(figures: &Figures) -> String {
    const COUNTS: [Column<SolverFigures>; 6] = [
        ("solver", |solver| words(&solver.name)),
        ("wrong", |solver| own(solver.wrong)),
        ("solved", |solver| own(solver.solved)),
        ("unsolved", |solver| own(solver.unsolved)),
        ("unjudged", |solver| own(solver.unjudged)),
        ("faults", |solver| own(solver.faults)),
    ];
    const EFFORT: [Column<Effort>; 6] = [
        ("seconds", |effort| or_empty(effort.seconds)),
        ("cpu_seconds", |effort| or_empty(effort.cpu_seconds)),
        ("visited", |effort| or_empty(effort.visited)),
        ("expanded", |effort| or_empty(effort.expanded)),
        ("generated", |effort| or_empty(effort.generated)),
        ("depth", |effort| or_empty(effort.depth)),
    ];
    const PENALISED: [Column<SolverFigures>; 4] = [
        ("par2_nodes", |it| of(it.penalised_nodes, |it| it.par2)),
        ("par10_nodes", |it| of(it.penalised_nodes, |it| it.par10)),
        ("par2_seconds", |it| of(it.penalised_seconds, |it| it.par2)),
        ("par10_seconds", |it| {
            of(it.penalised_seconds, |it| it.par10)
        }),
    ];
    let within = figures.solvers.first().map(|solver| &*solver.within);
    let mut header: Vec<String> = COUNTS.map(|(name, _)| name.to_owned()).into();
    for set in ["own", "common"] {
        header.extend(EFFORT.map(|(name, _)| format!("{set}_{name}")));
    }
    let limits = within.unwrap_or_default().iter();
    header.extend(limits.map(|within| format!("within_{}", within.seconds)));
    header.extend(PENALISED.map(|(name, _)| name.to_owned()));
    let mut text = header.join(",") + "\n";
    for solver in &figures.solvers {
        let mut row = Vec::from(COUNTS.map(|(_, cell)| cell(solver)));
        for effort in [&solver.own, &solver.common] {
            row.extend(EFFORT.map(|(_, cell)| cell(effort)));
        }
        row.extend(solver.within.iter().map(|within| own(within.solved)));
        row.extend(PENALISED.map(|(_, cell)| cell(solver)));
        text += &line(&row);
    }
    text
}

/// The events of all searches: a row per event.
pub fn trajectories_csv(task: &Task<'_>, cells: &Cells) -> String {
    let columns: [Column<(Solved<'_>, Event)>; 8] = [
        ("solver", |((name, ..), _)| words(name)),
        ("problem", |((_, case, _), _)| words(&case.problem.id)),
        ("verdict", |((.., cell), _)| own(cell.answer.verdict.name())),
        ("visited", |(_, event)| own(event.visited())),
        ("depth", |(_, event)| of(event.value(), |it| it.0)),
        ("value", |(_, event)| of(event.value(), |it| it.1)),
        ("pn", |(_, event)| of(event.numbers(), |it| it[0])),
        ("dn", |(_, event)| of(event.numbers(), |it| it[1])),
    ];
    let events = solved(task, cells)
        .flat_map(|solved| solved.2.steps.iter().map(move |event| (solved, *event)));
    table(&columns, events)
}
