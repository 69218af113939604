//! Moves that threaten an immediate escape, and the attacker's answers.
//!
//! Let the attacker be to move, and let `p` be a liberty of the target where a defending stone
//! would take nothing and give it n liberties, n at least the number of an escape, and where every
//! friend that the stone joins has at least two liberties now. A move `x` of the attacker elsewhere
//! takes none of the joined blocks, and so removes at most one of the n liberties: the one at `x`.
//! After it, `p` still escapes unless `x` is `p`, or `x` is one of the n and none is to spare. With
//! several such points the attacker has to meet all of them with one move.

use super::around::Around;
use crate::{Board, Point, PointSet};

/// The threats against an attacker to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Threats {
    /// The points where the defender would escape.
    pub(super) escapes: PointSet,
    /// The only useful points for the attacker; if empty, the target escapes.
    pub(super) answers: PointSet,
}

/// The threats of the block of `target` to get `enough` liberties, attacker to move; `None` if
/// there are none, or `enough` is 0.
pub(super) fn threats(board: &Board, target: Point, enough: u32) -> Option<Threats> {
    let defender = board.at(target)?;
    let now = board.liberty_count(target);
    if enough == 0 || now < 2 {
        return None;
    }
    let own = board.block(target);
    let mut found: Option<Threats> = None;
    for point in board.liberties(target) {
        // A cheap upper bound that excludes most moves.
        let opens = |at: Point| match board.at(at) {
            None => u32::from(board.is_empty(at)),
            Some(colour) if colour != defender || board.block(at) == own => 0,
            Some(_) => board.liberty_count(at) - 1,
        };
        if now - 1 + point.neighbours().into_iter().map(opens).sum::<u32>() < enough {
            continue;
        }
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
