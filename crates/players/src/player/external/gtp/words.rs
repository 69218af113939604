//! Names of colours and moves in the Go Text Protocol on 8 x 8 squares, and the order of moves.

use leitai_game::Side;

/// Squares per row.
pub(crate) const BOARD_SIZE: u32 = 8;
/// A move without a disc.
pub(crate) const PASS: &str = "pass";

/// The colour of a side: black begins.
pub(crate) fn colour(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

/// The side that makes the move with the given index, counted from 0 at the usual start: a pass is
/// a move.
pub(crate) fn mover(index: usize) -> Side {
    Side::BOTH[index % 2]
}
