//! What the cells say: means, ratios and quality by variant and depth.

use serde::Serialize;

use super::compare::{Comparison, compare};
use super::games::GameFigures;
use super::{Cells, Iteration, Task};
use crate::player::Playable;
use crate::search::Counters;

/// All figures of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Name of the game.
    pub game: &'static str,
    /// Positions in the suite.
    pub positions: usize,
    /// Mean number of legal moves of these positions.
    pub mean_moves: f64,
    /// The last iteration, in plies.
    pub depth: u32,
    /// A position was given up beyond so many nodes.
    pub node_limit: Option<u64>,
    /// Seed and number of the resamples behind all intervals.
    pub seed: u64,
    /// Resamples of each interval.
    pub resamples: u32,
    /// By depth, the leaves that no order of moves can spare: see
    /// [`knuth_moore`].
    pub minimum_leaves: Vec<f64>,
    /// The variants, in the order of the config.
    pub variants: Vec<VariantFigures>,
    /// The same variants in games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameFigures>,
}

/// The figures of one variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantFigures {
    /// Its name.
    pub name: String,
    /// By depth, from 1 on.
    pub depths: Vec<DepthFigures>,
}

/// The figures of one variant at one depth, over the positions that every
/// variant finished.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DepthFigures {
    /// The depth, in plies.
    pub depth: u32,
    /// Positions that count: every variant reached this depth there.
    pub positions: usize,
    /// Positions on which this variant was given up before.
    pub given_up: usize,
    /// Nodes of the iteration.
    pub nodes: Spending,
    /// Nodes of this and all iterations before.
    pub total_nodes: Spending,
    /// Seconds of the iteration; absent where times are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Spending>,
    /// Seconds of this and all iterations before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_seconds: Option<Spending>,
    /// What differs from the first variant.
    pub differs: Difference,
    /// How well the search cut off.
    pub quality: Quality,
    /// Effective branching factor: geometric mean over positions of the
    /// iteration's nodes over those of the iteration before; `None` at depth 1.
    pub branching: Option<f64>,
    /// The other customary one: geometric mean of the d-th root of the
    /// iteration's nodes.
    pub nodes_root: Option<f64>,
}

/// How much a variant spends on a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spending {
    /// Arithmetic mean; `None` without positions, as all here.
    pub mean: Option<f64>,
    /// Geometric mean.
    pub geometric_mean: Option<f64>,
    /// Against the first variant; `None` for itself.
    pub versus_first: Option<Comparison>,
}

/// On how many positions a variant finds something else than the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Positions with another score: 0 where variants differ in nothing but the
    /// order of moves.
    pub scores: usize,
    /// Positions with another best move.
    pub moves: usize,
}

/// How well a search cut off, over all positions together. `None` where
/// nothing of the kind was counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// Of the cut-offs, the share by the first move.
    pub first_move: Option<f64>,
    /// Mean number of the move that cut off; 1 is the first.
    pub cutoff_number: Option<f64>,
    /// Of the look-ups in the table, the share that it knew.
    pub table_hits: Option<f64>,
    /// Of the look-ups, the share that decided the position.
    pub table_cutoffs: Option<f64>,
    /// Of the nodes, the share of the quiescence search.
    pub quiescence: Option<f64>,
}

/// The leaves of a uniform tree of `branching` moves per position that
/// alpha-beta visits with the best order of moves: b^⌈d/2⌉ + b^⌊d/2⌋ - 1 (Knuth
/// and Moore, Artificial Intelligence 6, 1975).
pub(super) fn knuth_moore(branching: f64, depth: u32) -> f64 {
    branching.powi(depth.div_ceil(2) as i32) + branching.powi((depth / 2) as i32) - 1.0
}

impl Figures {
    /// The figures of `cells`, with the seed and number of the resamples;
    /// `times` says whether to report times.
    pub fn new<P: Playable>(
        task: &Task<'_, P>,
        cells: &Cells,
        (seed, resamples): (u64, u32),
        times: bool,
    ) -> Self {
        let openings = &task.suite.openings;
        let moves = openings
            .iter()
            .map(|opening| opening.position.count_legal_moves() as f64);
        let mean_moves = moves.sum::<f64>() / openings.len() as f64;
        let fold = Fold {
            cells,
            seed,
            resamples,
            times,
            positions: openings.len(),
        };
        let figures = |(index, variant): (usize, &crate::config::Variant)| VariantFigures {
            name: variant.name.clone(),
            depths: (1..=task.depth)
                .map(|depth| fold.at(index, depth))
                .collect(),
        };
        Self {
            game: P::NAME,
            positions: openings.len(),
            mean_moves,
            depth: task.depth,
            node_limit: task.nodes,
            seed,
            resamples,
            minimum_leaves: (1..=task.depth)
                .map(|depth| knuth_moore(mean_moves, depth))
                .collect(),
            variants: task.variants.iter().enumerate().map(figures).collect(),
            games: Vec::new(),
        }
    }
}

/// What the figures are folded from.
struct Fold<'a> {
    cells: &'a Cells,
    seed: u64,
    resamples: u32,
    times: bool,
    positions: usize,
}

impl Fold<'_> {
    fn at(&self, variant: usize, depth: u32) -> DepthFigures {
        let used = self.cells.finished(depth);
        let own: Vec<&Iteration> = self.iterations(variant, depth, &used);
        let first: Vec<&Iteration> = self.iterations(0, depth, &used);
        let reached = (0..self.positions)
            .filter(|&position| self.cells.cell(variant, position).len() >= depth as usize);
        let spending = |of: fn(&Iteration) -> f64| {
            let pairs: Vec<[f64; 2]> = first
                .iter()
                .zip(&own)
                .map(|(first, own)| [of(first), of(own)])
                .collect();
            self.spending(variant, &pairs)
        };
        let timed = |of: fn(&Iteration) -> f64| self.times.then(|| spending(of));
        let before = self.iterations(variant, depth - 1, &used);
        let growth = own
            .iter()
            .zip(&before)
            .map(|(own, before)| own.nodes as f64 / before.nodes as f64);
        let root = f64::from(depth).recip();
        DepthFigures {
            depth,
            positions: used.len(),
            given_up: self.positions - reached.count(),
            nodes: spending(|iteration| iteration.nodes as f64),
            total_nodes: spending(|iteration| iteration.total_nodes as f64),
            seconds: timed(|iteration| iteration.time.as_secs_f64()),
            total_seconds: timed(|iteration| iteration.total_time.as_secs_f64()),
            differs: difference(&first, &own),
            quality: quality(&own),
            branching: geometric_mean(growth),
            nodes_root: geometric_mean(own.iter().map(|own| (own.nodes as f64).powf(root))),
        }
    }

    /// The iterations to `depth` on these positions; none at depth 0.
    fn iterations(&self, variant: usize, depth: u32, used: &[usize]) -> Vec<&Iteration> {
        used.iter()
            .filter_map(|&position| {
                self.cells
                    .cell(variant, position)
                    .get(depth.checked_sub(1)? as usize)
            })
            .collect()
    }

    fn spending(&self, variant: usize, pairs: &[[f64; 2]]) -> Spending {
        let own = pairs.iter().map(|[_, own]| *own);
        Spending {
            mean: (!pairs.is_empty()).then(|| own.clone().sum::<f64>() / pairs.len() as f64),
            geometric_mean: geometric_mean(own),
            versus_first: (variant > 0).then(|| compare(pairs, self.seed, self.resamples)),
        }
    }
}

/// `None` without values, or with one that is not above 0.
fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| {
        (sum + value.ln(), count + 1)
    });
    let mean = (sum / f64::from(count)).exp();
    (mean.is_finite() && mean > 0.0).then_some(mean)
}

fn difference(first: &[&Iteration], own: &[&Iteration]) -> Difference {
    let pairs = || first.iter().zip(own);
    Difference {
        scores: pairs().filter(|(a, b)| a.score != b.score).count(),
        moves: pairs().filter(|(a, b)| a.best != b.best).count(),
    }
}

fn quality(own: &[&Iteration]) -> Quality {
    let nodes: u64 = own.iter().map(|iteration| iteration.nodes).sum();
    let sum = |of: fn(&Counters) -> u64| -> u64 {
        own.iter().map(|iteration| of(&iteration.counters)).sum()
    };
    let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    let cutoffs = sum(|counters| counters.cutoffs);
    let probes = sum(|counters| counters.table_probes);
    Quality {
        first_move: share(sum(|counters| counters.first_move_cutoffs), cutoffs),
        cutoff_number: share(sum(|counters| counters.cutoff_numbers), cutoffs),
        table_hits: share(sum(|counters| counters.table_hits), probes),
        table_cutoffs: share(sum(|counters| counters.table_cutoffs), probes),
        quiescence: share(sum(|counters| counters.quiescence_nodes), nodes),
    }
}
