//! What a study says, as data: the one source of tables, files and plots.

use serde::Serialize;

use super::compare::Comparison;
use super::games::GameFigures;

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
    /// A position was given up when a search needed more nodes.
    pub node_limit: Option<u64>,
    /// Seed and number of the resamples behind all intervals.
    pub seed: u64,
    /// Resamples of each interval.
    pub resamples: u32,
    /// By depth, the leaves that no order of moves can spare in a
    /// uniform tree of `mean_moves` moves per position: b^⌈d/2⌉ + b^⌊d/2⌋ - 1
    /// (Knuth and Moore, Artificial Intelligence 6, 1975).
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
    /// Whether one search goes through all depths; if not, each depth is a
    /// search of its own, with the limit of nodes for itself.
    pub deepening: bool,
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
    /// Positions on which this variant was given up before, or which it had searched
    /// to the end of the game.
    pub given_up: usize,
    /// Nodes of the iteration.
    pub nodes: Spending,
    /// Nodes of the whole search to this depth: of this and all iterations before,
    /// or of the one search to it where each depth is searched afresh.
    pub total_nodes: Spending,
    /// Seconds of the iteration; absent where times are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Spending>,
    /// Seconds of the whole search to this depth.
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
