//! The figures of a study of solvers as tables of cells.

use super::number::{count, limit, time};
use super::pair_tables;
use crate::games::go::study::{Effort, Figures, SolverFigures};
use crate::report::study::layout::{Table, header};
use crate::report::study::number::interval;

/// All tables.
pub(super) fn tables(figures: &Figures) -> Vec<Table> {
    let mut tables = vec![solved(figures)];
    if figures.solvers.len() > 1 {
        tables.push(common(figures));
    }
    tables.extend(within(figures));
    tables.extend(penalised(figures));
    tables.extend(pair_tables::tables(figures));
    tables.extend(disputed(figures));
    tables.extend(predictions(figures));
    tables
}

/// Table 1 of the paper, with a column for what is wrong.
fn solved(figures: &Figures) -> Table {
    let mut rows = vec![header(&["solver", "wrong", "solved", "unsolved"])];
    rows[0].extend(effort_header(figures));
    for solver in &figures.solvers {
        let mut row = vec![
            solver.name.clone(),
            solver.wrong.to_string(),
            solver.solved.to_string(),
            solver.unsolved.to_string(),
        ];
        row.extend(effort(figures, &solver.own));
        rows.push(row);
    }
    Table {
        title: "Solved, and the mean cost of what each solver solved itself".to_owned(),
        rows,
        words: 1,
    }
}

/// The same where means are about the same problems.
fn common(figures: &Figures) -> Table {
    let mut rows = vec![header(&["solver"])];
    rows[0].extend(effort_header(figures));
    for solver in &figures.solvers {
        let mut row = vec![solver.name.clone()];
        row.extend(effort(figures, &solver.common));
        rows.push(row);
    }
    Table {
        title: format!(
            "Mean cost of the {} problems that all solved",
            figures.common
        ),
        rows,
        words: 1,
    }
}

fn has_times(figures: &Figures) -> bool {
    figures
        .solvers
        .iter()
        .any(|solver| solver.seconds.is_some())
}

fn effort_header(figures: &Figures) -> Vec<String> {
    let timed = has_times(figures);
    let names: &[&str] = if timed { &["ms", "CPU ms"] } else { &[] };
    header(&[names, &["nodes", "expanded", "generated", "depth"]].concat())
}

fn effort(figures: &Figures, effort: &Effort) -> Vec<String> {
    let mut row = Vec::new();
    if has_times(figures) {
        row.extend([effort.seconds, effort.cpu_seconds].map(time));
    }
    row.extend(
        [
            effort.visited,
            effort.expanded,
            effort.generated,
            effort.depth,
        ]
        .map(count),
    );
    row
}

fn within(figures: &Figures) -> Option<Table> {
    let limits = &figures.solvers.first()?.within;
    if limits.is_empty() {
        return None;
    }
    let mut rows = vec![header(&["solver"])];
    rows[0].extend(limits.iter().map(|within| limit(within.seconds)));
    rows[0].extend(header(&["median ms", "95 % ms", "longest ms"]));
    for solver in &figures.solvers {
        let mut row = vec![solver.name.clone()];
        row.extend(solver.within.iter().map(|within| within.solved.to_string()));
        let times = solver.seconds;
        row.extend([
            time(times.map(|times| times.median)),
            time(times.map(|times| times.p95)),
            time(times.map(|times| times.most)),
        ]);
        rows.push(row);
    }
    Some(Table {
        title: "Problems solved within a time; times of all problems, solved or not".to_owned(),
        rows,
        words: 1,
    })
}

fn penalised(figures: &Figures) -> Option<Table> {
    let any = |of: fn(&SolverFigures) -> bool| figures.solvers.iter().any(of);
    let nodes = any(|solver| solver.penalised_nodes.is_some());
    let seconds = any(|solver| solver.penalised_seconds.is_some());
    if !nodes && !seconds {
        return None;
    }
    let mut rows = vec![header(&["solver"])];
    if nodes {
        rows[0].extend(header(&["PAR2 nodes", "PAR10 nodes"]));
    }
    if seconds {
        rows[0].extend(header(&["PAR2 ms", "PAR10 ms"]));
    }
    for solver in &figures.solvers {
        let mut row = vec![solver.name.clone()];
        if nodes {
            let mean = solver.penalised_nodes;
            row.extend([mean.map(|it| it.par2), mean.map(|it| it.par10)].map(count));
        }
        if seconds {
            let mean = solver.penalised_seconds;
            row.extend([mean.map(|it| it.par2), mean.map(|it| it.par10)].map(time));
        }
        rows.push(row);
    }
    Some(Table {
        title: "Mean cost of all problems; one that was not solved, or wrongly, counts 2 or 10 \
                caps"
            .to_owned(),
        rows,
        words: 1,
    })
}

fn disputed(figures: &Figures) -> Option<Table> {
    if figures.disputed.is_empty() {
        return None;
    }
    let mut rows = vec![header(&["problem", "expected"])];
    rows[0].extend(figures.solvers.iter().map(|solver| solver.name.clone()));
    for dispute in &figures.disputed {
        let mut row = vec![
            dispute.id.clone(),
            dispute
                .expected
                .map_or("-", |verdict| verdict.name())
                .to_owned(),
        ];
        row.extend(
            dispute
                .verdicts
                .iter()
                .map(|verdict| verdict.name().to_owned()),
        );
        rows.push(row);
    }
    Some(Table {
        title: "Problems that were answered wrongly or in different ways".to_owned(),
        words: rows[0].len(),
        rows,
    })
}

fn predictions(figures: &Figures) -> Option<Table> {
    if figures.predictions.is_empty() {
        return None;
    }
    let mut rows = vec![header(&[
        "solver", "feature", "after", "decided", "escapes", "captured", "AUC", "95 %",
    ])];
    for prediction in &figures.predictions {
        let solver = figures.solvers.get(prediction.solver);
        let unit = if prediction.feature.starts_with("value") {
            "plies"
        } else {
            "nodes"
        };
        let area = &prediction.auc.area;
        rows.push(vec![
            solver.map_or_else(String::new, |solver| solver.name.clone()),
            prediction.feature.to_owned(),
            format!(
                "{} {unit}",
                count(Some(prediction.checkpoint as f64)).trim_end_matches(".0")
            ),
            prediction.decided.to_string(),
            prediction.auc.positives.to_string(),
            prediction.auc.negatives.to_string(),
            area.value
                .map_or_else(|| "-".to_owned(), |area| format!("{area:.2}")),
            interval(area, |limit| format!("{limit:.2}")),
        ]);
    }
    Some(Table {
        title: "What an unfinished search foretells of the problems that are undecided then"
            .to_owned(),
        rows,
        words: 2,
    })
}
