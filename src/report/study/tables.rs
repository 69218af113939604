//! The figures of a study as tables of cells, for whoever lays them out.

use super::layout::{Table, header};
use super::number::{change, grouped, interval, or_dash, percent};
use crate::count::with_sign;
use crate::stats::Ranged;
use crate::study::{DepthFigures, Figures, GameFigures, Spending, VariantFigures};

/// Which nodes a table or a plot is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Those of the iteration to a depth alone.
    Iteration,
    /// Those of the whole search to it: of all iterations up to it, if there are
    /// any.
    Total,
}

impl Count {
    /// The nodes of that kind.
    pub(super) fn nodes(self, figures: &DepthFigures) -> &Spending {
        match self {
            Count::Iteration => &figures.nodes,
            Count::Total => &figures.total_nodes,
        }
    }

    /// What they are called.
    pub(super) fn words(self) -> &'static str {
        match self {
            Count::Iteration => "Nodes of the iteration to each depth",
            Count::Total => "Nodes of the whole search to each depth",
        }
    }
}

/// All tables of a study.
pub(super) fn tables(figures: &Figures, count: Count) -> Vec<Table> {
    let mut tables = vec![nodes(figures, count)];
    if figures.variants.len() > 1 {
        tables.push(ratios(figures, count));
    }
    tables.extend(quality(figures));
    tables.extend(
        figures
            .games
            .iter()
            .map(|games| strengths(figures, games, count)),
    );
    tables
}

fn nodes(figures: &Figures, count: Count) -> Table {
    let mut rows = vec![header(&["depth", "positions", "Knuth-Moore"])];
    rows[0].extend(figures.variants.iter().map(|variant| variant.name.clone()));
    for (index, minimum) in figures.minimum_leaves.iter().enumerate() {
        let at = |variant: &VariantFigures| count.nodes(&variant.depths[index]).mean;
        let positions = figures
            .variants
            .first()
            .map_or(0, |v| v.depths[index].positions);
        let mut row = vec![
            (index + 1).to_string(),
            positions.to_string(),
            grouped(*minimum),
        ];
        row.extend(figures.variants.iter().map(|v| or_dash(at(v), grouped)));
        rows.push(row);
    }
    Table {
        title: format!("{}, mean per position", count.words()),
        rows,
        words: 0,
    }
}

fn ratios(figures: &Figures, count: Count) -> Table {
    let mut rows = vec![header(&[
        "variant",
        "depth",
        "ratio",
        "95 %",
        "change",
        "change of the mean",
        "95 %",
        "other scores",
        "other moves",
    ])];
    for variant in figures.variants.iter().skip(1) {
        for at in &variant.depths {
            let Some(versus) = count.nodes(at).versus_first else {
                continue;
            };
            let of_means = &versus.ratio_of_means;
            rows.push(vec![
                variant.name.clone(),
                at.depth.to_string(),
                or_dash(versus.ratio.value, |x| format!("{x:.3}")),
                interval(&versus.ratio, |x| format!("{x:.3}")),
                or_dash(versus.ratio.value, change),
                or_dash(of_means.value, change),
                interval(of_means, change),
                at.differs.scores.to_string(),
                at.differs.moves.to_string(),
            ]);
        }
    }
    let first = &figures.variants[0].name;
    Table {
        title: format!("The same nodes against those of `{first}`, paired over positions"),
        rows,
        words: 1,
    }
}

/// The index of the last depth that any position finished.
pub(super) fn deepest(figures: &Figures) -> Option<usize> {
    let depths = &figures.variants.first()?.depths;
    depths.iter().rposition(|depth| depth.positions > 0)
}

fn quality(figures: &Figures) -> Option<Table> {
    let deepest = deepest(figures)?;
    let mut rows = vec![header(&[
        "variant",
        "first-move cut-offs",
        "mean cut-off number",
        "table hits",
        "table cut-offs",
        "quiescence",
        "branching",
        "d-th root",
    ])];
    let timed = figures
        .variants
        .iter()
        .all(|v| v.depths[deepest].total_seconds.is_some());
    if timed {
        rows[0].push("ms to here".to_owned());
        rows[0].push("million nodes/s".to_owned());
    }
    for variant in &figures.variants {
        let at = &variant.depths[deepest];
        let quality = &at.quality;
        let mut row = vec![
            variant.name.clone(),
            percent(quality.first_move),
            or_dash(quality.cutoff_number, |x| format!("{x:.2}")),
            percent(quality.table_hits),
            percent(quality.table_cutoffs),
            percent(quality.quiescence),
            or_dash(at.branching, |x| format!("{x:.2}")),
            or_dash(at.nodes_root, |x| format!("{x:.2}")),
        ];
        if let (true, Some(time)) = (timed, at.total_seconds) {
            row.push(or_dash(time.mean, |seconds| {
                format!("{:.1}", 1e3 * seconds)
            }));
            let rate = at.total_nodes.mean.zip(time.mean);
            let rate = rate.filter(|(_, seconds)| *seconds > 0.0);
            let rate = rate.map(|(nodes, seconds)| nodes / seconds / 1e6);
            row.push(or_dash(rate, |rate| format!("{rate:.2}")));
        }
        rows.push(row);
    }
    Some(Table {
        title: format!("How well the iteration to depth {} cut off", deepest + 1),
        rows,
        words: 1,
    })
}

fn strengths(figures: &Figures, games: &GameFigures, count: Count) -> Table {
    let mut rows = vec![header(&["variant", "Elo", "95 %", "W", "D", "L", "nodes"])];
    for strength in &games.strengths {
        rows.push(vec![
            strength.name.clone(),
            or_dash(strength.elo.value, |elo| with_sign(elo, 1)),
            interval(&strength.elo, |elo| with_sign(elo, 1)),
            strength.wins.to_string(),
            strength.draws.to_string(),
            strength.losses.to_string(),
            or_dash(
                last_ratio(figures, &strength.name, count).and_then(|ratio| ratio.value),
                change,
            ),
        ]);
    }
    let first = &figures.variants[0].name;
    let planned = games.pairs * games.strengths.len() as u64;
    let forfeits = if games.time_forfeits > 0 {
        format!(
            "; {} of {} games lost on time, so that the machine was too busy for these numbers",
            games.time_forfeits, games.games
        )
    } else {
        String::new()
    };
    let stopped = if games.pairs_played < planned {
        format!(", stopped after {} of all {planned}", games.pairs_played)
    } else {
        String::new()
    };
    Table {
        title: format!(
            "Strength against `{first}`: {} pairs at {}{stopped}{forfeits}",
            games.pairs, games.terms
        ),
        rows,
        words: 1,
    }
}

/// The ratio of a variant's nodes to the first one's at the last depth.
pub(super) fn last_ratio(figures: &Figures, name: &str, count: Count) -> Option<Ranged> {
    let variant = figures
        .variants
        .iter()
        .find(|variant| variant.name == name)?;
    let at = &variant.depths[deepest(figures)?];
    Some(count.nodes(at).versus_first?.ratio)
}

/// What must be known to read the tables, a paragraph each.
pub(super) fn notes(figures: &Figures) -> Vec<String> {
    let mut notes = vec![format!(
        "A node is a move made below the root, in quiescence too; a position that the table \
         decides counts as the node of the move that led there. Knuth-Moore: the leaves of a \
         uniform tree of {:.1} moves per position with the best order; it has no inner nodes and \
         no quiescence, so that nodes and leaves compare in growth, not in number.",
        figures.mean_moves
    )];
    if figures.variants.len() > 1 {
        notes.push(format!(
            "ratio: geometric mean over positions; change of the mean: of the arithmetic means. \
             Intervals: 95 %, bootstrap over positions, {} resamples. Other scores: positions in \
             which the score is not the first variant's; 0 where only the order of moves differs, \
             unless a table knows some to another depth.",
            figures.resamples
        ));
    }
    notes.extend(afresh(figures));
    notes.extend(given_up(figures));
    notes
}

/// Says for which variants an iteration is a search of its own.
fn afresh(figures: &Figures) -> Option<String> {
    let variants = figures.variants.iter();
    let names: Vec<String> = variants
        .filter(|variant| !variant.deepening)
        .map(|variant| format!("`{}`", variant.name))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "Each depth searched afresh, without the iterations before it, by {}: the nodes and \
             times to a depth are those of that one search, in every count, and a limit of nodes \
             holds for each depth by itself.",
            names.join(", ")
        )
    })
}

/// Says which positions were given up, or have no iteration so deep.
fn given_up(figures: &Figures) -> Option<String> {
    let mut lost = Vec::new();
    for variant in &figures.variants {
        for at in variant.depths.iter().filter(|at| at.given_up > 0) {
            lost.push(format!(
                "`{}` {} at depth {}",
                variant.name, at.given_up, at.depth
            ));
        }
    }
    let lost = (!lost.is_empty()).then(|| lost.join(", "))?;
    let Some(limit) = figures.node_limit else {
        return Some(format!(
            "Searched to the end of the game before: {lost}. Such a position is left out at that \
             depth for every variant."
        ));
    };
    Some(format!(
        "Given up beyond {} nodes in one search: {lost}. Such a position is left out at that depth for every \
             variant, so that the hardest ones are missing there.",
        grouped(limit as f64),
    ))
}
