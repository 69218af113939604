//! The cells, the figures and the trajectories of a study of solvers as CSV: a
//! header line, then a row each. An absent value is an empty field.

use std::fmt::Write as _;

use crate::game::go::{CaptureVerdict, Play};
use crate::report::csv::field;
use crate::study::solvers::{Cells, Figures, Judgement, Step, Task};

fn or_empty<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

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
            let _ = write!(
                text,
                "{},{},{},{},{},{judgement},{},{},{},{},{}",
                field(name),
                field(&case.problem.id),
                case.cluster,
                or_empty(case.problem.expected.map(CaptureVerdict::name)),
                answer.verdict.name(),
                or_empty(answer.best.map(|best| Play::of(best).name(size))),
                or_empty(answer.visited),
                or_empty(answer.expanded),
                or_empty(answer.generated),
                or_empty(answer.depth),
            );
            if times {
                let cpu = cell.cpu.map(|time| format!("{:.9}", time.as_secs_f64()));
                let _ = write!(text, ",{:.9},{}", cell.wall.as_secs_f64(), or_empty(cpu));
            }
            text.push('\n');
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
        let mut row = vec![field(&solver.name)];
        row.extend(
            [
                solver.wrong,
                solver.solved,
                solver.unsolved,
                solver.unjudged,
                solver.faults,
            ]
            .map(|count| count.to_string()),
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
                .map(or_empty),
            );
        }
        row.extend(solver.within.iter().map(|within| within.solved.to_string()));
        let (nodes, seconds) = (solver.penalised_nodes, solver.penalised_seconds);
        row.extend(
            [
                nodes.map(|it| it.par2),
                nodes.map(|it| it.par10),
                seconds.map(|it| it.par2),
                seconds.map(|it| it.par10),
            ]
            .map(or_empty),
        );
        text += &(row.join(",") + "\n");
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
                let rest = match *step {
                    Step::Value {
                        depth,
                        value,
                        visited,
                    } => format!("{visited},{depth},{value},,"),
                    Step::Numbers { visited, pn, dn } => format!("{visited},,,{pn},{dn}"),
                };
                let (name, id) = (field(name), field(&case.problem.id));
                let _ = writeln!(text, "{name},{id},{},{rest}", cell.answer.verdict.name());
            }
        }
    }
    text
}
