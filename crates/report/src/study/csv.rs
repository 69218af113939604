//! CSV of the cells and figures of a study: a header line, then one row per variant, position and
//! depth, or per variant and depth. A missing value is an empty field.

use std::time::Duration;

use crate::csv::{Cell, Column, line, or_empty, own, table, words};
use leitai_config::Variant;
use leitai_game::search::Counters;
use leitai_players::schedule::Opening;
use leitai_runs::study::{Cells, DepthFigures, Figures, Iteration, SearchEffort, Task};

/// An iteration with its task, variant, position and depth.
type Row<'a> = (&'a Task<'a>, &'a Variant, &'a Opening, u32, &'a Iteration);

/// Writes the raw cells: a row per variant, position and depth. Times are included only if `times`
/// is set.
pub fn cells_csv(task: &Task<'_>, cells: &Cells, times: bool) -> String {
    let columns: [Column<Row<'_>>; 16] = [
        ("variant", |(_, variant, ..)| words(&variant.name)),
        ("position", |(_, _, opening, ..)| words(&opening.id())),
        ("depth", |(.., depth, _)| own(depth)),
        ("nodes", |(.., it)| own(it.nodes)),
        ("total_nodes", |(.., it)| own(it.total_nodes)),
        ("score", |(.., it)| own(it.score)),
        ("best_move", |(task, .., it)| {
            or_empty(it.best.map(|mv| task.game.card.move_text(mv)))
        }),
        ("quiescence_nodes", |row| {
            count(row, |it| it.quiescence_nodes)
        }),
        ("table_probes", |row| count(row, |it| it.table_probes)),
        ("table_hits", |row| count(row, |it| it.table_hits)),
        ("table_cutoffs", |row| count(row, |it| it.table_cutoffs)),
        ("cutoffs", |row| count(row, |it| it.cutoffs)),
        ("first_move_cutoffs", |row| {
            count(row, |it| it.first_move_cutoffs)
        }),
        ("cutoff_numbers", |row| count(row, |it| it.cutoff_numbers)),
        ("seconds", |(.., it)| seconds(it.time)),
        ("total_seconds", |(.., it)| seconds(it.total_time)),
    ];
    let shown = if times { &columns } else { &columns[..14] };
    let suite: Vec<_> = task.suite.iter().collect();
    let rows = task
        .variants
        .iter()
        .enumerate()
        .flat_map(|(index, variant)| {
            let openings = suite.iter().enumerate();
            openings.flat_map(move |(position, opening)| {
                let opening: &Opening = opening;
                let iterations = (1..).zip(cells.iterations(index, position));
                iterations.map(move |(depth, it)| (task, variant, opening, depth, it))
            })
        });
    table(shown, rows)
}

fn count((.., it): &Row<'_>, of: fn(&Counters) -> u64) -> Cell {
    own(of(&it.counters))
}

fn seconds(time: Duration) -> Cell {
    own(format_args!("{:.6}", time.as_secs_f64()))
}

/// A column about the nodes or time of a variant.
type Spent = (&'static str, fn(&SearchEffort) -> Option<f64>);

/// Spending of a variant, and its ratio to the first variant.
const SPENDING: [Spent; 8] = [
    ("mean", |it| it.mean),
    ("geometric_mean", |it| it.geometric_mean),
    ("ratio", |it| it.versus_first?.ratio.value),
    ("ratio_low", |it| it.versus_first?.ratio.low),
    ("ratio_high", |it| it.versus_first?.ratio.high),
    ("ratio_of_means", |it| it.versus_first?.ratio_of_means.value),
    ("ratio_of_means_low", |it| {
        it.versus_first?.ratio_of_means.low
    }),
    ("ratio_of_means_high", |it| {
        it.versus_first?.ratio_of_means.high
    }),
];

/// The other columns of a depth.
const QUALITY: [Column<DepthFigures>; 9] = [
    ("other_scores", |at| own(at.differs.scores)),
    ("other_moves", |at| own(at.differs.moves)),
    ("first_move_cutoffs", |at| or_empty(at.quality.first_move)),
    ("cutoff_number", |at| or_empty(at.quality.cutoff_number)),
    ("table_hits", |at| or_empty(at.quality.table_hits)),
    ("table_cutoffs", |at| or_empty(at.quality.table_cutoffs)),
    ("quiescence", |at| or_empty(at.quality.quiescence)),
    ("branching", |at| or_empty(at.branching)),
    ("nodes_root", |at| or_empty(at.nodes_root)),
];

/// Writes the figures: a row per variant and depth. Columns about nodes begin with `nodes_` or
/// `total_nodes_`, columns about time with `seconds_` or `total_seconds_`.
pub fn summary_csv(figures: &Figures) -> String {
    let place: [Column<(&str, &DepthFigures, f64)>; 5] = [
        ("variant", |(variant, ..)| words(variant)),
        ("depth", |(_, at, _)| own(at.depth)),
        ("positions", |(_, at, _)| own(at.positions)),
        ("given_up", |(_, at, _)| own(at.given_up)),
        ("minimum_leaves", |(.., minimum)| own(minimum)),
    ];
    let first = figures.variants.iter().find_map(|it| it.depths.first());
    let timed = first.is_some_and(|at| at.seconds.is_some());
    let mut header: Vec<String> = place.map(|(name, _)| name.to_owned()).into();
    let kinds = ["nodes", "total_nodes", "seconds", "total_seconds"];
    for kind in &kinds[..if timed { 4 } else { 2 }] {
        header.extend(SPENDING.map(|(name, _)| format!("{kind}_{name}")));
    }
    header.extend(QUALITY.map(|(name, _)| name.to_owned()));
    let mut text = header.join(",") + "\n";
    for variant in &figures.variants {
        for (at, &minimum) in variant.depths.iter().zip(&figures.minimum_leaves) {
            let mut row = Vec::from(place.map(|(_, cell)| cell(&(&variant.name, at, minimum))));
            let (nodes, total) = (Some(at.nodes), Some(at.total_nodes));
            for spent in [nodes, total, at.seconds, at.total_seconds]
                .iter()
                .flatten()
            {
                row.extend(SPENDING.map(|(_, number)| or_empty(number(spent))));
            }
            row.extend(QUALITY.map(|(_, cell)| cell(at)));
            text += &line(&row);
        }
    }
    text
}
