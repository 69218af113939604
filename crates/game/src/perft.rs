//! Perft: counts the leaves of the legal move tree, to check move generators.

use super::{Position, legal_moves};

/// Number of leaves `depth` plies below `position`. Only legality counts: no repetition or
/// move-count rule. A finished game counts as one leaf if the game's published tables count it
/// ([`Position::PERFT_COUNTS_FINISHED`]), otherwise as none.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    position.count_leaves(depth, u64::from(P::PERFT_COUNTS_FINISHED))
}

/// Counts by listing the moves of every position, for any game.
pub(super) fn count_by_lists<P: Position>(position: &mut P, depth: u32, finished: u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return match position.count_legal_moves() as u64 {
            0 => finished,
            count => count,
        };
    }
    let moves = legal_moves(position);
    if moves.is_empty() {
        return finished;
    }
    let mut nodes = 0;
    for mv in moves {
        let undo = position.make(mv);
        nodes += count_by_lists(position, depth - 1, finished);
        position.unmake(mv, undo);
    }
    nodes
}
