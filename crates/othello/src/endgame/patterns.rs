//! Lines and corners of the board as numbers, for tables by pattern.
//!
//! The same shape on another side of the board is looked up in an image of the board, so that all
//! share one mask and one table.

use crate::bits::{gather, ternary};

use super::board::Board;

/// A shape, in several images of the board.
struct Shape {
    mask: u64,
    /// The images, one bit each, by their places in [`images`].
    images: u8,
    table: usize,
}

/// The edge with both X squares, the three rows behind it, the diagonals of eight to four squares,
/// and three by three squares in the corner.
const SHAPES: [Shape; 14] = [
    Shape::new(0xff | 1 << 9 | 1 << 14, Shape::SIDES, 0),
    Shape::new(0x0007_0707, Shape::CORNERS, 1),
    Shape::new(0xff00, Shape::SIDES, 2),
    Shape::new(0x00ff_0000, Shape::SIDES, 3),
    Shape::new(0xff00_0000, Shape::SIDES, 4),
    Shape::new(diagonal(8, false), Shape::UP_AND_DOWN, 5),
    Shape::new(diagonal(7, false), Shape::UP_AND_DOWN, 6),
    Shape::new(diagonal(7, true), Shape::UP_AND_DOWN, 6),
    Shape::new(diagonal(6, false), Shape::UP_AND_DOWN, 7),
    Shape::new(diagonal(6, true), Shape::UP_AND_DOWN, 7),
    Shape::new(diagonal(5, false), Shape::UP_AND_DOWN, 8),
    Shape::new(diagonal(5, true), Shape::UP_AND_DOWN, 8),
    Shape::new(diagonal(4, false), Shape::UP_AND_DOWN, 9),
    Shape::new(diagonal(4, true), Shape::UP_AND_DOWN, 9),
];

/// Number of squares of the shapes of each table.
const SIZES: [u32; 10] = [10, 9, 8, 8, 8, 8, 7, 6, 5, 4];

/// The offset of each table, and the end of the last one.
const BEGINS: [usize; 11] = {
    let mut begins = [0; 11];
    let mut table = 0;
    while table < 10 {
        begins[table + 1] = begins[table] + 3_usize.pow(SIZES[table]);
        table += 1;
    }
    begins
};

/// Number of entries of all tables.
pub(super) const PATTERNS: usize = BEGINS[10];

/// Each set of ten squares as digits 0 and 1 in base three, with the first square as the lowest
/// digit.
static DIGITS: [u16; 1024] = ternary();

impl Shape {
    const SIDES: u8 = 0b11_0011;
    const CORNERS: u8 = 0b00_1111;
    const UP_AND_DOWN: u8 = 0b00_0011;

    const fn new(mask: u64, images: u8, table: usize) -> Self {
        Self {
            mask,
            images,
            table,
        }
    }
}

/// A diagonal of `length` squares, parallel to that from a1 to h8 and beyond it (or before it, if
/// `below`).
const fn diagonal(length: usize, below: bool) -> u64 {
    let mut set = 0;
    let mut step = 0;
    while step < length {
        let (near, far) = (step, step + 8 - length);
        let (file, row) = if below { (near, far) } else { (far, near) };
        set |= 1 << (8 * row + file);
        step += 1;
    }
    set
}

/// The board, turned upside down, turned by half a turn, both, and with rows and columns exchanged,
/// and that upside down.
#[inline]
fn images(set: u64) -> [u64; 6] {
    let (half, exchanged) = (set.reverse_bits(), transposed(set));
    [
        set,
        set.swap_bytes(),
        half,
        half.swap_bytes(),
        exchanged,
        exchanged.swap_bytes(),
    ]
}

/// Rows become columns (Warren, Hacker's Delight, section 7-3).
#[inline]
const fn transposed(mut set: u64) -> u64 {
    let mut swap = 0x0f0f_0f0f_0000_0000 & (set ^ set << 28);
    set ^= swap ^ swap >> 28;
    swap = 0x3333_0000_3333_0000 & (set ^ set << 14);
    set ^= swap ^ swap >> 14;
    swap = 0x5500_5500_5500_5500 & (set ^ set << 7);
    set ^ swap ^ swap >> 7
}

/// Calls `visit` with the index of the pattern in each shape of the board.
#[inline]
pub(super) fn each_pattern(board: Board, mut visit: impl FnMut(usize)) {
    let (own, opponent) = (images(board.own), images(board.opponent));
    for shape in &SHAPES {
        for image in 0..6 {
            if shape.images >> image & 1 == 0 {
                continue;
            }
            let digits = |set: u64| usize::from(DIGITS[gather(set, shape.mask) as usize & 1023]);
            visit(BEGINS[shape.table] + digits(own[image]) + 2 * digits(opponent[image]));
        }
    }
}

/// For each pattern the first pattern that equals it or its mirror image.
pub(super) fn same_in_a_mirror() -> Vec<u32> {
    let mut first = Vec::with_capacity(PATTERNS);
    for (table, &size) in SIZES.iter().enumerate() {
        for pattern in 0..BEGINS[table + 1] - BEGINS[table] {
            let mirrored = mirrored(table, size as usize, pattern);
            first.push((BEGINS[table] + pattern.min(mirrored)) as u32);
        }
    }
    first
}

fn mirrored(table: usize, size: usize, mut pattern: usize) -> usize {
    let mut digits = [0; 10];
    for digit in &mut digits {
        *digit = pattern % 3;
        pattern /= 3;
    }
    let place = |index: usize| match table {
        0 if index >= 8 => 17 - index,
        0 => 7 - index,
        1 => index % 3 * 3 + index / 3,
        _ => size - 1 - index,
    };
    let mirrored = (0..size).rev();
    mirrored.fold(0, |number, index| 3 * number + digits[place(index)])
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::tests::any_position;
    use leitai_game::{Position, Side};

    proptest! {
        /// All eight images of a board have the same patterns, except for mirroring.
        #[test]
        fn images_have_the_same_patterns(position in any_position()) {
            static SAME: LazyLock<Vec<u32>> = LazyLock::new(same_in_a_mirror);
            let side = position.side_to_move();
            let patterns = |position: &crate::Othello| {
                let board = Board {
                    own: position.discs(side),
                    opponent: position.discs(side.other()),
                };
                let mut patterns = Vec::new();
                each_pattern(board, |pattern| patterns.push(SAME[pattern]));
                patterns.sort_unstable();
                patterns
            };
            let expected = patterns(&position);
            for image in position.images() {
                prop_assert_eq!(patterns(&image), expected.clone());
            }
        }
    }

    #[test]
    fn every_pattern_has_its_place() {
        let same = same_in_a_mirror();
        assert_eq!(same.len(), PATTERNS);
        assert!(same.iter().zip(0..).all(|(&first, place)| first <= place));
        assert!(same.iter().all(|&first| same[first as usize] == first));
        let full = crate::Othello::new(u64::MAX, 0, Side::First).unwrap();
        let mut seen = Vec::new();
        let board = Board {
            own: full.discs(Side::First),
            opponent: 0,
        };
        each_pattern(board, |pattern| seen.push(pattern));
        assert_eq!(seen.len(), 38);
        assert_eq!(transposed(0b10), 1 << 8);
        assert_eq!(
            transposed(transposed(0x0123_4567_89ab_cdef)),
            0x0123_4567_89ab_cdef
        );
    }
}
