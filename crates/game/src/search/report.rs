//! What a search found.

use crate::Move;
use crate::eval::Score;

/// The outcome of a search, or of its iterations so far; of a
/// [`MoveChooser`](super::MoveChooser), what it knows of that.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SearchReport {
    /// The best move; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// What the position is worth to the side to move, in evaluation units; a
    /// mate by [`mate_plies`](crate::eval::mate_plies) counts from here.
    pub score: Score,
    /// The last iteration that was finished, in plies; 0 if none was.
    pub depth: u32,
    /// Moves made below the root, in all iterations together.
    pub nodes: u64,
    /// What else was counted, in all iterations together.
    pub counters: Counters,
    /// The most plies from the root that any line went, quiescence included, in
    /// all iterations together.
    pub reach: u32,
    /// How full the transposition table is of this game's positions, in
    /// thousandths, by a sample of its first thousand entries.
    pub table_permille: u32,
    /// What both sides should play, beginning with `best`. May be shorter than
    /// `depth` where the transposition table knew the rest.
    pub pv: Vec<Move>,
}

/// How well a search cut off. Nodes of the quiescence search are counted in
/// `quiescence_nodes` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// Of all nodes, the moves made beyond the nominal depth.
    pub quiescence_nodes: u64,
    /// Positions looked up in the transposition table.
    pub table_probes: u64,
    /// Of those, the positions that it knew.
    pub table_hits: u64,
    /// Of those, the positions that it decided, so that no move was made.
    pub table_cutoffs: u64,
    /// Positions in which a move cut off.
    pub cutoffs: u64,
    /// Of those, the ones in which the first move did.
    pub first_move_cutoffs: u64,
    /// Sum over the cut-offs of the number of the move that cut off, 1 for the
    /// first.
    pub cutoff_numbers: u64,
}
