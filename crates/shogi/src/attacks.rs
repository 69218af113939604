//! The squares that pieces attack.

use leitai_game::Side;

use super::piece::Kind;
use super::square::{SQUARES, Square, Squares};

/// Steps in files and ranks, forward for Black first; the second four are the diagonals.
const DIRECTIONS: [(i8, i8); 8] = [
    (0, -1),
    (1, 0),
    (0, 1),
    (-1, 0),
    (1, -1),
    (1, 1),
    (-1, 1),
    (-1, -1),
];

/// The direction forward for each side.
const FORWARD: [usize; 2] = [0, 2];
const STRAIGHT: [usize; 4] = [0, 1, 2, 3];
const DIAGONAL: [usize; 4] = [4, 5, 6, 7];

/// Returns whether indices of squares grow in a direction.
const fn grows(direction: usize) -> bool {
    let (file, rank) = DIRECTIONS[direction];
    9 * file + rank > 0
}

const fn step(square: usize, (file, rank): (i8, i8)) -> Option<usize> {
    let (file, rank) = ((square / 9) as i8 + file, (square % 9) as i8 + rank);
    if 0 <= file && file < 9 && 0 <= rank && rank < 9 {
        Some((9 * file + rank) as usize)
    } else {
        None
    }
}

/// The squares from each one on in each direction. Index 127 is no square.
static RAYS: [[Squares; 128]; 8] = rays();

const fn rays() -> [[Squares; 128]; 8] {
    let mut rays = [[Squares::NONE; 128]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut from = 0;
        while from < SQUARES {
            let mut set = 0;
            let mut at = from;
            while let Some(next) = step(at, DIRECTIONS[direction]) {
                set |= 1 << next;
                at = next;
            }
            rays[direction][from] = Squares(set);
            from += 1;
        }
        direction += 1;
    }
    rays
}

/// The targets of a piece that steps in these directions, by its square; for White the directions
/// are turned.
const fn steps(steps: &[(i8, i8)], side: Side) -> [Squares; SQUARES] {
    let mut all = [Squares::NONE; SQUARES];
    let sign = match side {
        Side::First => 1,
        Side::Second => -1,
    };
    let mut from = 0;
    while from < SQUARES {
        let mut place = 0;
        while place < steps.len() {
            let (file, rank) = steps[place];
            if let Some(to) = step(from, (sign * file, sign * rank)) {
                all[from].0 |= 1 << to;
            }
            place += 1;
        }
        from += 1;
    }
    all
}

const fn of_both(list: &[(i8, i8)]) -> [[Squares; SQUARES]; 2] {
    [steps(list, Side::First), steps(list, Side::Second)]
}

static KING: [Squares; SQUARES] = steps(&DIRECTIONS, Side::First);
static KNIGHT: [[Squares; SQUARES]; 2] = of_both(&[(1, -2), (-1, -2)]);
static SILVER: [[Squares; SQUARES]; 2] = of_both(&[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)]);
static GOLD: [[Squares; SQUARES]; 2] =
    of_both(&[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)]);

/// The direction from a square to another on a common line, or 8.
static TOWARDS: [[u8; SQUARES]; SQUARES] = towards();

const fn towards() -> [[u8; SQUARES]; SQUARES] {
    let mut all = [[8; SQUARES]; SQUARES];
    let mut direction = 0;
    while direction < 8 {
        let mut from = 0;
        while from < SQUARES {
            let mut at = from;
            while let Some(next) = step(at, DIRECTIONS[direction]) {
                all[from][next] = direction as u8;
                at = next;
            }
            from += 1;
        }
        direction += 1;
    }
    all
}

/// The squares from `from` to the first occupied one in a direction.
#[inline]
fn ray(direction: usize, from: Square, occupied: Squares) -> Squares {
    let rays = &RAYS[direction];
    let whole = rays[from.index()].0;
    let blockers = whole & occupied.0;
    // The first square ends rays that shrink, so that it needs no test; index 127 has no ray.
    let first = if grows(direction) {
        (blockers | 1 << 127).trailing_zeros()
    } else {
        (blockers | 1).ilog2()
    };
    Squares(whole ^ rays[first as usize].0)
}

#[inline]
pub(crate) fn rook(from: Square, occupied: Squares) -> Squares {
    let [one, two, three, four] = STRAIGHT.map(|direction| ray(direction, from, occupied));
    one | two | three | four
}

#[inline]
pub(crate) fn bishop(from: Square, occupied: Squares) -> Squares {
    let [one, two, three, four] = DIAGONAL.map(|direction| ray(direction, from, occupied));
    one | two | three | four
}

#[inline]
pub(crate) fn lance(side: Side, from: Square, occupied: Squares) -> Squares {
    match side {
        Side::First => ray(FORWARD[0], from, occupied),
        Side::Second => ray(FORWARD[1], from, occupied),
    }
}

#[inline]
pub(crate) fn king(from: Square) -> Squares {
    KING[from.index()]
}

#[inline]
pub(crate) fn knight(side: Side, from: Square) -> Squares {
    KNIGHT[side.index()][from.index()]
}

#[inline]
pub(crate) fn silver(side: Side, from: Square) -> Squares {
    SILVER[side.index()][from.index()]
}

#[inline]
pub(crate) fn gold(side: Side, from: Square) -> Squares {
    GOLD[side.index()][from.index()]
}

/// The square in front, as a set; empty on the last rank.
#[inline]
pub(crate) fn pawn(side: Side, from: Square) -> Squares {
    (from.bit() & !Squares::last_ranks(side, 1)).forward(side)
}

/// The squares that a piece attacks.
#[inline]
pub(crate) fn of(side: Side, kind: Kind, from: Square, occupied: Squares) -> Squares {
    match kind {
        Kind::Pawn => pawn(side, from),
        Kind::Lance => lance(side, from, occupied),
        Kind::Knight => knight(side, from),
        Kind::Silver => silver(side, from),
        Kind::Bishop => bishop(from, occupied),
        Kind::Rook => rook(from, occupied),
        Kind::King => king(from),
        Kind::Horse => bishop(from, occupied) | king(from),
        Kind::Dragon => rook(from, occupied) | king(from),
        Kind::Gold | Kind::Tokin | Kind::ProLance | Kind::ProKnight | Kind::ProSilver => {
            gold(side, from)
        }
    }
}

/// The squares between two on a common line; empty for others.
#[inline]
pub(crate) fn between(one: Square, other: Square) -> Squares {
    let direction = usize::from(TOWARDS[one.index()][other.index()]);
    if direction == 8 {
        return Squares::NONE;
    }
    // The rays behind the other square, and the square itself, are left out.
    let rays = &RAYS[direction];
    Squares(rays[one.index()].0 ^ rays[other.index()].0) & !other.bit()
}

/// The line through two squares from the first one on, on which the other stands; empty if there is
/// no such line.
#[inline]
pub(crate) fn line(from: Square, through: Square) -> Squares {
    let direction = usize::from(TOWARDS[from.index()][through.index()]);
    if direction == 8 {
        Squares::NONE
    } else {
        RAYS[direction][from.index()]
    }
}
