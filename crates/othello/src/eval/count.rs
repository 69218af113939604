//! Counts each term on sets of squares.

use crate::{Othello, safe_along_lines, stable_discs};
use leitai_game::{Position, Side};

/// A file, by the number of its letter.
const fn file(number: u32) -> u64 {
    0x0101_0101_0101_0101 << number
}

const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;

/// A set of terms by their places, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TermSet(u32);

impl TermSet {
    /// No terms.
    pub(super) const NONE: TermSet = TermSet(0);
    /// The terms in a table by line: corners and their neighbours, lines, edges.
    pub(super) const ON_LINES: TermSet = TermSet(0b1110_0111_1000);
    /// The terms in a table of the edges: C squares and edges.
    pub(super) const ON_EDGES: TermSet = TermSet(0b1110_0010_0000);
    /// The terms that need a table of the edges.
    pub(super) const OF_EDGES: TermSet = TermSet(0b1110_0000_0000);

    /// The most common term of evaluations.
    pub(super) const MOBILITY: TermSet = TermSet::of(0);

    /// The term at that place.
    pub(super) const fn of(place: usize) -> TermSet {
        TermSet(1 << place)
    }

    pub(super) const fn with(self, others: TermSet) -> TermSet {
        TermSet(self.0 | others.0)
    }

    pub(super) const fn without(self, others: TermSet) -> TermSet {
        TermSet(self.0 & !others.0)
    }

    pub(super) const fn meets(self, others: TermSet) -> bool {
        self.0 & others.0 != 0
    }
}

/// The discs of the side to move, and those of the other side.
#[inline]
pub(super) fn discs(position: &Othello) -> [u64; 2] {
    let side: Side = position.side_to_move();
    [position.discs(side), position.discs(side.other())]
}

/// Mobility: legal moves of the side to move minus those of the other side.
#[inline]
pub(super) fn mobility(position: &Othello) -> i32 {
    let moves = [position.mobility(), position.opponent_mobility()];
    let [own, enemy] = moves.map(|moves| moves.count_ones() as i32);
    own - enemy
}

/// The term at that place of the list, from the side to move's point of view; 0 beyond the list.
#[inline]
pub(super) fn term(place: usize, position: &Othello) -> i32 {
    let [own, enemy] = discs(position);
    let empty = !(own | enemy);
    let number = |set: u64| set.count_ones() as i32;
    let less = |own: u64, enemy: u64| number(own) - number(enemy);
    match place {
        0 => mobility(position),
        1 => less(neighbours(enemy) & empty, neighbours(own) & empty),
        2 => {
            let beside = neighbours(empty);
            less(beside & own, beside & enemy)
        }
        3 => less(own & CORNERS, enemy & CORNERS),
        4 => {
            let given = x_squares_of(empty);
            less(own & given, enemy & given)
        }
        5 => {
            let given = c_squares_of(empty);
            less(own & given, enemy & given)
        }
        6 => {
            let safe = |own, enemy| safe_along_lines(own, enemy).map(number).iter().sum::<i32>();
            safe(own, enemy) - safe(enemy, own)
        }
        7 => less(stable_discs(own, enemy), stable_discs(enemy, own)),
        8 => odd_less_even(empty),
        9..=11 => {
            let edges = edges_of(own).into_iter().zip(edges_of(enemy));
            edges.map(|(own, enemy)| edge(own, enemy)[place - 9]).sum()
        }
        _ => 0,
    }
}

/// The set with all neighbouring squares.
#[inline]
const fn neighbours(set: u64) -> u64 {
    let beside = set | (set & !file(7)) << 1 | (set & !file(0)) >> 1;
    beside | beside << 8 | beside >> 8
}

/// The X squares whose corner is in the set.
#[inline]
const fn x_squares_of(corners: u64) -> u64 {
    (corners & 1) << 9 | (corners & 1 << 7) << 7 | (corners & 1 << 56) >> 7 | (corners >> 63) << 54
}

/// The C squares whose corner is in the set.
#[inline]
const fn c_squares_of(corners: u64) -> u64 {
    let left = corners & (1 | 1 << 56);
    let right = corners & (1 << 7 | 1 << 63);
    let top = corners & (1 | 1 << 7);
    let bottom = corners & (1 << 56 | 1 << 63);
    left << 1 | right >> 1 | top << 8 | bottom >> 8
}

/// The number of odd regions of a set minus the number of even ones.
fn odd_less_even(mut set: u64) -> i32 {
    let mut sum = 0;
    while set != 0 {
        let mut region = set & set.wrapping_neg();
        loop {
            let wider = neighbours(region) & set;
            if wider == region {
                break;
            }
            region = wider;
        }
        sum += 2 * (region.count_ones() as i32 & 1) - 1;
        set &= !region;
    }
    sum
}

/// The four edges of a set: rows 1 and 8 from a to h, files a and h from 1 to 8.
#[inline]
pub(super) const fn edges_of(set: u64) -> [u8; 4] {
    /// Moves file a into the highest byte, with row 1 at its lowest bit.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    [
        set as u8,
        (set >> 56) as u8,
        ((set & file(0)).wrapping_mul(GATHER) >> 56) as u8,
        ((set >> 7 & file(0)).wrapping_mul(GATHER) >> 56) as u8,
    ]
}

/// The three terms of an edge, the side's minus the enemy's.
pub(super) fn edge(own: u8, enemy: u8) -> [i32; 3] {
    const INNER: u8 = 0b0111_1110;
    const FIVES: [u8; 2] = [0b0011_1110, 0b0111_1100];
    let one = |own: u8, enemy: u8| {
        let occupied = own | enemy;
        let balanced = own == INNER && occupied == INNER;
        let unbalanced = FIVES.iter().any(|&five| own == five && occupied == five);
        let holes = !occupied & enemy << 1 & enemy >> 1;
        [
            i32::from(balanced),
            i32::from(unbalanced),
            holes.count_ones() as i32,
        ]
    };
    let (own, enemy) = (one(own, enemy), one(enemy, own));
    std::array::from_fn(|place| own[place] - enemy[place])
}
