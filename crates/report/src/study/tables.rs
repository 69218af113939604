//! The figures of a study as tables of cells.

use super::layout::{Column, Table};
use super::worth::worth;
use crate::columns::header;
use leitai_base::count::{quoted, with_sign};
use leitai_runs::figures::number::{change, grouped, interval_as, or_dash, percent};
use leitai_runs::study::{
    Comparison, DepthFigures, Figures, GameFigures, GameLimit, Quality, SearchEffort,
    VariantFigures,
};
use leitai_stats::Ranged;

/// The kind of node count in a table or a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeCount {
    /// Nodes of the iteration to a depth alone.
    Iteration,
    /// Nodes of the whole search to a depth, including all earlier iterations.
    Total,
}

impl NodeCount {
    /// Returns the nodes of this kind.
    pub(super) fn nodes(self, figures: &DepthFigures) -> &SearchEffort {
        match self {
            NodeCount::Iteration => &figures.nodes,
            NodeCount::Total => &figures.total_nodes,
        }
    }

    /// Returns the table's title.
    pub(super) fn words(self) -> &'static str {
        match self {
            NodeCount::Iteration => "Nodes of the iteration to each depth",
            NodeCount::Total => "Nodes of the whole search to each depth",
        }
    }
}

pub(super) fn tables(figures: &Figures, count: NodeCount) -> Vec<Table> {
    let mut tables = vec![nodes(figures, count)];
    if figures.variants.len() > 1 {
        tables.push(ratios(figures, count));
    }
    tables.extend(quality(figures));
    let games = figures.games.iter();
    tables.extend(games.map(|games| strengths(figures, games, count)));
    tables.extend(worth(figures, count));
    tables
}

fn nodes(figures: &Figures, count: NodeCount) -> Table {
    let mut rows = vec![header("depth,positions,Knuth-Moore")];
    rows[0].extend(figures.variants.iter().map(|variant| variant.name.clone()));
    for (index, minimum) in figures.minimum_leaves.iter().enumerate() {
        let at = |variant: &VariantFigures| count.nodes(&variant.depths[index]).mean;
        let first = figures.variants.first();
        let positions = first.map_or(0, |v| v.depths[index].positions);
        let depth = (index + 1).to_string();
        let mut row = vec![depth, positions.to_string(), grouped(*minimum)];
        row.extend(figures.variants.iter().map(|v| or_dash(at(v), grouped)));
        rows.push(row);
    }
    Table {
        title: format!("{}, mean per position", count.words()),
        rows,
        words: Vec::new(),
    }
}

fn ratios(figures: &Figures, count: NodeCount) -> Table {
    let columns: [Column<(&str, &DepthFigures, Comparison)>; 9] = [
        ("variant", |(variant, ..)| (*variant).to_owned()),
        ("depth", |(_, at, _)| at.depth.to_string()),
        ("ratio", |(.., it)| or_dash(it.ratio.value, thousandths)),
        ("95 %", |(.., it)| interval_as(&it.ratio, thousandths)),
        ("change", |(.., it)| or_dash(it.ratio.value, change)),
        ("change of the mean", |(.., versus)| {
            or_dash(versus.ratio_of_means.value, change)
        }),
        ("95 %", |(.., it)| interval_as(&it.ratio_of_means, change)),
        ("other scores", |(_, at, _)| at.differs.scores.to_string()),
        ("other moves", |(_, at, _)| at.differs.moves.to_string()),
    ];
    let first = &figures.variants[0].name;
    let title = format!("The same nodes against those of `{first}`, paired over positions");
    let rows = figures.variants.iter().skip(1).flat_map(|variant| {
        let row = |at| Some((&*variant.name, at, count.nodes(at).versus_first?));
        variant.depths.iter().filter_map(row)
    });
    Table::of(title, 1, &columns, rows)
}

fn thousandths(ratio: f64) -> String {
    format!("{ratio:.3}")
}

fn hundredths(number: f64) -> String {
    format!("{number:.2}")
}

/// The index of the last depth that nine tenths of the positions finished, or else of the last
/// depth that any position finished. Positions that need many nodes are given up first, so the rest
/// would not be representative.
pub(super) fn deepest(figures: &Figures) -> Option<usize> {
    let depths = &figures.variants.first()?.depths;
    let by = |enough: &dyn Fn(usize) -> bool| depths.iter().rposition(|at| enough(at.positions));
    by(&|positions| 10 * positions >= 9 * figures.positions.max(1))
        .or_else(|| by(&|positions| positions > 0))
}

fn quality(figures: &Figures) -> Option<Table> {
    let deepest = deepest(figures)?;
    let mut columns: Vec<Column<(&str, &DepthFigures, Quality)>> = vec![
        ("variant", |(variant, ..)| (*variant).to_owned()),
        ("first-move cut-offs", |(.., it)| percent(it.first_move)),
        ("mean cut-off number", |(.., it)| {
            or_dash(it.cutoff_number, hundredths)
        }),
        ("table hits", |(.., it)| percent(it.table_hits)),
        ("table cut-offs", |(.., it)| percent(it.table_cutoffs)),
        ("quiescence", |(.., it)| percent(it.quiescence)),
        ("branching", |(_, at, _)| or_dash(at.branching, hundredths)),
        ("d-th root", |(_, at, _)| or_dash(at.nodes_root, hundredths)),
    ];
    let rows = figures.variants.iter().map(|variant| {
        let at = &variant.depths[deepest];
        (&*variant.name, at, at.quality)
    });
    if rows.clone().all(|(_, at, _)| at.total_seconds.is_some()) {
        columns.push(("ms to here", |(_, at, _)| {
            or_dash(seconds(at), |seconds| format!("{:.1}", 1e3 * seconds))
        }));
        columns.push(("million nodes/s", |(_, at, _)| {
            let rate = at.total_nodes.mean.zip(seconds(at));
            let rate = rate.filter(|(_, seconds)| *seconds > 0.0);
            or_dash(
                rate.map(|(nodes, seconds)| nodes / seconds / 1e6),
                hundredths,
            )
        }));
    }
    let title = format!("How well the iteration to depth {} cut off", deepest + 1);
    Some(Table::of(title, 1, &columns, rows))
}

/// Mean time of the whole search to a depth.
fn seconds(at: &DepthFigures) -> Option<f64> {
    at.total_seconds?.mean
}

fn strengths(figures: &Figures, games: &GameFigures, count: NodeCount) -> Table {
    let depth = deepest(figures).map_or(0, |index| index + 1);
    let mut rows = vec![header("variant,a move,Elo,95 %,W,D,L")];
    rows[0].push(format!("nodes to depth {depth}"));
    for strength in &games.strengths {
        rows.push(vec![
            strength.name.clone(),
            or_dash(strength.nodes, |nodes| grouped(nodes as f64)),
            or_dash(strength.elo.value, |elo| with_sign(elo, 1)),
            interval_as(&strength.elo, |elo| with_sign(elo, 1)),
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
        words: vec![0],
    }
}

/// The ratio of a variant's nodes to those of the first variant at the last depth.
pub(super) fn last_ratio(figures: &Figures, name: &str, count: NodeCount) -> Option<Ranged> {
    let variant = figures.variants.iter().find(|it| it.name == name)?;
    let at = &variant.depths[deepest(figures)?];
    Some(count.nodes(at).versus_first?.ratio)
}

/// Notes on how to read the tables, a paragraph each.
pub(super) fn notes(figures: &Figures, count: NodeCount) -> Vec<String> {
    let mut notes = vec![format!(
        "Node: a move made below the root, in quiescence too. Knuth-Moore: the leaves of a uniform \
         tree of {:.1} moves per position with the best order: compare the growth, not the number.",
        figures.mean_moves
    )];
    if figures.variants.len() > 1 {
        notes.push(format!(
            "ratio: geometric mean over positions; change of the mean: of the arithmetic means. \
             Intervals: 95 %, bootstrap over positions, {} resamples. Other scores: positions whose \
             score differs from the first variant's.",
            figures.resamples
        ));
    }
    if !figures.games.is_empty() {
        let nodes = match count {
            NodeCount::Iteration => "the iteration",
            NodeCount::Total => "the whole search",
        };
        notes.push(format!(
            "Worth: nodes of {nodes} to the last depth that nine tenths of the positions reached. A \
             star: significant together with its whole table (Holm, 5 %); without it, one interval \
             in twenty misses by chance. Compare variants with the first one, not with each other.",
        ));
        let mut terms = figures.games.iter().map(|games| games.terms);
        if terms.any(|it| matches!(it, GameLimit::EqualTime(_))) {
            notes.push(
                "Equal time: nodes by speeds that were measured once, with an error that the \
                 intervals do not know of (one per cent of time is worth one to four Elo)."
                    .to_owned(),
            );
        }
    }
    notes.extend(separate_searches(figures));
    notes.extend(given_up(figures));
    notes
}

/// A note that names the variants whose iterations are separate searches.
fn separate_searches(figures: &Figures) -> Option<String> {
    let separate = figures.variants.iter().filter(|it| !it.deepening);
    let names = quoted(separate.map(|variant| &variant.name));
    (!names.is_empty()).then(|| {
        format!(
            "Each depth is a separate search, without earlier iterations, for {names}: the nodes and \
             times to a depth are those of that one search, in every count, and a limit of nodes \
             holds for each depth by itself.",
        )
    })
}

/// A note about positions that were given up, or have no iteration at a depth.
fn given_up(figures: &Figures) -> Option<String> {
    let mut positions = Vec::new();
    for variant in &figures.variants {
        for at in variant.depths.iter().filter(|at| at.given_up > 0) {
            positions.push(format!(
                "`{}` {} at depth {}",
                variant.name, at.given_up, at.depth
            ));
        }
    }
    let positions = (!positions.is_empty()).then(|| positions.join(", "))?;
    let (cause, bias) = match figures.node_limit {
        None => ("Searched to the end of the game before".to_owned(), ""),
        Some(limit) => (
            format!(
                "Given up beyond {} nodes in one search",
                grouped(limit as f64)
            ),
            ", so that the hardest ones are missing there",
        ),
    };
    Some(format!(
        "{cause}: {positions}. Such a position is left out at that depth for every variant{bias}."
    ))
}
