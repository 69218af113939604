//! Two solvers on the same problems, as tables.

use super::number::{p_value, ratio};
use crate::games::go::study::{CostFigures, Figures, PairFigures};
use crate::report::study::layout::{Table, header};
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
    let mut rows = vec![header(&[
        "solver",
        "both",
        "only first",
        "only this",
        "neither",
        "McNemar p",
        "by position",
        "Holm",
    ])];
    for pair in pairs {
        let solved = &pair.solved;
        rows.push(vec![
            pair.second.clone(),
            solved.both.to_string(),
            solved.only_first.to_string(),
            solved.only_second.to_string(),
            solved.neither.to_string(),
            p_value(solved.mcnemar.p),
            p_value(solved.by_position.test.p),
            or_dash(solved.by_position.holm_versus_first, p_value),
        ]);
    }
    Table {
        title: format!("Which problems are solved, against `{first}`"),
        rows,
        words: 1,
    }
}

fn costs<'a>(
    first: &str,
    what: &str,
    pairs: &[&'a PairFigures],
    of: impl Fn(&'a PairFigures) -> Option<&'a CostFigures>,
) -> Option<Table> {
    let mut rows = vec![header(&[
        "solver", "both", "ratio", "95 %", "less", "same", "more", "sign p", "Holm", "rank p",
        "Holm", "PAR2", "95 %",
    ])];
    for pair in pairs {
        let Some(costs) = of(pair) else { continue };
        rows.push(vec![
            pair.second.clone(),
            costs.problems.to_string(),
            or_dash(costs.ratio.value, ratio),
            interval(&costs.ratio, ratio),
            costs.less.to_string(),
            costs.equal.to_string(),
            costs.more.to_string(),
            p_value(costs.sign.test.p),
            or_dash(costs.sign.holm_versus_first, p_value),
            p_value(costs.signed_rank.test.p),
            or_dash(costs.signed_rank.holm_versus_first, p_value),
            or_dash(costs.par2_ratio.value, ratio),
            interval(&costs.par2_ratio, ratio),
        ]);
    }
    (rows.len() > 1).then(|| Table {
        title: format!("{what} of the problems that both solve, against `{first}`"),
        rows,
        words: 1,
    })
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
        words: 2,
    }
}
