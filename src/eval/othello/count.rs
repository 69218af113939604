//! How often each term is met, on sets of squares.

use super::terms::Terms;
use crate::game::othello::{Othello, safe_along_lines, stable_discs};
use crate::game::{Position, Side};

/// A file, by the number of its letter.
const fn file(number: u32) -> u64 {
    0x0101_0101_0101_0101 << number
}

const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;

/// Which terms have to be counted.
pub(super) type Wanted = [bool; Terms::COUNT];

/// The discs of the side to move, and those of the other side.
#[inline]
pub(super) fn discs(position: &Othello) -> [u64; 2] {
    let side: Side = position.side_to_move();
    [position.discs(side), position.discs(side.other())]
}

/// The terms that are `wanted`, in the order of their list, as the side to move sees
/// them; 0 for the others.
#[inline]
pub(super) fn balance(position: &Othello, wanted: &Wanted) -> [i32; Terms::COUNT] {
    let [own, enemy] = discs(position);
    let empty = !(own | enemy);
    let number = |set: u64| set.count_ones() as i32;
    let less = |own: u64, enemy: u64| number(own) - number(enemy);
    let mut counts = [0; Terms::COUNT];
    let [
        mobility,
        potential,
        frontier,
        corners,
        x_squares,
        c_squares,
        ..,
    ] = *wanted;
    if mobility {
        counts[0] = less(position.mobility(), position.opponent_mobility());
    }
    if potential {
        counts[1] = less(neighbours(enemy) & empty, neighbours(own) & empty);
    }
    if frontier {
        let beside = neighbours(empty);
        counts[2] = less(beside & own, beside & enemy);
    }
    if corners {
        counts[3] = less(own & CORNERS, enemy & CORNERS);
    }
    if x_squares {
        let given = x_squares_of(empty);
        counts[4] = less(own & given, enemy & given);
    }
    if c_squares {
        let given = c_squares_of(empty);
        counts[5] = less(own & given, enemy & given);
    }
    let [.., lines, stability, parity, balanced, unbalanced, wedges] = *wanted;
    if lines {
        let safe = |own, enemy| safe_along_lines(own, enemy).map(number).iter().sum::<i32>();
        counts[6] = safe(own, enemy) - safe(enemy, own);
    }
    if stability {
        counts[7] = less(stable_discs(own, enemy), stable_discs(enemy, own));
    }
    if parity {
        counts[8] = odd_less_even(empty);
    }
    if balanced || unbalanced || wedges {
        let edges = edges_of(own).into_iter().zip(edges_of(enemy));
        for (own, enemy) in edges {
            for (place, count) in edge(own, enemy).into_iter().enumerate() {
                counts[9 + place] += count;
            }
        }
    }
    counts
}

/// The squares next to one of the set, and the set itself.
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

/// The regions of a set with an odd number of squares less those with an even one.
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
const fn edges_of(set: u64) -> [u8; 4] {
    /// Gathers the file a into the highest byte, the first row lowest.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    [
        set as u8,
        (set >> 56) as u8,
        ((set & file(0)).wrapping_mul(GATHER) >> 56) as u8,
        ((set >> 7 & file(0)).wrapping_mul(GATHER) >> 56) as u8,
    ]
}

/// The three terms of an edge, the side's less the enemy's.
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
