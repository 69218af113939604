//! Combinations of kinds of pieces.

use super::View;
use crate::eval::Teamwork;

#[inline]
pub(in crate::eval) fn count(view: &View) -> Teamwork {
    let us = view.us;
    let (rooks, horses, cannons) = (us.rooks.number(), us.horses.number(), us.cannons.number());
    Teamwork {
        rook_and_horse: rooks.min(horses),
        rook_and_cannon: rooks.min(cannons),
        horse_and_cannon: horses.min(cannons),
    }
}
