//! What a search found.

use crate::eval::Score;
use crate::game::Move;

/// The outcome of a search, or of its iterations so far.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What both sides should play, beginning with `best`. May be shorter than
    /// `depth` where the transposition table knew the rest.
    pub pv: Vec<Move>,
}
