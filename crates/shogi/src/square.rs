//! Squares and sets of squares.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use leitai_game::Side;

/// Number of squares.
pub(crate) const SQUARES: usize = 81;

/// A square: `9 * file + rank`, from 1a on Black's upper right. Files are numbered to the left,
/// ranks down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square of a file and a rank, each from 0.
    ///
    /// # Panics
    /// One of them is above 8.
    pub fn new(file: usize, rank: usize) -> Self {
        assert!(file < 9 && rank < 9, "file {file} and rank {rank}");
        Self((9 * file + rank) as u8)
    }

    /// The square with this index; `None` from 81 on.
    pub fn from_index(index: usize) -> Option<Self> {
        (index < SQUARES).then_some(Self(index as u8))
    }

    /// The square with an index below 81.
    #[inline]
    pub(crate) const fn at(index: usize) -> Self {
        debug_assert!(index < SQUARES);
        Self(index as u8)
    }

    /// All squares.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES).map(Self::at)
    }

    /// Its index, from 0 to 80.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file, from 0 on Black's right.
    #[inline]
    pub const fn file(self) -> usize {
        self.0 as usize / 9
    }

    /// Its rank, from 0 at the top.
    #[inline]
    pub const fn rank(self) -> usize {
        self.0 as usize % 9
    }

    /// The square as seen from a side: the same for Black, turned by 180 degrees for White.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, side: Side) -> Self {
        match side {
            Side::First => self,
            Side::Second => Self(80 - self.0),
        }
    }

    /// The mirror image on the board's middle file.
    #[inline]
    pub(crate) const fn mirrored(self) -> Self {
        Self((8 - self.0 / 9) * 9 + self.0 % 9)
    }

    /// Its set.
    #[inline]
    pub(crate) const fn bit(self) -> Squares {
        Squares(1 << self.0)
    }
}

/// A set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Squares(pub(crate) u128);

impl Squares {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self((1 << SQUARES) - 1);

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) const fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[inline]
    pub(crate) const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square(self.0.trailing_zeros() as u8))
        }
    }

    /// Without one of its squares, returns whether there is another.
    #[inline]
    pub(crate) const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// One step forward for a side. Squares of its last rank must not be in the set.
    #[inline]
    pub(crate) const fn forward(self, side: Side) -> Self {
        match side {
            Side::First => Self(self.0 >> 1),
            Side::Second => Self(self.0 << 1),
        }
    }

    /// The last `count` ranks of a side, at most three.
    #[inline]
    pub(crate) fn last_ranks(side: Side, count: usize) -> Self {
        LAST_RANKS[side as usize][count]
    }

    /// The files without a square of the set, which has at most one on each file.
    #[inline]
    pub(crate) fn other_files(self) -> Self {
        // A file's last square stays in the difference only if nothing is taken from the file.
        let last = Self::last_ranks(Side::Second, 1).0;
        let free = (last - self.0) & last;
        Self(free | (free - (free >> 8)))
    }
}

static LAST_RANKS: [[Squares; 4]; 2] = last_ranks();

const fn last_ranks() -> [[Squares; 4]; 2] {
    let mut ranks = [[Squares::NONE; 4]; 2];
    let mut count = 1;
    while count < 4 {
        let rows: u128 = (1 << count) - 1;
        let mut file = 0;
        while file < 9 {
            ranks[0][count].0 |= rows << (9 * file);
            ranks[1][count].0 |= rows << (9 * file + 9 - count);
            file += 1;
        }
        count += 1;
    }
    ranks
}

/// The squares of a set in order.
pub(crate) struct SquaresIter(Squares);

impl Iterator for SquaresIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(first)
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = SquaresIter;

    #[inline]
    fn into_iter(self) -> SquaresIter {
        SquaresIter(self)
    }
}

impl BitAnd for Squares {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Squares {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Squares {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl BitAndAssign for Squares {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Squares {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
