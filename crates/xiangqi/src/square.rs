//! Squares of the 9 by 10 board, and sets of them.

use std::fmt;

/// A point of the board: `rank * 9 + file`, files a to i as 0 to 8, ranks 0
/// (Red's home) to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 90;

    /// The square with this index, if it is below 90.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 90 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square at `file` (0 to 8) and `rank` (0 to 9), if on the board.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file < 0 || file > 8 || rank < 0 || rank > 9 {
            None
        } else {
            Some(Square((rank * 9 + file) as u8))
        }
    }

    /// The square with this index, which the caller knows to be below 90.
    pub(super) const fn of(index: usize) -> Square {
        debug_assert!(index < 90);
        Square(index as u8)
    }

    /// The index, 0 to 89.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 (a) to 8 (i).
    #[inline]
    pub const fn file(self) -> usize {
        FILE_OF[self.0 as usize] as usize
    }

    /// The rank, 0 (Red's home) to 9 (Black's).
    #[inline]
    pub const fn rank(self) -> usize {
        RANK_OF[self.0 as usize] as usize
    }

    /// The set that contains only this square.
    #[inline]
    pub const fn bit(self) -> u128 {
        1 << self.0
    }

    /// The set of this square on the transposed board, indexed by `file * 10 + rank`.
    #[inline]
    pub(super) fn transposed_bit(self) -> u128 {
        TRANSPOSED[self.0 as usize]
    }

    /// The square mirrored left-right: same rank, opposite file.
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square::of(self.rank() * 9 + 8 - self.file())
    }

    /// The square rotated by 180 degrees, as the other side sees it.
    #[must_use]
    pub const fn rotated(self) -> Square {
        Square(89 - self.0)
    }

    /// Parses `a0` to `i9`, in either case.
    pub fn parse(text: &str) -> Option<Square> {
        let &[file, rank] = text.as_bytes() else {
            return None;
        };
        if !rank.is_ascii_digit() {
            return None;
        }
        Square::at(
            i32::from(file.to_ascii_lowercase()) - i32::from(b'a'),
            i32::from(rank) - i32::from(b'0'),
        )
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank())
    }
}

const FILE_OF: [u8; 90] = coordinates(false);
const RANK_OF: [u8; 90] = coordinates(true);

const fn coordinates(rank: bool) -> [u8; 90] {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        table[square] = if rank { square / 9 } else { square % 9 } as u8;
        square += 1;
    }
    table
}

static TRANSPOSED: [u128; 90] = {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        table[square] = 1 << (square % 9 * 10 + square / 9);
        square += 1;
    }
    table
};

/// An iterator over the squares of a set, in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    low: u64,
    high: u64,
}

#[inline]
pub(super) const fn squares(set: u128) -> Squares {
    Squares {
        low: set as u64,
        high: (set >> 64) as u64,
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let index = self.low.trailing_zeros();
            self.low &= self.low - 1;
            Some(Square(index as u8))
        } else if self.high != 0 {
            let index = 64 + self.high.trailing_zeros();
            self.high &= self.high - 1;
            Some(Square(index as u8))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_from_its_name() {
        for index in 0..90 {
            let square = Square::new(index).unwrap();
            assert_eq!(Square::parse(&square.to_string()), Some(square));
            assert_eq!(square.mirrored().mirrored(), square);
            assert_eq!(square.rotated().rotated(), square);
        }
        assert_eq!(Square::new(90), None);
        for text in ["", "a", "j0", "a10", "a:", "0a", "é"] {
            assert_eq!(Square::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_set_lists_its_squares_in_order() {
        let set = 1 | 1 << 63 | 1 << 64 | 1 << 89;
        let listed: Vec<_> = squares(set).map(Square::index).collect();
        assert_eq!(listed, [0, 63, 64, 89]);
    }
}
