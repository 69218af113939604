//! Values by line, with one lookup for eight squares.
//!
//! A line is a row or a file, or two diagonals of the same direction that have eight squares
//! together, one on each file: the long one, those of seven squares and one, of six and two, and so
//! on. Rows and files have 4 tables, because the symmetries of the board make the others equal;
//! diagonals have 5. The discs of a line are a number in base three, and 32 lookups suffice for any
//! number of tuples.

mod layout;

use super::count::edges_of;
use super::numbers::{OF_STAGE, term};
use super::terms::{C_SQUARES, EDGES};
use crate::bits::ternary;
use crate::transpose;
use layout::LAYOUTS;
use leitai_game::eval::PackedScore;

/// Number of patterns of a line of eight squares: three to the eighth.
const PATTERNS: usize = 6561;

/// Rows by their distance from the edge, then diagonals by the number of squares of the
/// shorter one.
const KINDS: usize = 9;

/// A table for each kind of line. Values are doubled, because each square is on a row and on a file
/// and gets its value from both.
#[derive(Clone, Debug)]
pub(super) struct LineTables(Vec<PackedScore>);

/// Only the edges; see [`LineTables`].
#[derive(Clone, Debug)]
pub(super) struct EdgeTable(Vec<PackedScore>);

/// A set of squares as a number in base three, with the bit number of a square as its digit place.
/// The first two tables are for own discs and for the enemy's, which count twice; the other two are
/// the same with reversed order of the squares.
static DIGITS: [[u16; 256]; 4] = {
    let forwards: [u16; 256] = ternary();
    let mut all = [forwards; 4];
    let mut set = 0;
    while set < 256 {
        all[2][set] = forwards[(set as u8).reverse_bits() as usize];
        all[1][set] = 2 * all[0][set];
        all[3][set] = 2 * all[2][set];
        set += 1;
    }
    all
};

/// The index of a line's discs in its table.
#[inline]
fn place(own: u8, enemy: u8) -> usize {
    (DIGITS[0][own as usize] + DIGITS[1][enemy as usize]) as usize
}

/// The same for a line in reversed order.
#[inline]
fn place_reversed(own: u8, enemy: u8) -> usize {
    (DIGITS[2][own as usize] + DIGITS[3][enemy as usize]) as usize
}

/// The squares of the falling diagonals of a line: one on each file, `below` rows under that of the
/// long diagonal, wrapping to the top.
const fn falling(below: u32) -> u64 {
    // The long diagonal, rotated by rows.
    0x8040_2010_0804_0201_u64.rotate_left(8 * below)
}

/// The same for the rising diagonals.
const fn rising(below: u32) -> u64 {
    0x0102_0408_1020_4080_u64.rotate_left(8 * below)
}

/// The files of a set with at most one square on each.
#[inline]
const fn files(set: u64) -> u8 {
    (set.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

impl LineTables {
    /// The tables for all squares, corners and their neighbours, edges, lines and tuples of two
    /// stages.
    pub(super) fn new(stages: [&[i32]; 2]) -> Self {
        let mut tables = vec![PackedScore::default(); KINDS * PATTERNS];
        let layouts = LAYOUTS.iter().enumerate();
        for ((kind, layout), table) in layouts.zip(tables.chunks_mut(PATTERNS)) {
            layout.fill(kind, stages, table);
        }
        Self(tables)
    }

    /// Twice the value of the discs.
    #[inline]
    pub(super) fn value(&self, own: u64, enemy: u64) -> PackedScore {
        let tables = self.0.as_chunks::<PATTERNS>().0;
        let Ok(tables): Result<&[_; KINDS], _> = tables.try_into() else {
            return PackedScore::default();
        };
        let mut sum = PackedScore::default();
        for (own, enemy) in [(own, enemy), (transpose(own), transpose(enemy))] {
            let (own, enemy) = (own.to_le_bytes(), enemy.to_le_bytes());
            for row in 0..8 {
                let kind = if row < 4 { row } else { 7 - row };
                sum += tables[kind][place(own[row], enemy[row])];
            }
        }
        // A line begins with its longer diagonal.
        for below in 0..8 {
            let [falling, rising] = [falling(below), rising(below)];
            let [falling, rising] =
                [falling, rising].map(|line| (files(own & line), files(enemy & line)));
            let short = if below <= 4 { below } else { 8 - below };
            let table = &tables[4 + short as usize];
            let (one, other) = if below <= 4 {
                (
                    place(falling.0, falling.1),
                    place_reversed(rising.0, rising.1),
                )
            } else {
                (
                    place_reversed(falling.0, falling.1),
                    place(rising.0, rising.1),
                )
            };
            sum += table[one];
            sum += table[other];
        }
        sum
    }
}

impl EdgeTable {
    /// The table for C squares and edges of two stages.
    pub(super) fn new(stages: [&[i32]; 2]) -> Self {
        // Only these: the values of squares are counted elsewhere.
        let of_edges = stages.map(|weights| {
            let mut kept = vec![0; OF_STAGE];
            for place in [C_SQUARES, EDGES, EDGES + 1, EDGES + 2].map(term) {
                kept[place] = weights[place];
            }
            kept
        });
        let mut table = vec![PackedScore::default(); PATTERNS];
        LAYOUTS[0].fill(0, of_edges.each_ref().map(Vec::as_slice), &mut table);
        Self(table)
    }

    /// Twice the value of the four edges.
    #[inline]
    pub(super) fn value(&self, own: u64, enemy: u64) -> PackedScore {
        let edges = edges_of(own).into_iter().zip(edges_of(enemy));
        edges.fold(PackedScore::default(), |sum, (own, enemy)| {
            sum + self.0[place(own, enemy)]
        })
    }
}
