//! Search reports.

use crate::Move;
use crate::eval::Score;

/// The result of a search, or of its iterations so far. A [`MoveChooser`](super::MoveChooser) fills
/// in only the fields that it knows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SearchReport {
    /// The best move; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The value of the position for the side to move, in evaluation units; a mate by
    /// [`mate_plies`](crate::eval::mate_plies) counts from here.
    pub score: Score,
    /// Depth of the last finished iteration, in plies; 0 if none finished.
    pub depth: u32,
    /// Moves made below the root, over all iterations.
    pub nodes: u64,
    /// Other counts, over all iterations.
    pub counters: Counters,
    /// The greatest distance of any line from the root in plies, including quiescence, over all
    /// iterations.
    pub reach: u32,
    /// Fill level of the transposition table with this game's positions, in thousandths, by a
    /// sample of its first thousand entries.
    pub table_permille: u32,
    /// The best line for both sides, starting with `best`. May be shorter than `depth` if the
    /// transposition table decided the rest.
    pub pv: Vec<Move>,
}

/// Counts of cut-offs. Nodes of the quiescence search are counted only in `quiescence_nodes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// Nodes beyond the nominal depth.
    pub quiescence_nodes: u64,
    /// Positions looked up in the transposition table.
    pub table_probes: u64,
    /// Table lookups that found the position.
    pub table_hits: u64,
    /// Table lookups that decided the position without a move.
    pub table_cutoffs: u64,
    /// Positions in which a move cut off.
    pub cutoffs: u64,
    /// Cut-offs by the first move.
    pub first_move_cutoffs: u64,
    /// Sum of the numbers of the moves that cut off, 1 for the first.
    pub cutoff_numbers: u64,
}
