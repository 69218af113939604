//! Moves by which the defender threatens to escape at once, and what the attacker can do
//! about them.
//!
//! Let the attacker be to move, and let `p` be a liberty of the target where a stone of the
//! defender would take nothing and give it n liberties, n at least as many as are an escape,
//! where every friend that it joins has at least two liberties now. A move `x` of the
//! attacker elsewhere takes none of the blocks that are joined, and so takes at most one of
//! the n liberties: the one at `x`. After it, `p` still escapes unless `x` is `p`, or `x` is
//! one of the n and there is not one to spare. With several such points the attacker has to
//! meet all of them by one move.

use super::around::Around;
use super::params::CaptureParams;
use crate::games::go::{Board, Point, PointSet};

/// The threats against an attacker who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Threats {
    /// Where the defender would escape.
    pub(super) escapes: PointSet,
    /// The only points that the attacker may play on; if there is none the target escapes.
    pub(super) answers: PointSet,
}

/// The threats of the block of `target`, the attacker being to move; `None` if there are
/// none.
pub(super) fn threats(board: &Board, target: Point, params: &CaptureParams) -> Option<Threats> {
    let enough = params.escape_liberties;
    let defender = board.at(target)?;
    if enough == 0 || !params.escape_ahead || board.liberty_count(target) < 2 {
        return None;
    }
    let mut found: Option<Threats> = None;
    for point in board.liberties(target) {
        let around = Around::of(board, point);
        let count = around.liberties(board, defender, enough + 1);
        if count < enough || around.takes(board, defender) {
            continue;
        }
        let mut friends = around.heads[defender.index()].iter();
        if friends.any(|&head| board.liberty_count(head) == 1) {
            continue;
        }
        let mut answers = PointSet::EMPTY;
        if count == enough {
            answers = around.liberty_set(board, defender);
        }
        answers.insert(point);
        let found = found.get_or_insert(Threats {
            escapes: PointSet::EMPTY,
            answers,
        });
        found.escapes.insert(point);
        found.answers &= answers;
        if found.answers.is_empty() {
            break;
        }
    }
    found
}
