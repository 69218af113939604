//! The figures of a study of solvers as tables of cells.

use super::number::{count, limit, time};
use super::pair_tables;
use crate::study::{Effort, Figures, Prediction, Quantiles, SolverFigures};
use leitai_go::CaptureVerdict;
use leitai_report::header;
use leitai_report::study::layout::{Column, Table};
use leitai_runs::figures::number::{interval_as, or_dash};

/// All tables.
pub(super) fn tables(figures: &Figures) -> Vec<Table> {
    let mut tables = vec![solved(figures), right(figures)];
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

/// Table 1 of the paper, with an extra column for wrong verdicts.
fn solved(figures: &Figures) -> Table {
    let columns: [Column<&SolverFigures>; 4] = [
        ("solver", |solver| solver.name.clone()),
        ("wrong", |solver| solver.wrong.to_string()),
        ("solved", |solver| solver.solved.to_string()),
        ("unsolved", |solver| solver.unsolved.to_string()),
    ];
    let title = "Solved, and each solver's mean cost over its own solved problems";
    let table = Table::of(title, 1, &columns, &figures.solvers);
    with_efforts(table, figures, |solver| &solver.own)
}

/// Judgements of the answers to all problems, including those without an expected verdict.
fn right(figures: &Figures) -> Table {
    let columns: [Column<&SolverFigures>; 8] = [
        ("solver", |solver| solver.name.clone()),
        ("right", |solver| solver.right.to_string()),
        ("wrong", |solver| solver.wrong.to_string()),
        ("no answer", |solver| {
            (solver.unsolved - solver.unjudged_unsolved).to_string()
        }),
        ("truth unknown: answered", |it| it.unjudged.to_string()),
        ("no answer", |solver| solver.unjudged_unsolved.to_string()),
        ("right, %", |solver| {
            or_dash(solver.right_share.value, percent)
        }),
        ("95 %", |solver| interval_as(&solver.right_share, percent)),
    ];
    let title = format!("Answers to all {} problems", figures.problems);
    Table::of(title, 1, &columns, &figures.solvers)
}

/// A share as a percentage.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Mean costs over the problems that all solvers solved.
fn common(figures: &Figures) -> Table {
    let title = format!(
        "Mean cost of the {} problems that all solved",
        figures.common
    );
    let columns: [Column<&SolverFigures>; 1] = [("solver", |solver| solver.name.clone())];
    let table = Table::of(title, 1, &columns, &figures.solvers);
    with_efforts(table, figures, |solver| &solver.common)
}

/// A table of the solvers with their costs.
fn with_efforts(
    mut table: Table,
    figures: &Figures,
    of: impl Fn(&SolverFigures) -> &Effort,
) -> Table {
    let columns: [Column<&Effort>; 6] = [
        ("ms", |effort| time(effort.seconds)),
        ("CPU ms", |effort| time(effort.cpu_seconds)),
        ("nodes", |effort| count(effort.visited)),
        ("expanded", |effort| count(effort.expanded)),
        ("generated", |effort| count(effort.generated)),
        ("depth", |effort| count(effort.depth)),
    ];
    let has_times = figures.solvers.iter().any(|it| it.seconds.is_some());
    let shown = &columns[if has_times { 0 } else { 2 }..];
    let efforts = Table::of("", 0, shown, figures.solvers.iter().map(of));
    for (row, effort) in table.rows.iter_mut().zip(efforts.rows) {
        row.extend(effort);
    }
    table
}

fn within(figures: &Figures) -> Option<Table> {
    let limits = &figures.solvers.first()?.within;
    limits.first()?;
    let mut rows = vec![header("solver")];
    rows[0].extend(limits.iter().map(|within| limit(within.seconds)));
    rows[0].extend(header("median ms,mean ms,95 % ms,longest ms"));
    for solver in &figures.solvers {
        let mut row = vec![solver.name.clone()];
        row.extend(solver.within.iter().map(|within| within.solved.to_string()));
        let of: [fn(Quantiles) -> f64; 4] =
            [|it| it.median, |it| it.mean, |it| it.p95, |it| it.most];
        row.extend(of.map(|of| time(solver.seconds.map(of))));
        rows.push(row);
    }
    Some(Table {
        title: "Problems solved within a time; times of all problems, solved or not".to_owned(),
        rows,
        words: vec![0],
    })
}

fn penalised(figures: &Figures) -> Option<Table> {
    let any = |of: fn(&SolverFigures) -> bool| figures.solvers.iter().any(of);
    let mut columns: Vec<Column<&SolverFigures>> = vec![("solver", |solver| solver.name.clone())];
    if any(|solver| solver.penalised_nodes.is_some()) {
        columns.extend::<[Column<&SolverFigures>; 2]>([
            ("PAR2 nodes", |it| {
                count(it.penalised_nodes.map(|it| it.par2))
            }),
            ("PAR10 nodes", |it| {
                count(it.penalised_nodes.map(|it| it.par10))
            }),
        ]);
    }
    if any(|solver| solver.penalised_seconds.is_some()) {
        columns.extend::<[Column<&SolverFigures>; 2]>([
            ("PAR2 ms", |it| time(it.penalised_seconds.map(|it| it.par2))),
            ("PAR10 ms", |it| {
                time(it.penalised_seconds.map(|it| it.par10))
            }),
        ]);
    }
    columns.get(1)?;
    let title = "Mean cost over all problems; an unsolved or wrongly answered problem counts 2 \
                 (PAR2) or 10 (PAR10) times the limit";
    Some(Table::of(title, 1, &columns, &figures.solvers))
}

fn disputed(figures: &Figures) -> Option<Table> {
    figures.disputed.first()?;
    let mut rows = vec![header("problem,expected")];
    rows[0].extend(figures.solvers.iter().map(|solver| solver.name.clone()));
    for dispute in &figures.disputed {
        let expected = dispute.expected.map_or("-", CaptureVerdict::name);
        let verdicts = dispute.verdicts.iter().map(|verdict| verdict.name());
        let words = [&*dispute.id, expected].into_iter().chain(verdicts);
        rows.push(words.map(str::to_owned).collect());
    }
    Some(Table {
        title: "Problems that were answered wrongly or in different ways".to_owned(),
        words: (0..rows[0].len()).collect(),
        rows,
    })
}

fn predictions(figures: &Figures) -> Option<Table> {
    figures.predictions.first()?;
    let columns: [Column<(&str, &Prediction)>; 8] = [
        ("solver", |(solver, _)| (*solver).to_owned()),
        ("feature", |(_, it)| it.feature.to_owned()),
        ("after", |(_, it)| after(it)),
        ("decided", |(_, it)| it.decided.to_string()),
        ("escapes", |(_, it)| it.auc.positives.to_string()),
        ("captured", |(_, it)| it.auc.negatives.to_string()),
        ("AUC", |(_, it)| {
            or_dash(it.auc.area.value, |area| format!("{area:.2}"))
        }),
        ("95 %", |(_, it)| {
            interval_as(&it.auc.area, |limit| format!("{limit:.2}"))
        }),
    ];
    let title = "Predictions of unfinished searches";
    let solver = |number: usize| figures.solvers.get(number).map_or("", |it| &it.name);
    let rows = figures.predictions.iter().map(|it| (solver(it.solver), it));
    Some(Table::of(title, 2, &columns, rows))
}

/// The checkpoint of a prediction.
fn after(prediction: &Prediction) -> String {
    let unit = if prediction.feature.starts_with("value") {
        "plies"
    } else {
        "nodes"
    };
    let checkpoint = count(Some(prediction.checkpoint as f64));
    format!("{} {unit}", checkpoint.trim_end_matches(".0"))
}
