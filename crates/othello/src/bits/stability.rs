//! Stable discs, which can never be flipped again.
//!
//! A disc is safe along a line that is full, or where it is next to a safe disc of its own colour
//! or to the end of the board (Iago: Rosenbloom 1982). On the edge, where only one line counts, all
//! possible plays are tried.

use std::sync::LazyLock;

use super::{INNER_FILES, ternary};

/// The squares that are not on an edge.
const INSIDE: u64 = INNER_FILES & 0x00ff_ffff_ffff_ff00;

/// File a.
const COLUMN: u64 = 0x0101_0101_0101_0101;

/// Brings file a into the uppermost byte, row 1 to its lowest bit.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// Number of ways to fill a row of eight squares.
const ROWS: usize = 6561;

/// For each row of eight squares, by [`row_index`], the own discs that no moves along the row can
/// flip.
static SAFE_IN_ROW: LazyLock<Box<[u8; ROWS]>> = LazyLock::new(safe_in_row);

/// Each set of the squares of a row as digits 0 and 1 in base three.
const DIGITS: [u16; 256] = ternary();

/// Stable discs of the owner of `own`; may miss some.
pub(crate) fn stable(own: u64, opponent: u64) -> u64 {
    let full = full_lines(own | opponent);
    let [row, rising, column, falling] = full;
    let mut stable = stable_edges(own, opponent) | (own & row & rising & column & falling);
    if stable == 0 {
        return 0;
    }
    let inside = own & INSIDE;
    loop {
        let beside = |step: u32| stable << step | stable >> step;
        let grown = stable
            | (inside
                & (beside(1) | row)
                & (beside(7) | rising)
                & (beside(8) | column)
                & (beside(9) | falling));
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The own discs on the four edges that no moves along their edges can flip.
fn stable_edges(own: u64, opponent: u64) -> u64 {
    let table = &**SAFE_IN_ROW;
    let safe = |own: u64, opponent: u64| u64::from(table[row_index(own as u8, opponent as u8)]);
    let column = |set: u64, file: u32| (set >> file & COLUMN).wrapping_mul(GATHER) >> 56;
    let left = safe(column(own, 0), column(opponent, 0));
    let right = safe(column(own, 7), column(opponent, 7));
    safe(own, opponent) | safe(own >> 56, opponent >> 56) << 56 | spread(left) | spread(right) << 7
}

/// Copies the lowest eight bits to file a.
const fn spread(set: u64) -> u64 {
    // The copies of each half of the bits do not touch, so nothing carries.
    let low = (set & 0x0f).wrapping_mul(0x0020_4081) & (COLUMN & 0xffff_ffff);
    let high = (set >> 4).wrapping_mul(0x0020_4081) & (COLUMN & 0xffff_ffff);
    low | high << 32
}

/// The squares whose row, rising diagonal (towards h1), column or falling diagonal (towards h8) has
/// no empty square.
fn full_lines(taken: u64) -> [u64; 4] {
    let mut row = taken & taken >> 1;
    row &= row >> 2;
    row &= row >> 4;
    let mut column = taken & taken.rotate_right(8);
    column &= column.rotate_right(16);
    column &= column.rotate_right(32);
    [
        (row & COLUMN) * 0xff,
        full_diagonals::<7>(taken),
        column,
        full_diagonals::<9>(taken),
    ]
}

/// The squares from which a walk over `taken` squares reaches both ends of the diagonal with the
/// step `STEP`.
fn full_diagonals<const STEP: u32>(taken: u64) -> u64 {
    let ends = const { [ends::<STEP>(1), ends::<STEP>(2), ends::<STEP>(4)] };
    let (mut up, mut down) = (taken, taken);
    for (doubling, [above, below]) in ends.into_iter().enumerate() {
        let distance = STEP << doubling;
        up &= up >> distance | above;
        down &= down << distance | below;
    }
    up & down
}

/// The squares from which `steps` steps of `STEP` lead off the board, towards higher and towards
/// lower squares.
const fn ends<const STEP: u32>(steps: i32) -> [u64; 2] {
    let aside = STEP as i32 - 8;
    let (mut above, mut below) = (0, 0);
    let mut square = 0;
    while square < 64 {
        let (file, row) = (square % 8, square / 8);
        let up = file + aside * steps;
        let down = file - aside * steps;
        if row + steps > 7 || up < 0 || up > 7 {
            above |= 1 << square;
        }
        if row - steps < 0 || down < 0 || down > 7 {
            below |= 1 << square;
        }
        square += 1;
    }
    [above, below]
}

/// The index of a row: digit 1 for own discs, 2 for the opponent's.
#[inline]
const fn row_index(own: u8, opponent: u8) -> usize {
    DIGITS[own as usize] as usize + 2 * DIGITS[opponent as usize] as usize
}

fn safe_in_row() -> Box<[u8; ROWS]> {
    let mut table = Box::new([0; ROWS]);
    // In ascending order of empty squares, so that the results of moves are known.
    for empties in 0..=8 {
        for own in 0..=u8::MAX {
            for opponent in 0..=u8::MAX {
                let taken = own | opponent;
                if own & opponent == 0 && taken.count_zeros() == empties {
                    table[row_index(own, opponent)] = safe_in(&table, own, opponent);
                }
            }
        }
    }
    table
}

/// The own discs of a row that stay for any order of plays by both sides: a move may be legal by
/// other lines, so it need not flip any here.
fn safe_in(table: &[u8; ROWS], own: u8, opponent: u8) -> u8 {
    let empties = !(own | opponent);
    let mut safe = own;
    for square in (0..8).filter(|square| empties >> square & 1 != 0) {
        let disc = 1 << square;
        let turned = turned_in_row(own, opponent, square);
        safe &= table[row_index(own | turned | disc, opponent & !turned)];
        let turned = turned_in_row(opponent, own, square);
        safe &= table[row_index(own & !turned, opponent | turned | disc)];
    }
    safe
}

/// The discs that a disc of the owner of `own` on `square` flips along a row.
fn turned_in_row(own: u8, opponent: u8, square: u32) -> u8 {
    let mut turned = 0;
    let mut run = 0;
    for next in square + 1..8 {
        let bit = 1 << next;
        if opponent & bit == 0 {
            turned |= if own & bit != 0 { run } else { 0 };
            break;
        }
        run |= bit;
    }
    run = 0;
    for next in (0..square).rev() {
        let bit = 1 << next;
        if opponent & bit == 0 {
            turned |= if own & bit != 0 { run } else { 0 };
            break;
        }
        run |= bit;
    }
    turned
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bits::{flips, mobility};

    #[test]
    fn a_corner_holds_an_edge() {
        assert_eq!(stable(1, 0), 1);
        assert_eq!(stable(0b111, 0b1000), 0b111);
        assert_eq!(stable(0b110, 0b1001), 0, "the corner is the opponent's");
        assert_eq!(stable(0b0110_0000 << 56, 0), 0);
        assert_eq!(stable(0b1110_0000 << 56, 0), 0b1110_0000 << 56);
        let columns = COLUMN << 7 | COLUMN;
        assert_eq!(stable(columns, 0), columns);
        assert_eq!(stable(u64::MAX, 0), u64::MAX);
        assert_eq!(stable(0, u64::MAX), 0);
    }

    #[test]
    fn two_empty_squares_make_an_edge_unsafe() {
        // . X X X X X X . : a move in a corner flips none of X's discs, but O on a1 and then X
        // cannot hold: O on h1 flips all.
        let row = 0b0111_1110;
        assert_eq!(stable(row, 0), 0);
        assert_eq!(stable(row, 1), 0, "O plays h1");
        assert_eq!(stable(row | 1, 0), row | 1);
    }

    #[test]
    fn columns_are_spread_back_to_where_they_were() {
        for set in 0..256 {
            let spread_out = spread(set);
            assert_eq!(spread_out & !COLUMN, 0);
            assert_eq!(spread_out.wrapping_mul(GATHER) >> 56, set);
        }
    }

    #[test]
    fn full_lines_are_those_without_an_empty_square() {
        for taken in [
            u64::MAX,
            !(1 << 27),
            !1,
            !(1 << 7 | 1 << 40),
            0x8142_2418_1824_4281,
            0xff,
        ] {
            let full = full_lines(taken);
            for (index, (df, dr)) in [(1, 0), (-1, 1), (0, 1), (1, 1)].into_iter().enumerate() {
                for square in 0..64 {
                    let is_taken = |distance: i32| {
                        let (file, row) = (square % 8 + df * distance, square / 8 + dr * distance);
                        let inside = (0..8).contains(&file) && (0..8).contains(&row);
                        !inside || taken >> (8 * row + file) & 1 != 0
                    };
                    let expected = (-7..8).all(is_taken);
                    assert_eq!(full[index] >> square & 1 != 0, expected, "{index} {square}");
                }
            }
        }
    }

    proptest! {
        /// Plays at random to the end of the game.
        #[test]
        fn stable_discs_are_never_turned(a in any::<u64>(), b in any::<u64>(), choices in any::<u64>()) {
            let taken = a | b;
            let (mut own, mut opponent) = (taken & choices, taken & !choices);
            let mut stables = [stable(own, opponent), stable(opponent, own)];
            let mut seed = choices | 1;
            for _ in 0..80 {
                let moves = mobility(own, opponent);
                if moves != 0 {
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    let mut left = moves;
                    for _ in 0..seed % u64::from(moves.count_ones()) {
                        left &= left - 1;
                    }
                    let square = left.trailing_zeros() as usize;
                    let turned = flips(own, opponent, square);
                    own |= turned | 1 << square;
                    opponent &= !turned;
                    prop_assert_eq!(stables[0] & !own, 0);
                    prop_assert_eq!(stables[1] & !opponent, 0);
                    let now = stable(own, opponent);
                    prop_assert_eq!(stables[0] & !now, 0, "once stable, always");
                    stables[0] = now;
                }
                (own, opponent) = (opponent, own);
                stables.reverse();
            }
        }
    }
}
