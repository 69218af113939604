//! Mobility of pieces.

use super::View;
use super::army::{Pair, number};
use crate::eval::Mobility;

#[inline]
pub(in crate::eval) fn count(view: &View) -> Mobility {
    Mobility {
        rook: beyond(&view.us.rooks, 8),
        horse: beyond(&view.us.horses, 4),
        cannon: beyond(&view.us.cannons, 9),
    }
}

/// The squares of each piece minus the `usual` number, so that the weight does not change the
/// average value of the piece.
#[inline]
fn beyond(pieces: &Pair, usual: i32) -> i32 {
    let [one, other] = pieces.places();
    number(one.safe) + number(other.safe) - usual * pieces.number()
}
