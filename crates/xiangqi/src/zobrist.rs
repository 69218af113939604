//! Hash keys: one random number per piece and square, one for the side to
//! move. The numbers come from SplitMix64 at compile time and never change,
//! so keys are the same on every machine and in every version.

use super::board::{Piece, Xiangqi};
use super::kind::Kind;
use super::square::{Square, squares};
use leitai_base::hash::split_mix;
use leitai_game::Side;

static PIECES: [[u64; 90]; Piece::COUNT] = parts(false);

/// Key parts of the mirrored position, by the squares of this one.
static MIRRORED: [[u64; 90]; Piece::COUNT] = parts(true);

const fn parts(is_mirrored: bool) -> [[u64; 90]; Piece::COUNT] {
    let mut table = [[0; 90]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut place = 0;
        while place < 90 {
            let on = Square::of(place);
            let on = if is_mirrored { on.mirrored() } else { on };
            table[piece][place] = split_mix((piece * 90 + on.index()) as u64 + 1);
            place += 1;
        }
        piece += 1;
    }
    table
}

/// Part of the key when Black is to move.
pub(super) const SIDE: u64 = split_mix(10_000);

/// Part of the key for a piece (index below 14) on a square.
#[inline]
pub(super) fn piece(index: u8, square: Square) -> u64 {
    PIECES[usize::from(index)][square.index()]
}

/// Number of parts of a key.
pub(super) const PARTS: usize = 4;

/// The number of the key part that contains a piece (index below 14): 0 for pawns, advisors and
/// elephants of both sides, 1 and 2 for the other pieces of each side, 3 for kings.
#[inline]
pub(super) fn part(index: u8) -> usize {
    const OF: [u8; Piece::COUNT] = {
        let mut of = [0; Piece::COUNT];
        let mut index = 0;
        while index < Piece::COUNT {
            of[index] = match Kind::ALL[index % 7] {
                Kind::Pawn | Kind::Advisor | Kind::Elephant => 0,
                Kind::Rook | Kind::Horse | Kind::Cannon => 1 + (index / 7) as u8,
                Kind::King => 3,
            };
            index += 1;
        }
        of
    };
    usize::from(OF[usize::from(index)])
}

/// The parts of the key, computed from scratch.
pub(super) fn parts_of(position: &Xiangqi) -> [u64; PARTS] {
    let mut parts = [0; PARTS];
    for square in squares(position.sides[0] | position.sides[1]) {
        let index = position.mailbox[square.index()];
        parts[part(index)] ^= piece(index, square);
    }
    parts
}

/// The key, computed from scratch.
pub(super) fn key(position: &Xiangqi) -> u64 {
    keyed(position, &PIECES)
}

/// The key of the position mirrored left-right, which is equivalent.
pub(super) fn mirrored_key(position: &Xiangqi) -> u64 {
    keyed(position, &MIRRORED)
}

/// Called for every position below the openings of a book.
fn keyed(position: &Xiangqi, parts: &[[u64; 90]; Piece::COUNT]) -> u64 {
    let side = if position.to_move == Side::First {
        0
    } else {
        SIDE
    };
    squares(position.sides[0] | position.sides[1]).fold(side, |key, square| {
        let place = square.index();
        key ^ parts[usize::from(position.mailbox[place])][place]
    })
}
