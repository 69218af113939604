//! Tables of pairs of solvers on the same problems.

use super::number::{p_value, ratio};
use crate::study::{CostFigures, Figures, PairFigures, SolvedFigures};
use leitai_report::header;
use leitai_report::study::layout::{Column, Table};
use leitai_runs::figures::number::{interval_as, or_dash};

/// Each solver against the first, and all pairs if there are others.
pub(super) fn tables(figures: &Figures) -> Vec<Table> {
    let Some(first) = figures.solvers.first() else {
        return Vec::new();
    };
    let with_first = figures.pairs.iter().filter(|it| it.solvers[0] == 0);
    let with_first: Vec<&PairFigures> = with_first.collect();
    if with_first.is_empty() {
        return Vec::new();
    }
    let name = &first.name;
    let title = format!("Solved problems, against `{name}`");
    let mut tables = vec![who_has(title, &with_first, |pair| &pair.solved)];
    if figures.unknown() > 0 {
        let title = format!(
            "Correct answers to all {} problems, against `{name}`",
            figures.problems
        );
        tables.push(who_has(title, &with_first, |pair| &pair.right));
        tables.push(unjudged(figures));
    }
    tables.extend(costs(name, "Nodes", &with_first, |it| it.nodes.as_ref()));
    tables.extend(costs(name, "Time", &with_first, |it| it.seconds.as_ref()));
    if figures.pairs.len() > with_first.len() {
        tables.push(all_pairs(figures));
    }
    tables
}

/// A table of solved problems, or of right answers.
fn who_has(
    title: String,
    pairs: &[&PairFigures],
    of: impl Fn(&PairFigures) -> &SolvedFigures,
) -> Table {
    let columns: [Column<(&str, &SolvedFigures)>; 8] = [
        ("solver", |(name, _)| (*name).to_owned()),
        ("both", |(_, it)| it.both.to_string()),
        ("only first", |(_, it)| it.only_first.to_string()),
        ("only this", |(_, it)| it.only_second.to_string()),
        ("neither", |(_, it)| it.neither.to_string()),
        ("McNemar p", |(_, it)| p_value(it.mcnemar.p)),
        ("by position", |(_, it)| p_value(it.by_position.test.p)),
        ("Holm", |(_, it)| {
            or_dash(it.by_position.holm_versus_first, p_value)
        }),
    ];
    let rows = pairs.iter().map(|pair| (&*pair.second, of(pair)));
    Table::of(title, 1, &columns, rows)
}

/// A table of verdicts on problems whose right verdict is unknown.
fn unjudged(figures: &Figures) -> Table {
    let columns: [Column<&PairFigures>; 7] = [
        ("A", |pair| pair.first.clone()),
        ("B", |pair| pair.second.clone()),
        ("agree", |pair| pair.unjudged.agree.to_string()),
        ("differ", |pair| pair.unjudged.differ.to_string()),
        ("only A answers", |it| it.unjudged.only_first.to_string()),
        ("only B", |pair| pair.unjudged.only_second.to_string()),
        ("neither", |pair| pair.unjudged.neither.to_string()),
    ];
    let title = format!(
        "Answers to the {} problems whose truth is unknown",
        figures.unknown()
    );
    Table::of(title, 2, &columns, &figures.pairs)
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
        ("95 %", |(_, costs)| interval_as(&costs.ratio, ratio)),
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
        ("95 %", |(_, costs)| interval_as(&costs.par2_ratio, ratio)),
    ];
    let title = format!("{what} of the problems that both solve, against `{first}`");
    let costs = pairs
        .iter()
        .filter_map(|pair| Some((&*pair.second, of(pair)?)));
    Some(Table::of(title, 1, &columns, costs)).filter(|table| table.rows.len() > 1)
}

fn all_pairs(figures: &Figures) -> Table {
    let mut rows = vec![header(
        "A,B,only A,only B,Holm,nodes B/A,95 %,Holm,time B/A,95 %,Holm",
    )];
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
                costs.map_or_else(|| "-".to_owned(), |it| interval_as(&it.ratio, ratio)),
                or_dash(costs.and_then(|it| it.sign.holm), p_value),
            ]);
        }
        rows.push(row);
    }
    Table {
        title: "All pairs: problems solved by only one, cost ratios on problems solved by both, \
                p after Holm over all pairs"
            .to_owned(),
        rows,
        words: vec![0, 1],
    }
}
