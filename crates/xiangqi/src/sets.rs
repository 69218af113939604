//! Queries of the evaluation about the board: sets of squares (bit [`Square::index`] of a `u128`)
//! and attacks.

use super::attacks;
use super::board::Xiangqi;
use super::kind::Kind;
use super::square::{Square, squares};
use super::tables::BETWEEN;
use leitai_game::Side;

impl Xiangqi {
    /// Squares of the pieces of a side and kind.
    #[inline]
    pub(crate) fn placed(&self, side: Side, kind: Kind) -> u128 {
        self.set(side, kind)
    }

    /// Squares of a side's pieces.
    #[inline]
    pub(crate) fn army(&self, side: Side) -> u128 {
        self.sides[side.index()]
    }

    /// Square of a side's king.
    #[inline]
    pub(crate) fn king(&self, side: Side) -> Square {
        self.kings[side.index()]
    }

    /// Number of pieces of a kind, of both sides together.
    #[inline]
    pub(crate) fn number_of(&self, kind: Kind) -> u32 {
        self.kinds[kind.index()].count_ones()
    }

    /// Squares that a rook on `from` attacks: all up to and including the first piece each way.
    #[inline]
    pub(crate) fn rook_attacks(&self, from: Square) -> u128 {
        attacks::rook(from, self.occupied)
    }

    /// Squares that a cannon on `from` can move to: the empty squares up to the first piece, and
    /// the second piece each way.
    #[inline]
    pub(crate) fn cannon_reach(&self, from: Square) -> u128 {
        attacks::cannon(from, self.occupied)
    }

    /// Squares that a horse on `from` attacks, given its blocked legs.
    #[inline]
    pub(crate) fn horse_attacks(&self, from: Square) -> u128 {
        attacks::horse(from, self.occupied)
    }

    /// Squares that an elephant on `from` attacks, given its blocked eyes.
    #[inline]
    pub(crate) fn elephant_attacks(&self, from: Square) -> u128 {
        attacks::elephant(from, self.occupied)
    }

    /// Squares that an advisor on `from` attacks.
    #[inline]
    pub(crate) fn advisor_attacks(from: Square) -> u128 {
        attacks::advisor(from)
    }

    /// Squares that a king on `from` attacks by its step.
    #[inline]
    pub(crate) fn king_attacks(from: Square) -> u128 {
        attacks::king(from)
    }

    /// Number of pieces strictly between two squares of one rank or file; 0 for other squares.
    #[inline]
    pub(crate) fn pieces_between(&self, one: Square, other: Square) -> u32 {
        (BETWEEN[one.index()][other.index()] & self.occupied.by_rank).count_ones()
    }
}

/// The squares of a set, in ascending order.
#[inline]
pub(crate) fn squares_of(set: u128) -> impl Iterator<Item = Square> {
    squares(set)
}
