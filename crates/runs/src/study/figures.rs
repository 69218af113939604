//! The figures of a study as data: the one source of tables, files and plots.

use serde::Serialize;

use super::compare::Comparison;
use super::games::GameFigures;

/// All figures of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The name of the game.
    pub game: &'static str,
    /// Positions in the suite.
    pub positions: usize,
    /// Mean number of legal moves of these positions.
    pub mean_moves: f64,
    /// The last iteration, in plies.
    pub depth: u32,
    /// The node limit per search; a position that needs more is given up.
    pub node_limit: Option<u64>,
    /// The seed of the resamples behind all intervals.
    pub seed: u64,
    /// The number of resamples of each interval.
    pub resamples: u32,
    /// By depth, the minimum number of leaves with the best order of moves in a uniform tree of
    /// `mean_moves` moves per position: b^⌈d/2⌉ + b^⌊d/2⌋ - 1 (Knuth and Moore, Artificial
    /// Intelligence 6, 1975).
    pub minimum_leaves: Vec<f64>,
    /// The variants, in the order of the config.
    pub variants: Vec<VariantFigures>,
    /// The results of the variants in games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameFigures>,
}

/// The figures of one variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantFigures {
    /// The variant's name.
    pub name: String,
    /// True if one search goes through all depths; otherwise each depth is a separate search with
    /// its own node limit.
    pub deepening: bool,
    /// The figures by depth, from 1 on.
    pub depths: Vec<DepthFigures>,
}

/// The figures of one variant at one depth, over the positions that every
/// variant finished.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DepthFigures {
    /// The depth, in plies.
    pub depth: u32,
    /// The number of positions on which every variant reached this depth.
    pub positions: usize,
    /// Positions on which this variant did not reach this depth: it was given up before, or
    /// searched to the end of the game.
    pub given_up: usize,
    /// Nodes of the iteration.
    pub nodes: SearchEffort,
    /// Nodes of the whole search to this depth: of all iterations so far, or of the separate search
    /// to this depth.
    pub total_nodes: SearchEffort,
    /// Seconds of the iteration; absent if times are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<SearchEffort>,
    /// Seconds of the whole search to this depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_seconds: Option<SearchEffort>,
    /// The differences from the first variant.
    pub differs: Difference,
    /// The quality of the cut-offs.
    pub quality: Quality,
    /// Effective branching factor: geometric mean over positions of the
    /// iteration's nodes over those of the iteration before; `None` at depth 1.
    pub branching: Option<f64>,
    /// The other customary branching factor: geometric mean of the d-th root of the iteration's
    /// nodes.
    pub nodes_root: Option<f64>,
}

/// The effort of a variant per position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SearchEffort {
    /// Arithmetic mean; like all values here, `None` without positions.
    pub mean: Option<f64>,
    /// Geometric mean.
    pub geometric_mean: Option<f64>,
    /// The ratio to the first variant; `None` for the first itself.
    pub versus_first: Option<Comparison>,
}

/// The number of positions on which a variant finds another result than the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Positions with another score: 0 if the variants differ only in the order of moves.
    pub scores: usize,
    /// Positions with another best move.
    pub moves: usize,
}

/// The quality of cut-offs over all positions together. `None` where nothing was counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// The share of cut-offs by the first move.
    pub first_move: Option<f64>,
    /// The mean number of the move that cut off; 1 is the first.
    pub cutoff_number: Option<f64>,
    /// The share of table look-ups that found an entry.
    pub table_hits: Option<f64>,
    /// The share of table look-ups that decided the position.
    pub table_cutoffs: Option<f64>,
    /// The share of nodes in the quiescence search.
    pub quiescence: Option<f64>,
}
