//! What programs that play on 8 x 8 squares by the Go Text Protocol call colours and
//! moves, and how a game begins.

use crate::game::Side;

/// Squares of a row.
pub(crate) const BOARD_SIZE: u32 = 8;
/// A move that sets no disc.
pub(crate) const PASS: &str = "pass";

/// The colour of a side: black begins.
pub(crate) const fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// Who makes the move of that number, counted from 0 at the usual start: a pass is a
/// move.
pub(crate) const fn mover(index: usize) -> Side {
    if index.is_multiple_of(2) {
        Side::First
    } else {
        Side::Second
    }
}
