//! What programs that play on 8 x 8 squares by the Go Text Protocol call colours and
//! moves, and how a game begins.

use crate::game::Side;

/// Squares of a row.
pub(crate) const BOARD_SIZE: u32 = 8;
/// A move that sets no disc.
pub(crate) const PASS: &str = "pass";

/// The colour of a side: black begins.
pub(crate) fn colour(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

/// Who makes the move of that number, counted from 0 at the usual start: a pass is a
/// move.
pub(crate) fn mover(index: usize) -> Side {
    Side::BOTH[index % 2]
}
