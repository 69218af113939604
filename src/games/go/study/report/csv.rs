//! The cells, the figures and the trajectories of a study of solvers as CSV: a
//! header line, then a row each. An absent value is an empty field.

use crate::games::go::study::{Cells, Figures, Judgement, Task};
use crate::games::go::{CaptureVerdict, Play};
use crate::report::csv::{line, own, own_or_empty, words};
use crate::search::proof::Event;

/// The raw cells: a row per problem and solver.
pub fn cells_csv(task: &Task<'_>, cells: &Cells, names: &[(String, bool)], times: bool) -> String {
    let mut text = String::from(
        "solver,problem,position,expected,verdict,judgement,move,visited,expanded,generated,depth",
    );
    text.push_str(if times {
        ",seconds,cpu_seconds\n"
    } else {
        "\n"
    });
    for (index, (name, _)) in names.iter().enumerate() {
        for (number, case) in task.cases.iter().enumerate() {
            let Some(cell) = cells.cell(index, number) else {
                continue;
            };
            let answer = &cell.answer;
            let size = case.problem.board.size();
            let judgement = match case.judge(cell) {
                Judgement::Right => "right",
                Judgement::Wrong => "wrong",
                Judgement::Unjudged => "unjudged",
                Judgement::Unsolved => "unsolved",
            };
            let mut row = vec![
                words(name),
                words(&case.problem.id),
                own(case.cluster),
                own_or_empty(case.problem.expected.map(CaptureVerdict::name)),
                own(answer.verdict.name()),
                own(judgement),
                own_or_empty(answer.best.map(|best| Play::of(best).name(size))),
                own_or_empty(answer.visited),
                own_or_empty(answer.expanded),
                own_or_empty(answer.generated),
                own_or_empty(answer.depth),
            ];
            if times {
                let times = [Some(cell.wall), cell.cpu];
                row.extend(times.map(|time| {
                    own_or_empty(time.map(|time| format!("{:.9}", time.as_secs_f64())))
                }));
            }
            text += &line(&row);
        }
    }
    text
}

/// The figures: a row per solver.
pub fn summary_csv(figures: &Figures) -> String {
    let first = figures.solvers.first();
    let limits = first
        .map(|solver| solver.within.as_slice())
        .unwrap_or_default();
    let mut header: Vec<String> = [
        "solver", "wrong", "solved", "unsolved", "unjudged", "faults",
    ]
    .map(str::to_owned)
    .into();
    for set in ["own", "common"] {
        let names = [
            "seconds",
            "cpu_seconds",
            "visited",
            "expanded",
            "generated",
            "depth",
        ];
        header.extend(names.map(|name| format!("{set}_{name}")));
    }
    header.extend(
        limits
            .iter()
            .map(|within| format!("within_{}", within.seconds)),
    );
    let rest = ["par2_nodes", "par10_nodes", "par2_seconds", "par10_seconds"];
    header.extend(rest.map(str::to_owned));
    let mut text = header.join(",") + "\n";
    for solver in &figures.solvers {
        let mut row = vec![words(&solver.name)];
        row.extend(
            [
                solver.wrong,
                solver.solved,
                solver.unsolved,
                solver.unjudged,
                solver.faults,
            ]
            .map(own),
        );
        for effort in [&solver.own, &solver.common] {
            row.extend(
                [
                    effort.seconds,
                    effort.cpu_seconds,
                    effort.visited,
                    effort.expanded,
                    effort.generated,
                    effort.depth,
                ]
                .map(own_or_empty),
            );
        }
        row.extend(solver.within.iter().map(|within| own(within.solved)));
        let (nodes, seconds) = (solver.penalised_nodes, solver.penalised_seconds);
        row.extend(
            [
                nodes.map(|it| it.par2),
                nodes.map(|it| it.par10),
                seconds.map(|it| it.par2),
                seconds.map(|it| it.par10),
            ]
            .map(own_or_empty),
        );
        text += &line(&row);
    }
    text
}

/// The moments of all searches: a row each.
pub fn trajectories_csv(task: &Task<'_>, cells: &Cells, names: &[(String, bool)]) -> String {
    let mut text = String::from("solver,problem,verdict,visited,depth,value,pn,dn\n");
    for (index, (name, _)) in names.iter().enumerate() {
        for (number, case) in task.cases.iter().enumerate() {
            let Some(cell) = cells.cell(index, number) else {
                continue;
            };
            for step in &cell.steps {
                let mut row = vec![
                    words(name),
                    words(&case.problem.id),
                    own(cell.answer.verdict.name()),
                ];
                row.extend(match *step {
                    Event::Iteration {
                        depth,
                        value,
                        visited,
                    } => [own(visited), own(depth), own(value), own(""), own("")],
                    Event::Numbers { visited, pn, dn } => {
                        [own(visited), own(""), own(""), own(pn), own(dn)]
                    }
                });
                text += &line(&row);
            }
        }
    }
    text
}
