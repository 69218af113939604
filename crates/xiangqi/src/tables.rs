//! Attack tables, computed at compile time.
//!
//! Sliders: the occupancy of a rank (9 bits) or a file (10 bits, read from a transposed board)
//! selects a small mask that is then shifted to its rank or file, which keeps all tables of the
//! sliders within 58 KiB. Pieces with a blockable leg or eye: the four neighbouring bits select one
//! of 16 sets.

use super::square::Square;

/// Targets of a slider on a line of `N` squares, by its place and the occupancy. In each direction
/// a rook reaches all squares up to and including the first piece; a cannon reaches the squares
/// before the first piece, and the second piece.
const fn slider<const N: usize, const O: usize>(is_cannon: bool) -> [[u16; O]; N] {
    let mut table = [[0; O]; N];
    let mut place = 0;
    while place < N {
        let mut occupied = 0;
        while occupied < O {
            table[place][occupied] = one_way(place, occupied, 1, N as i32, is_cannon)
                | one_way(place, occupied, -1, -1, is_cannon);
            occupied += 1;
        }
        place += 1;
    }
    table
}

/// Targets from `place` in steps of `step` up to the edge at `end`.
const fn one_way(place: usize, occupied: usize, step: i32, end: i32, is_cannon: bool) -> u16 {
    let mut targets = 0;
    let mut pieces = 0;
    let mut at = place as i32 + step;
    while at != end && pieces <= is_cannon as usize {
        pieces += occupied >> at & 1;
        // A rook captures the first piece; a cannon captures the second, and reaches neither the
        // first nor the squares between the two.
        if !is_cannon || pieces != 1 {
            targets |= 1 << at;
        }
        at += step;
    }
    targets
}

pub(super) static RANK_ROOK: [[u16; 512]; 9] = slider(false);
pub(super) static FILE_ROOK: [[u16; 1024]; 10] = slider(false);
pub(super) static RANK_CANNON: [[u16; 512]; 9] = slider(true);
pub(super) static FILE_CANNON: [[u16; 1024]; 10] = slider(true);

const fn bit_at(file: i32, rank: i32) -> u128 {
    match Square::at(file, rank) {
        Some(square) => square.bit(),
        None => 0,
    }
}

const ORTHOGONAL: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Pieces that a single occupied square can block.
#[derive(Clone, Copy)]
enum Leap {
    /// A horse, from its square; its legs are the orthogonal neighbours.
    Horse,
    /// A horse, seen from the square that it attacks; its leg is one of that
    /// square's diagonal neighbours.
    HorseTo,
    /// An elephant; its eyes are the diagonal neighbours.
    Elephant,
}

impl Leap {
    /// Squares reached past the neighbour in direction number `direction`, if that neighbour is
    /// empty.
    const fn past(self, file: i32, rank: i32, direction: usize) -> u128 {
        let (df, dr) = match self {
            Leap::Horse => ORTHOGONAL[direction],
            Leap::HorseTo | Leap::Elephant => DIAGONAL[direction],
        };
        if Square::at(file + df, rank + dr).is_none() {
            return 0;
        }
        match self {
            // One step on, then one to either side.
            Leap::Horse => {
                bit_at(file + 2 * df + dr, rank + 2 * dr + df)
                    | bit_at(file + 2 * df - dr, rank + 2 * dr - df)
            }
            Leap::HorseTo => bit_at(file + 2 * df, rank + dr) | bit_at(file + df, rank + 2 * dr),
            // Only its own half of the board.
            Leap::Elephant if (rank + 2 * dr < 5) == (rank < 5) => {
                bit_at(file + 2 * df, rank + 2 * dr)
            }
            Leap::Elephant => 0,
        }
    }

    /// Squares reached, by square and by the set of occupied neighbours (four bits).
    #[expect(clippy::large_stack_arrays, reason = "evaluated by the compiler only")]
    const fn table(self) -> [[u128; 16]; 90] {
        let mut table = [[0; 16]; 90];
        let mut square = 0;
        while square < 90 {
            let (file, rank) = (square as i32 % 9, square as i32 / 9);
            let mut blocked = 0;
            while blocked < 16 {
                let mut direction = 0;
                while direction < 4 {
                    if blocked >> direction & 1 == 0 {
                        table[square][blocked] |= self.past(file, rank, direction);
                    }
                    direction += 1;
                }
                blocked += 1;
            }
            square += 1;
        }
        table
    }
}

/// Squares that a horse reaches, by its square and the occupied orthogonal neighbours (in the order
/// of `ORTHOGONAL`).
pub(super) static HORSE: [[u128; 16]; 90] = Leap::Horse.table();

/// Squares from which a horse attacks a square, by that square and its occupied diagonal neighbours
/// (in the order of `DIAGONAL`: the horses' legs).
pub(super) static HORSE_TO: [[u128; 16]; 90] = Leap::HorseTo.table();

/// Squares that an elephant reaches, by its square and the occupied diagonal neighbours (in the
/// order of `DIAGONAL`: the eyes). Only in its own half of the board.
pub(super) static ELEPHANT: [[u128; 16]; 90] = Leap::Elephant.table();

/// The two palaces.
pub(super) const PALACE: u128 = {
    let mut set = 0;
    let mut file = 3;
    while file <= 5 {
        let mut rank = 0;
        while rank <= 2 {
            set |= bit_at(file, rank) | bit_at(file, 9 - rank);
            rank += 1;
        }
        file += 1;
    }
    set
};

/// Red's half of the board (ranks 0 to 4).
pub(super) const RED_HALF: u128 = (1 << 45) - 1;

const fn steps(directions: [(i32, i32); 4], within: u128) -> [u128; 90] {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        let (file, rank) = (square as i32 % 9, square as i32 / 9);
        let mut direction = 0;
        while direction < 4 {
            let (df, dr) = directions[direction];
            table[square] |= bit_at(file + df, rank + dr) & within;
            direction += 1;
        }
        square += 1;
    }
    table
}

/// Squares that a king reaches; meaningful for squares of a palace.
pub(super) static KING: [u128; 90] = steps(ORTHOGONAL, PALACE);
/// Squares that an advisor reaches; meaningful for squares of a palace.
pub(super) static ADVISOR: [u128; 90] = steps(DIAGONAL, PALACE);

/// Squares that a pawn of a side attacks (`false`), or from which one attacks
/// a square (`true`).
const fn pawn(red: bool, reverse: bool) -> [u128; 90] {
    let mut table = [0; 90];
    let mut from = 0;
    while from < 90 {
        let (file, rank) = (from as i32 % 9, from as i32 / 9);
        let (forward, crossed) = if red { (1, rank >= 5) } else { (-1, rank <= 4) };
        let mut targets = bit_at(file, rank + forward);
        if crossed {
            targets |= bit_at(file - 1, rank) | bit_at(file + 1, rank);
        }
        if reverse {
            let mut to = 0;
            while to < 90 {
                if targets >> to & 1 == 1 {
                    table[to] |= 1 << from;
                }
                to += 1;
            }
        } else {
            table[from] = targets;
        }
        from += 1;
    }
    table
}

/// Squares that a pawn reaches, by side.
pub(super) static PAWN: [[u128; 90]; 2] = [pawn(true, false), pawn(false, false)];
/// Squares from which a pawn of a side attacks a square.
pub(super) static PAWN_TO: [[u128; 90]; 2] = [pawn(true, true), pawn(false, true)];

/// The other squares of each square's rank and file.
pub(super) static CROSS: [u128; 90] = {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        let (file, rank) = (square as i32 % 9, square as i32 / 9);
        let mut at = 0;
        while at < 10 {
            table[square] |= bit_at(file, at) | bit_at(at, rank);
            at += 1;
        }
        table[square] &= !(1 << square);
        square += 1;
    }
    table
};

/// Squares where a piece that arrives or leaves can open or close an attack on a square: its rank
/// and file, and the legs of horses that jump to it.
pub(super) static LINES_AND_LEGS: [u128; 90] = {
    let mut table = steps(DIAGONAL, u128::MAX);
    let mut square = 0;
    while square < 90 {
        table[square] |= CROSS[square];
        square += 1;
    }
    table
};

/// Squares strictly between two squares of one rank or file; empty for others.
pub(super) static BETWEEN: [[u128; 90]; 90] = {
    let mut table = [[0; 90]; 90];
    let mut from = 0;
    while from < 90 {
        let (file, rank) = (from as i32 % 9, from as i32 / 9);
        let mut direction = 0;
        while direction < 4 {
            let (df, dr) = ORTHOGONAL[direction];
            let mut between = 0;
            let (mut f, mut r) = (file + df, rank + dr);
            while let Some(to) = Square::at(f, r) {
                table[from][to.index()] = between;
                between |= to.bit();
                f += df;
                r += dr;
            }
            direction += 1;
        }
        from += 1;
    }
    table
};
