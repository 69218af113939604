//! Eyes by their shape.

use crate::{Board, Colour, Point};

/// Returns whether the empty `point` is a real eye of `colour` by its shape: all neighbours are
/// stones of that colour, and so are at least three of four diagonal points in the middle of the
/// board, both at the edge, and the only one in the corner.
pub fn is_real_eye(board: &Board, point: Point, colour: Colour) -> bool {
    let is_own = |point: Point| board.at(point) == Some(colour);
    if !board.is_empty(point) {
        return false;
    }
    let mut neighbours = point.neighbours().into_iter();
    if !neighbours.all(|point| !board.on_board(point) || is_own(point)) {
        return false;
    }
    let mut diagonals = 0;
    let mut own = 0;
    for diagonal in point.diagonals() {
        if board.on_board(diagonal) {
            diagonals += 1;
            own += u32::from(is_own(diagonal));
        }
    }
    own >= if diagonals == 4 { 3 } else { diagonals }
}
