//! Two solvers on the same problems, as tables.

use super::number::{p_value, ratio};
use crate::games::go::study::{CostFigures, Figures, PairFigures};
use crate::report::study::layout::{Column, Table, header};
use crate::report::study::number::{interval, or_dash};

/// Each solver against the first, and all pairs if there are others.
pub(super) fn tables(figures: &Figures) -> Vec<Table> {
    let Some(first) = figures.solvers.first() else {
        return Vec::new();
    };
    let with_first: Vec<&PairFigures> = figures
        .pairs
        .iter()
        .filter(|pair| pair.solvers[0] == 0)
        .collect();
    if with_first.is_empty() {
        return Vec::new();
    }
    let name = &first.name;
    let mut tables = vec![solved(name, &with_first)];
    tables.extend(costs(name, "Nodes", &with_first, |pair| {
        pair.nodes.as_ref()
    }));
    tables.extend(costs(name, "Time", &with_first, |pair| {
        pair.seconds.as_ref()
    }));
    if figures.pairs.len() > with_first.len() {
        tables.push(all_pairs(figures));
    }
    tables
}

fn solved(first: &str, pairs: &[&PairFigures]) -> Table {
    let title = format!("Which problems are solved, against `{first}`");
    let columns: [Column<&PairFigures>; 8] = [
        ("solver", |pair| pair.second.clone()),
        ("both", |pair| pair.solved.both.to_string()),
        ("only first", |pair| pair.solved.only_first.to_string()),
        ("only this", |pair| pair.solved.only_second.to_string()),
        ("neither", |pair| pair.solved.neither.to_string()),
        ("McNemar p", |pair| p_value(pair.solved.mcnemar.p)),
        ("by position", |pair| {
            p_value(pair.solved.by_position.test.p)
        }),
        ("Holm", |pair| {
            or_dash(pair.solved.by_position.holm_versus_first, p_value)
        }),
    ];
    Table::of(title, 1, &columns, pairs.iter().copied())
}

fn costs<'a>(
    first: &str,
    what: &str,
    pairs: &[&'a PairFigures],
    of: impl Fn(&'a PairFigures) -> Option<&'a CostFigures>,
) -> Option<Table> {
    let columns: [Column<(&str, &CostFigures)>; 13] = [
        ("solver", |(solver, _)| (*solver).to_owned()),
        ("both", |(_, costs)| costs.problems.to_string()),
        ("ratio", |(_, costs)| or_dash(costs.ratio.value, ratio)),
        ("95 %", |(_, costs)| interval(&costs.ratio, ratio)),
        ("less", |(_, costs)| costs.less.to_string()),
        ("same", |(_, costs)| costs.equal.to_string()),
        ("more", |(_, costs)| costs.more.to_string()),
        ("sign p", |(_, costs)| p_value(costs.sign.test.p)),
        ("Holm", |(_, costs)| {
            or_dash(costs.sign.holm_versus_first, p_value)
        }),
        ("rank p", |(_, costs)| p_value(costs.signed_rank.test.p)),
        ("Holm", |(_, costs)| {
            or_dash(costs.signed_rank.holm_versus_first, p_value)
        }),
        ("PAR2", |(_, costs)| or_dash(costs.par2_ratio.value, ratio)),
        ("95 %", |(_, costs)| interval(&costs.par2_ratio, ratio)),
    ];
    let title = format!("{what} of the problems that both solve, against `{first}`");
    let costs = pairs
        .iter()
        .filter_map(|pair| Some((&*pair.second, of(pair)?)));
    Some(Table::of(title, 1, &columns, costs)).filter(|table| table.rows.len() > 1)
}

fn all_pairs(figures: &Figures) -> Table {
    let mut rows = vec![header(&[
        "A",
        "B",
        "only A",
        "only B",
        "Holm",
        "nodes B/A",
        "95 %",
        "Holm",
        "time B/A",
        "95 %",
        "Holm",
    ])];
    for pair in &figures.pairs {
        let mut row = vec![
            pair.first.clone(),
            pair.second.clone(),
            pair.solved.only_first.to_string(),
            pair.solved.only_second.to_string(),
            or_dash(pair.solved.by_position.holm, p_value),
        ];
        for costs in [&pair.nodes, &pair.seconds] {
            let costs = costs.as_ref();
            row.extend([
                or_dash(costs.and_then(|it| it.ratio.value), ratio),
                costs.map_or_else(|| "-".to_owned(), |it| interval(&it.ratio, ratio)),
                or_dash(costs.and_then(|it| it.sign.holm), p_value),
            ]);
        }
        rows.push(row);
    }
    Table {
        title: "All pairs: who alone solves what, ratios on what both solve, p after Holm \
                over all pairs"
            .to_owned(),
        rows,
        words: vec![0, 1],
    }
}
