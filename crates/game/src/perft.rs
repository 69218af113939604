//! Perft: counts the leaves of the legal move tree, to check move generators.

use super::{Move, MoveList, Position};

/// Number of leaves `depth` plies below `position`. Only legality counts: no repetition or
/// move-count rule. A finished game counts as one leaf if the game's published tables count it
/// ([`Position::PERFT_COUNTS_FINISHED`]), otherwise as none.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    count(position, depth, u64::from(P::PERFT_COUNTS_FINISHED))
}

/// Number of leaves without games that are finished before `depth`, for any game.
pub fn perft_of_full_depth<P: Position>(position: &mut P, depth: u32) -> u64 {
    count(position, depth, 0)
}

/// Perft of each legal move, `depth` plies counted from the position; the counts sum to [`perft`]
/// unless the game is over. Depth 0 has no moves.
pub fn divide<P: Position>(position: &mut P, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = MoveList::new();
    if depth > 0 {
        position.legal_moves(&mut moves);
    }
    moves
        .into_iter()
        .map(|mv| {
            let undo = position.make(mv);
            let nodes = perft(position, depth - 1);
            position.unmake(mv, undo);
            (mv, nodes)
        })
        .collect()
}

/// `finished` is the count of a game that ends above the leaves.
fn count<P: Position>(position: &mut P, depth: u32, finished: u64) -> u64 {
    position.count_leaves(depth, finished)
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
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
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
