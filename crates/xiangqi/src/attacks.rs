//! The squares that a piece attacks, and the squares from which one is attacked.

use super::board::Xiangqi;
use super::kind::Kind;
use super::square::{Square, squares};
use super::tables::{
    ADVISOR, BETWEEN, CROSS, ELEPHANT, FILE_CANNON, FILE_ROOK, HORSE, HORSE_TO, KING, PALACE,
    PAWN_TO, RANK_CANNON, RANK_ROOK,
};
use leitai_game::Side;

/// The occupied squares, twice: by rank and transposed, so that the nine squares of a rank and the
/// ten of a file are each one shift away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Occupancy {
    pub(super) by_rank: u128,
    by_file: u128,
}

impl Occupancy {
    /// The occupancy of a set of squares.
    pub(super) fn of(set: u128) -> Self {
        let by_file = squares(set).map(Square::transposed_bit).sum();
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

    /// The occupancy after a piece has moved from `from` to `to`, with or without a capture.
    #[inline]
    pub(super) fn after(self, from: Square, to: Square) -> Self {
        Self {
            by_rank: self.by_rank & !from.bit() | to.bit(),
            by_file: self.by_file & !from.transposed_bit() | to.transposed_bit(),
        }
    }

    #[inline]
    fn rank_bits(self, square: Square) -> usize {
        (self.by_rank >> (square.rank() * 9)) as usize & 0x1ff
    }

    #[inline]
    fn file_bits(self, square: Square) -> usize {
        (self.by_file >> (square.file() * 10)) as usize & 0x3ff
    }

    /// The occupied orthogonal neighbours, as an index. Neighbours beyond the edge give bits that
    /// the tables ignore.
    #[inline]
    fn orthogonal(self, square: Square) -> usize {
        let bits = ((self.by_rank << 9) >> square.index()) as usize;
        bits & 1 | bits >> 7 & 2 | bits >> 8 & 4 | bits >> 15 & 8
    }

    /// The occupied diagonal neighbours, as an index.
    #[inline]
    fn diagonal(self, square: Square) -> usize {
        let bits = ((self.by_rank << 10) >> square.index()) as usize;
        bits & 1 | bits >> 1 & 2 | bits >> 16 & 4 | bits >> 17 & 8
    }
}

/// Combines a mask of the square's rank and one of its file.
#[inline]
fn line(square: Square, rank_mask: u16, file_mask: u16) -> u128 {
    (u128::from(rank_mask) << (square.rank() * 9)) | spread(file_mask) << square.file()
}

/// Spreads the ten bits of a file to every ninth bit.
#[inline]
fn spread(file_mask: u16) -> u128 {
    // Five copies eight bits apart hold bit `i` of the mask at bit `9 * i`.
    let half = |five: u16| (u64::from(five) * 0x01_0101_0101) & 0x10_0804_0201;
    u128::from(half(file_mask & 0x1f)) | u128::from(half(file_mask >> 5)) << 45
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

/// The empty squares before the first piece in the four directions, and the second piece.
#[inline]
pub(super) fn cannon(square: Square, occupied: Occupancy) -> u128 {
    line(
        square,
        RANK_CANNON[square.file()][occupied.rank_bits(square)],
        FILE_CANNON[square.rank()][occupied.file_bits(square)],
    )
}

/// The second piece in the four directions.
#[inline]
pub(super) fn cannon_capture(square: Square, occupied: Occupancy) -> u128 {
    cannon(square, occupied) & occupied.by_rank
}

/// The targets of a horse on `square`, with blocked legs.
#[inline]
pub(super) fn horse(square: Square, occupied: Occupancy) -> u128 {
    HORSE[square.index()][occupied.orthogonal(square)]
}

/// The squares from which a horse attacks `square`, with blocked legs.
#[inline]
pub(super) fn horse_to(square: Square, occupied: Occupancy) -> u128 {
    HORSE_TO[square.index()][occupied.diagonal(square)]
}

/// The targets of an elephant on `square`; the same set attacks `square`.
#[inline]
pub(super) fn elephant(square: Square, occupied: Occupancy) -> u128 {
    ELEPHANT[square.index()][occupied.diagonal(square)]
}

/// The targets of an advisor on `square`; empty outside of the palaces.
#[inline]
pub(super) fn advisor(square: Square) -> u128 {
    if PALACE & square.bit() == 0 {
        0
    } else {
        ADVISOR[square.index()]
    }
}

/// The targets of a king on `square`; empty outside of the palaces.
#[inline]
pub(super) fn king(square: Square) -> u128 {
    if PALACE & square.bit() == 0 {
        0
    } else {
        KING[square.index()]
    }
}

/// The squares from which a pawn of `side` attacks `square`.
#[inline]
pub(super) fn pawn_to(side: Side, square: Square) -> u128 {
    PAWN_TO[side.index()][square.index()]
}

/// A rook, cannon or king on the rank or file of another square. It attacks that square without a
/// screen, a cannon with one screen.
pub(super) struct Ray {
    pub(super) is_cannon: bool,
    /// All squares between the two.
    pub(super) between: u128,
    /// The occupied squares among them.
    pub(super) screens: u128,
}

impl Xiangqi {
    /// Pieces of `by` that attack `square` on a board with the pieces of `occupied`, except those
    /// on `gone`. Kings attack each other along an open file.
    #[inline]
    pub(super) fn king_attackers(
        &self,
        square: Square,
        by: Side,
        occupied: Occupancy,
        gone: u128,
    ) -> u128 {
        let theirs = self.sides[by.index()] & !gone;
        let rooks = self.kinds[Kind::Rook.index()] | self.kinds[Kind::King.index()];
        // Kings never share a rank, so the rook's rank attack on a king does not matter.
        let mut attackers = rook(square, occupied) & rooks;
        attackers |= cannon_capture(square, occupied) & self.kinds[Kind::Cannon.index()];
        attackers |= horse_to(square, occupied) & self.kinds[Kind::Horse.index()];
        attackers |= pawn_to(by, square) & self.kinds[Kind::Pawn.index()];
        attackers & theirs
    }

    /// Returns whether `by` would attack a king of the other side on `square`.
    #[inline]
    pub(super) fn is_attacked(&self, square: Square, by: Side) -> bool {
        self.attacks_king(square, by, self.sides[by.index()], self.occupied)
    }

    /// Returns whether the pieces `theirs` of `by` attack a king on `square` on a board with the
    /// pieces of `occupied`. The same as [`king_attackers`](Xiangqi::king_attackers), but faster
    /// because it tests few rays.
    #[inline]
    pub(super) fn attacks_king(
        &self,
        square: Square,
        by: Side,
        theirs: u128,
        occupied: Occupancy,
    ) -> bool {
        let horses = horse_to(square, occupied) & self.kinds[Kind::Horse.index()];
        let pawns = pawn_to(by, square) & self.kinds[Kind::Pawn.index()];
        (horses | pawns) & theirs != 0
            || self
                .rays_to(square, theirs, occupied)
                .any(|ray| ray.screens.count_ones() == u32::from(ray.is_cannon))
    }

    /// The rays from pieces of `theirs` to a king on `square`, with any number of pieces between.
    #[inline]
    pub(super) fn rays_to(
        &self,
        square: Square,
        theirs: u128,
        occupied: Occupancy,
    ) -> impl Iterator<Item = Ray> {
        let cannons = self.kinds[Kind::Cannon.index()];
        let rooks = self.kinds[Kind::Rook.index()] | self.kinds[Kind::King.index()];
        squares((cannons | rooks) & theirs & CROSS[square.index()]).map(move |slider| {
            let between = BETWEEN[square.index()][slider.index()];
            Ray {
                is_cannon: cannons & slider.bit() != 0,
                between,
                screens: between & occupied.by_rank,
            }
        })
    }
}
