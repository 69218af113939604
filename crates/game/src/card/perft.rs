//! Leaves of the tree of legal moves, counted on several threads.

use std::num::NonZeroUsize;

use rayon::prelude::*;

use super::AnyPosition;
use crate::Move;
use leitai_base::threads::pool;

/// The leaves below each legal move of a position, at `depth` plies including that move: see
/// [`AnyPosition::perft`]. Empty for a depth of 0.
pub fn divide(
    position: &dyn AnyPosition,
    depth: u32,
    full: bool,
    threads: NonZeroUsize,
) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let moves = position.moves();
    let leaves = |&mv: &Move| {
        let mut child = position.boxed();
        child.play(mv);
        (mv, child.perft(below, full))
    };
    // One move at a time: the numbers of leaves differ greatly between moves.
    let leaves = moves.par_iter().with_max_len(1).map(leaves);
    pool(threads).install(|| leaves.collect())
}
