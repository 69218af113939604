//! Moves in 16 bits: the target, the origin, and the promotion.

use leitai_game::Move;

use super::piece::Kind;
use super::square::{SQUARES, Square};

const PROMOTION: u16 = 1 << 14;

/// The parts of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// A piece on the board.
    Step {
        from: Square,
        to: Square,
        promotes: bool,
    },
    /// A piece of the hand.
    Drop { kind: Kind, to: Square },
}

/// A move of a piece on the board.
#[inline]
pub(crate) const fn step(from: Square, to: Square, promotes: bool) -> Move {
    let promotion = if promotes { PROMOTION } else { 0 };
    Move(to.index() as u16 | (from.index() as u16) << 7 | promotion)
}

/// A move of a piece of the hand.
#[inline]
pub(crate) const fn drop(kind: Kind, to: Square) -> Move {
    Move(to.index() as u16 | ((SQUARES + kind as usize) as u16) << 7)
}

/// The target of a move; `None` for a number that is no move.
#[inline]
pub(crate) fn target(mv: Move) -> Option<Square> {
    Square::from_index(usize::from(mv.0 & 127))
}

/// The parts of a move; `None` for a number that is no move.
#[inline]
pub(crate) fn unpack(mv: Move) -> Option<Parts> {
    let to = target(mv)?;
    let from = usize::from(mv.0 >> 7 & 127);
    let promotes = mv.0 & PROMOTION != 0;
    if mv.0 >> 15 != 0 {
        return None;
    }
    if let Some(from) = Square::from_index(from) {
        return Some(Parts::Step { from, to, promotes });
    }
    let kind = *Kind::IN_HAND.get(from - SQUARES)?;
    (!promotes).then_some(Parts::Drop { kind, to })
}
