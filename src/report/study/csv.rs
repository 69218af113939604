//! The cells and the figures of a study as CSV: a header line, one row per
//! variant, position and depth or per variant and depth. An absent value is an
//! empty field.

use crate::report::csv::{Cell, line, own, own_or_empty, words};
use crate::stats::Ranged;
use crate::study::{Cells, Figures, Spending, Task};

/// The raw cells: a row per variant, position and depth, for every depth that
/// was reached.
pub fn cells_csv(task: &Task<'_>, cells: &Cells, times: bool) -> String {
    let mut text = String::from(
        "variant,position,depth,nodes,total_nodes,score,best_move,quiescence_nodes,table_probes,\
         table_hits,table_cutoffs,cutoffs,first_move_cutoffs,cutoff_numbers",
    );
    text.push_str(if times {
        ",seconds,total_seconds\n"
    } else {
        "\n"
    });
    for (index, variant) in task.variants.iter().enumerate() {
        for (position, opening) in task.suite.openings.iter().enumerate() {
            for (depth, it) in (1..).zip(cells.cell(index, position)) {
                let counters = &it.counters;
                let mut row = vec![
                    words(&variant.name),
                    words(&opening.id),
                    own(depth),
                    own(it.nodes),
                    own(it.total_nodes),
                    own(it.score),
                    own_or_empty(it.best.map(|mv| task.game.card.move_text(mv))),
                    own(counters.quiescence_nodes),
                    own(counters.table_probes),
                    own(counters.table_hits),
                    own(counters.table_cutoffs),
                    own(counters.cutoffs),
                    own(counters.first_move_cutoffs),
                    own(counters.cutoff_numbers),
                ];
                if times {
                    let times = [it.time, it.total_time].map(|time| time.as_secs_f64());
                    row.extend(times.map(|time| own(format_args!("{time:.6}"))));
                }
                text += &line(&row);
            }
        }
    }
    text
}

const SPENDING: [&str; 8] = [
    "mean",
    "geometric_mean",
    "ratio",
    "ratio_low",
    "ratio_high",
    "ratio_of_means",
    "ratio_of_means_low",
    "ratio_of_means_high",
];

/// The figures: a row per variant and depth. Columns about nodes begin with
/// `nodes_` or `total_nodes_`, those about time with `seconds_` or
/// `total_seconds_`.
pub fn summary_csv(figures: &Figures) -> String {
    let timed = figures.variants.iter().flat_map(|variant| &variant.depths);
    let timed = timed.clone().next().is_some_and(|at| at.seconds.is_some());
    let mut header: Vec<String> = [
        "variant",
        "depth",
        "positions",
        "given_up",
        "minimum_leaves",
    ]
    .map(str::to_owned)
    .into();
    let kinds: &[&str] = if timed {
        &["nodes", "total_nodes", "seconds", "total_seconds"]
    } else {
        &["nodes", "total_nodes"]
    };
    for kind in kinds {
        header.extend(SPENDING.map(|name| format!("{kind}_{name}")));
    }
    header.extend(
        [
            "other_scores",
            "other_moves",
            "first_move_cutoffs",
            "cutoff_number",
            "table_hits",
            "table_cutoffs",
            "quiescence",
            "branching",
            "nodes_root",
        ]
        .map(str::to_owned),
    );
    let mut text = header.join(",") + "\n";
    for variant in &figures.variants {
        for (at, minimum) in variant.depths.iter().zip(&figures.minimum_leaves) {
            let mut row = vec![
                words(&variant.name),
                own(at.depth),
                own(at.positions),
                own(at.given_up),
                own(minimum),
            ];
            let spent = [
                Some(at.nodes),
                Some(at.total_nodes),
                at.seconds,
                at.total_seconds,
            ];
            row.extend(spent.iter().flatten().flat_map(spending));
            row.push(own(at.differs.scores));
            row.push(own(at.differs.moves));
            let quality = &at.quality;
            let rest = [
                quality.first_move,
                quality.cutoff_number,
                quality.table_hits,
                quality.table_cutoffs,
                quality.quiescence,
                at.branching,
                at.nodes_root,
            ];
            row.extend(rest.map(own_or_empty));
            text += &line(&row);
        }
    }
    text
}

fn spending(spending: &Spending) -> [Cell; 8] {
    let nothing = Ranged::NOTHING;
    let versus = spending.versus_first;
    let ratio = versus.map_or(nothing, |versus| versus.ratio);
    let means = versus.map_or(nothing, |versus| versus.ratio_of_means);
    [
        spending.mean,
        spending.geometric_mean,
        ratio.value,
        ratio.low,
        ratio.high,
        means.value,
        means.low,
        means.high,
    ]
    .map(own_or_empty)
}
