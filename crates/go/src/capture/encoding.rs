//! Moves as numbers and as text, and the key of a position.

use super::Capture;
use crate::{Board, PASS, Point};
use leitai_base::hash::mix;
use leitai_game::{Move, Position};

/// Bits of a point: the points of a board are below 2^9.
const POINT_BITS: u32 = 9;

/// The move on `point` of a board of this size. The number includes the size, because writing a
/// move as `D4` requires the position of row 1.
pub(super) fn on(board: &Board, point: Point) -> Move {
    Move(u16::from(board.size()) << POINT_BITS | point.0)
}

/// The point of a move on a board of this size.
pub(super) fn point(board: &Board, mv: Move) -> Option<Point> {
    let (size, point) = parts(mv);
    (size == u16::from(board.size()) && board.on_board(point)).then_some(point)
}

fn parts(mv: Move) -> (u16, Point) {
    (mv.0 >> POINT_BITS, Point(mv.0 & ((1 << POINT_BITS) - 1)))
}

/// The move in a text, legal or not.
pub(super) fn read(board: &Board, text: &str) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(PASS);
    }
    let size = board.size();
    let point = Point::from_name(text, size).or_else(|| Point::from_sgf(text, size))?;
    Some(on(board, point))
}

/// The text of a move; `?` for invalid numbers.
pub(super) fn write(mv: Move) -> String {
    if mv == PASS {
        return "pass".to_owned();
    }
    let (size, point) = parts(mv);
    point.name(size.min(19) as u8)
}

/// The key of the stones, the turn, the target and the ko.
pub(super) fn key(position: &Capture) -> u64 {
    /// A salt for each side to move: 2^64 divided by the golden ratio and by the square root of
    /// two.
    const SALT: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xb504_f333_f9de_6484];
    let stones = position.board.key();
    let rest = u64::from(position.target.0)
        | u64::from(position.board.ko().map_or(0, |ko| ko.0)) << 16
        | (position.attacker as u64) << 32
        | u64::from(position.taken) << 33
        | u64::from(position.board.size()) << 34;
    let salt = SALT[position.side_to_move().index()];
    mix(mix(rest ^ salt).wrapping_add(stones as u64) ^ (stones >> 64) as u64)
}
