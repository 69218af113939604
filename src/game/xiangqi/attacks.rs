//! Which squares a piece attacks, and from which squares one is attacked.

use super::square::Square;
use super::tables::{
    ADVISOR, ELEPHANT, FILE_CANNON, FILE_ROOK, HORSE, HORSE_TO, KING, PALACE, PAWN_TO, RANK_CANNON,
    RANK_ROOK, SPREAD,
};
use crate::game::Side;

/// The occupied squares, twice: by rank and transposed, so that the nine
/// squares of a rank and the ten of a file are each one shift away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Occupancy {
    pub(super) by_rank: u128,
    by_file: u128,
}

impl Occupancy {
    /// The occupancy of a set of squares.
    pub(super) fn of(set: u128) -> Self {
        let by_file = super::square::squares(set)
            .map(Square::transposed_bit)
            .sum();
        Self {
            by_rank: set,
            by_file,
        }
    }

    /// Empties or fills `square`.
    #[inline]
    pub(super) fn toggle(&mut self, square: Square) {
        self.by_rank ^= square.bit();
        self.by_file ^= square.transposed_bit();
    }

    /// The occupancy once a piece has gone from `from` to `to`.
    #[inline]
    pub(super) fn after(mut self, from: Square, to: Square) -> Self {
        self.toggle(from);
        if self.by_rank & to.bit() == 0 {
            self.toggle(to);
        }
        self
    }

    #[inline]
    fn rank_bits(self, square: Square) -> usize {
        (self.by_rank >> (square.rank() * 9)) as usize & 0x1ff
    }

    #[inline]
    fn file_bits(self, square: Square) -> usize {
        (self.by_file >> (square.file() * 10)) as usize & 0x3ff
    }

    /// Which of the four orthogonal neighbours are occupied, as an index.
    /// Neighbours beyond the edge give bits that the tables ignore.
    #[inline]
    fn orthogonal(self, square: Square) -> usize {
        let bits = ((self.by_rank << 9) >> square.index()) as usize;
        bits & 1 | bits >> 7 & 2 | bits >> 8 & 4 | bits >> 15 & 8
    }

    /// Which of the four diagonal neighbours are occupied, as an index.
    #[inline]
    fn diagonal(self, square: Square) -> usize {
        let bits = ((self.by_rank << 10) >> square.index()) as usize;
        bits & 1 | bits >> 1 & 2 | bits >> 16 & 4 | bits >> 17 & 8
    }
}

#[inline]
fn line(square: Square, rank_mask: u16, file_mask: u16) -> u128 {
    (u128::from(rank_mask) << (square.rank() * 9))
        | (SPREAD[usize::from(file_mask) & 0x3ff] << square.file())
}

/// Squares up to and including the first piece in the four directions.
#[inline]
pub(super) fn rook(square: Square, occupied: Occupancy) -> u128 {
    line(
        square,
        RANK_ROOK[square.file()][occupied.rank_bits(square)],
        FILE_ROOK[square.rank()][occupied.file_bits(square)],
    )
}

/// The second piece in the four directions.
#[inline]
pub(super) fn cannon_capture(square: Square, occupied: Occupancy) -> u128 {
    line(
        square,
        RANK_CANNON[square.file()][occupied.rank_bits(square)],
        FILE_CANNON[square.rank()][occupied.file_bits(square)],
    )
}

/// Where a horse on `square` can go, its legs considered.
#[inline]
pub(super) fn horse(square: Square, occupied: Occupancy) -> u128 {
    HORSE[square.index()][occupied.orthogonal(square)]
}

/// From where a horse attacks `square`, its legs considered.
#[inline]
pub(super) fn horse_to(square: Square, occupied: Occupancy) -> u128 {
    HORSE_TO[square.index()][occupied.diagonal(square)]
}

/// Where an elephant on `square` can go; the same set attacks `square`.
#[inline]
pub(super) fn elephant(square: Square, occupied: Occupancy) -> u128 {
    ELEPHANT[square.index()][occupied.diagonal(square)]
}

/// Where an advisor on `square` can go; empty outside of the palaces.
#[inline]
pub(super) fn advisor(square: Square) -> u128 {
    if PALACE & square.bit() == 0 {
        0
    } else {
        ADVISOR[square.index()]
    }
}

/// Where a king on `square` can go; empty outside of the palaces.
#[inline]
pub(super) fn king(square: Square) -> u128 {
    if PALACE & square.bit() == 0 {
        0
    } else {
        KING[square.index()]
    }
}

/// From where a pawn of `side` attacks `square`.
#[inline]
pub(super) fn pawn_to(side: Side, square: Square) -> u128 {
    PAWN_TO[side.index()][square.index()]
}
