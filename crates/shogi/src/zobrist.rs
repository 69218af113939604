//! Hash keys of positions.

use leitai_game::{Move, Side};

use super::board::Shogi;
use super::moves::{Parts, unpack};
use super::piece::{Kind, Piece};
use super::square::{SQUARES, Square};

/// The change of a key with the turn.
pub(crate) const TURN: u64 = 0x5a17_3c0f_92d4_be61;

/// Possible counts of one kind in a hand, 0 to 18.
const MOST: usize = 19;

/// A step of `SplitMix64` (Steele, Lea & Flood 2014), whose numbers depend on the index alone.
const fn mixed(index: u64) -> u64 {
    let number = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

static BOARD: [[[u64; SQUARES]; Kind::COUNT]; 2] = board();
static HANDS: [[[u64; MOST]; 7]; 2] = hands();

#[expect(clippy::large_stack_arrays, reason = "computed by the compiler")]
const fn board() -> [[[u64; SQUARES]; Kind::COUNT]; 2] {
    let mut keys = [[[0; SQUARES]; Kind::COUNT]; 2];
    let mut index = 0;
    while index < 2 * Kind::COUNT * SQUARES {
        keys[index / SQUARES / Kind::COUNT][index / SQUARES % Kind::COUNT][index % SQUARES] =
            mixed(index as u64);
        index += 1;
    }
    keys
}

const fn hands() -> [[[u64; MOST]; 7]; 2] {
    let mut keys = [[[0; MOST]; 7]; 2];
    let mut index = 0;
    while index < 2 * 7 * MOST {
        // No piece has no key.
        if index % MOST > 0 {
            keys[index / MOST / 7][index / MOST % 7][index % MOST] = mixed(1 << 32 | index as u64);
        }
        index += 1;
    }
    keys
}

/// The key of a piece on a square.
#[inline]
pub(crate) fn on_board(square: Square, piece: Piece) -> u64 {
    BOARD[piece.side.index()][piece.kind as usize][square.index()]
}

/// The key of a number of pieces in a hand.
#[inline]
pub(crate) fn in_hand(side: Side, kind: Kind, count: u8) -> u64 {
    HANDS[side.index()][kind as usize][usize::from(count) % MOST]
}

/// The key of a whole position.
pub(crate) fn key(position: &Shogi) -> u64 {
    keys(position).0
}

/// The key of a position, and that of its mirror image.
pub(crate) fn keys(position: &Shogi) -> (u64, u64) {
    let turn = match position.turn() {
        Side::First => 0,
        Side::Second => TURN,
    };
    let (mut key, mut mirrored) = (turn, turn);
    for side in Side::BOTH {
        for square in position.of_side(side) {
            if let Some(piece) = position.piece_on(square) {
                key ^= on_board(square, piece);
                mirrored ^= on_board(square.mirrored(), piece);
            }
        }
        for (kind, count) in Kind::IN_HAND.into_iter().zip(position.hand(side)) {
            let hand = in_hand(side, kind, count);
            key ^= hand;
            mirrored ^= hand;
        }
    }
    (key, mirrored)
}

/// The key after a legal move; `None` for a number that is no move.
#[inline]
pub(crate) fn key_after(position: &Shogi, mv: Move) -> Option<u64> {
    let side = position.turn();
    let hand = |kind: Kind, from: u8, to: u8| in_hand(side, kind, from) ^ in_hand(side, kind, to);
    let count = |kind: Kind| position.hand(side)[kind as usize];
    let key = position.stored_key() ^ TURN;
    Some(match unpack(mv)? {
        Parts::Drop { kind, to } => {
            let count = count(kind);
            key ^ hand(kind, count, count.saturating_sub(1)) ^ on_board(to, Piece { side, kind })
        }
        Parts::Step { from, to, promotes } => {
            let moved = position.piece_on(from)?;
            let promoted = if promotes {
                moved.kind.promoted()
            } else {
                None
            };
            let kind = promoted.unwrap_or(moved.kind);
            let key = key ^ on_board(from, moved) ^ on_board(to, Piece { side, kind });
            match position.piece_on(to) {
                None => key,
                Some(victim) => {
                    let base = victim.kind.base();
                    let count = count(base);
                    key ^ on_board(to, victim) ^ hand(base, count, count + 1)
                }
            }
        }
    })
}
