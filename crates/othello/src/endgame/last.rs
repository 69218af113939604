//! The last squares of a game.

use super::board::Board;
use super::parity::{quadrant, squares_in};
use super::work::Work;

/// The squares next to each square.
const NEIGHBOURS: [u64; 64] = neighbours();

const fn neighbours() -> [u64; 64] {
    let mut sets = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let files = (square % 8) as i32 - (other % 8) as i32;
            let rows = (square / 8) as i32 - (other / 8) as i32;
            if other != square && files * files <= 1 && rows * rows <= 1 {
                sets[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    sets
}

/// Twice the number of discs that a disc flips in a full row, by its square and by the set of own
/// discs in the row.
static TURNED: [[u8; 256]; 8] = turned();

const fn turned() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut square = 0;
    while square < 8 {
        let mut own = 0;
        while own < 256 {
            let mut other = 0;
            let mut count = 0;
            while other < 8 {
                let (low, high) = if other < square {
                    (other, square)
                } else {
                    (square, other)
                };
                // The nearest own disc on either side, with all squares between.
                let between = (1 << high) - (2 << low);
                if other != square && own >> other & 1 == 1 && own as i32 & between == 0 {
                    count += high - low - 1;
                }
                other += 1;
            }
            table[square][own] = 2 * count as u8;
            own += 1;
        }
        square += 1;
    }
    table
}

/// The diagonals through each square.
static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn diagonals() -> [[u64; 2]; 64] {
    let mut sets = [[0; 2]; 64];
    let mut square = 0_i32;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let files = other % 8 - square % 8;
            let rows = other / 8 - square / 8;
            if files == rows {
                sets[square as usize][0] |= 1 << other;
            }
            if files == -rows {
                sets[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    sets
}

/// Twice the number of discs that a disc on `square` flips for the owner of `own`, when every other
/// square has a disc.
///
/// A multiplication packs a line into eight bits: those of a column by rows, those of a diagonal by
/// files.
#[inline]
fn turned_twice(own: u64, square: usize) -> i32 {
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (file, row) = (square & 7, square >> 3 & 7);
    let [falling, rising] = DIAGONALS[square & 63];
    let by_file = &TURNED[file];
    let by_row = &TURNED[row];
    let along_row = (own >> (8 * row)) as u8;
    let along_column = ((own >> file & COLUMN).wrapping_mul(GATHER) >> 56) as u8;
    let along_falling = ((own & falling).wrapping_mul(COLUMN) >> 56) as u8;
    let along_rising = ((own & rising).wrapping_mul(COLUMN) >> 56) as u8;
    i32::from(by_file[usize::from(along_row)])
        + i32::from(by_row[usize::from(along_column)])
        + i32::from(by_file[usize::from(along_falling)])
        + i32::from(by_file[usize::from(along_rising)])
}

impl Work<'_> {
    /// The score with one empty square, for the side to move, the owner of `own`.
    #[inline]
    fn one_left(&mut self, own: u64, square: usize) -> i32 {
        if !self.tick() {
            return 0;
        }
        // The empty square counts as the opponent's until a disc is on it.
        let difference = 2 * own.count_ones() as i32 - 64;
        let turned = turned_twice(own, square);
        if turned != 0 {
            return difference + turned + 2;
        }
        let opponent = !own & !(1 << (square & 63));
        let turned = turned_twice(opponent, square);
        if turned != 0 {
            return difference - turned;
        }
        // Neither side can move: `difference` counts the square for the opponent.
        self.final_score_of(difference + 1, 1)
    }

    /// The score with these two empty squares: exact from alpha upwards, else a bound.
    #[inline]
    fn two_left(&mut self, board: Board, squares: [usize; 2], alpha: i32) -> i32 {
        if !self.tick() {
            return 0;
        }
        let [first, second] = squares;
        let mut best = NOTHING;
        if NEIGHBOURS[first & 63] & board.opponent != 0 {
            let flips = board.flips(first);
            if flips != 0 {
                best = -self.one_left(board.opponent ^ flips, second);
                if best > alpha {
                    return best;
                }
            }
        }
        if NEIGHBOURS[second & 63] & board.opponent != 0 {
            let flips = board.flips(second);
            if flips != 0 {
                best = best.max(-self.one_left(board.opponent ^ flips, first));
            }
        }
        if best != NOTHING {
            return best;
        }
        self.two_left_after_pass(board, squares, alpha)
    }

    /// The same when the side to move has no move.
    fn two_left_after_pass(&mut self, board: Board, squares: [usize; 2], alpha: i32) -> i32 {
        let passed = board.passed();
        let [first, second] = squares;
        let mut worst = -NOTHING;
        let flips = passed.flips(first);
        if flips != 0 {
            worst = self.one_left(board.own ^ flips, second);
            if worst <= alpha {
                return worst;
            }
        }
        let flips = passed.flips(second);
        if flips != 0 {
            worst = worst.min(self.one_left(board.own ^ flips, first));
        }
        if worst == -NOTHING {
            return self.final_score(board);
        }
        worst
    }
}

/// Below every score.
const NOTHING: i32 = -127;

/// Defines the function for a number of empty squares by the function for one fewer.
macro_rules! left {
    ($(#[$attribute:meta])* $name:ident, $next:ident) => {
        impl Work<'_> {
            $(#[$attribute])*
            pub(super) fn $name(&mut self, board: Board, parity: u32, alpha: i32) -> i32 {
                if !self.tick() {
                    return 0;
                }
                let mut board = board;
                let mut alpha = alpha;
                let empties = board.empties();
                let odd = empties & squares_in(parity);
                for passes in 0..2 {
                    let mut best = NOTHING;
                    for part in [odd, empties ^ odd] {
                        let mut part = part;
                        while part != 0 {
                            let square = part.trailing_zeros() as usize & 63;
                            part &= part - 1;
                            if NEIGHBOURS[square] & board.opponent == 0 {
                                continue;
                            }
                            let flips = board.flips(square);
                            if flips == 0 {
                                continue;
                            }
                            let after = board.after(square, flips);
                            let parity = parity ^ quadrant(square);
                            let score = -self.$next(after, parity, !alpha);
                            if score > best {
                                if score > alpha {
                                    return if passes == 0 { score } else { -score };
                                }
                                best = score;
                            }
                        }
                    }
                    if best != NOTHING {
                        return if passes == 0 { best } else { -best };
                    }
                    if passes == 1 {
                        break;
                    }
                    board = board.passed();
                    // From the other side's point of view: -alpha - 1.
                    alpha = !alpha;
                }
                -self.final_score(board)
            }
        }
    };
}

impl Work<'_> {
    #[inline]
    fn last_two(&mut self, board: Board, _parity: u32, alpha: i32) -> i32 {
        let empties = board.empties();
        let first = empties.trailing_zeros() as usize;
        let second = (empties & empties.wrapping_sub(1)).trailing_zeros() as usize;
        self.two_left(board, [first, second], alpha)
    }
}

left!(
    /// The score with three empty squares, exact or a bound beyond the empty window above `alpha`;
    /// `parity` is the set of quadrants with an odd number of empty squares.
    three_left,
    last_two
);
left!(
    /// The same with four empty squares.
    four_left,
    three_left
);
left!(
    /// The same with five empty squares.
    five_left,
    four_left
);
left!(
    /// The same with six empty squares.
    six_left,
    five_left
);
