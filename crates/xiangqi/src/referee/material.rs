//! Material with which neither side can win.

use crate::board::Xiangqi;
use crate::kind::Kind;
use leitai_game::{MoveList, Position, Side};

/// Winning chances that the material leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prospect {
    /// A side may still win.
    Open,
    /// The key is absent.
    Dead,
    /// Neither side can win, except by ending the game with the next move.
    DeadButForMate,
}

/// Returns whether the position is a draw by insufficient material.
///
/// That needs a board without pawns, rooks and horses, and one of:
///
/// - no cannon either;
/// - one cannon, whose side has no advisor, against no advisor;
/// - the same against one advisor\*, or against two if the cannon's side has no elephant\*;
/// - a cannon each and no advisor, with or without elephants\*.
///
/// \* Exception: the game continues while the side to move can end it at once. The exception is
/// needed where one advisor faces a cannon that has an elephant on its side, where two advisors
/// face a cannon, and where both sides have a cannon and there is any elephant.
pub(crate) fn is_drawn(position: &Xiangqi) -> bool {
    match prospect(position) {
        Prospect::Open => false,
        Prospect::Dead => true,
        Prospect::DeadButForMate => !can_mate_at_once(position),
    }
}

pub(super) fn prospect(position: &Xiangqi) -> Prospect {
    let kind = |kind: Kind| position.kinds[kind.index()];
    if kind(Kind::Pawn) | kind(Kind::Rook) | kind(Kind::Horse) != 0 {
        return Prospect::Open;
    }
    let count = |side, kind| position.set(side, kind).count_ones();
    let cannons = Side::BOTH.map(|side| count(side, Kind::Cannon));
    let owner = match cannons {
        [0, 0] => return Prospect::Dead,
        [1, 0] => Side::First,
        [0, 1] => Side::Second,
        [1, 1] if kind(Kind::Advisor) | kind(Kind::Elephant) == 0 => return Prospect::Dead,
        [1, 1] if kind(Kind::Advisor) == 0 => return Prospect::DeadButForMate,
        _ => return Prospect::Open,
    };
    if count(owner, Kind::Advisor) > 0 {
        return Prospect::Open;
    }
    let has_elephant = count(owner, Kind::Elephant) > 0;
    match (count(owner.other(), Kind::Advisor), has_elephant) {
        (0, _) | (1, false) => Prospect::Dead,
        (1, true) | (2, false) => Prospect::DeadButForMate,
        _ => Prospect::Open,
    }
}

/// Returns whether some move leaves the opponent without a legal move.
fn can_mate_at_once(position: &Xiangqi) -> bool {
    let mut position = position.clone();
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.into_iter().any(|mv| {
        let undo = position.make_move(mv);
        let is_over = position.count_legal_moves() == 0;
        position.unmake_move(mv, undo);
        is_over
    })
}
