//! Relations between pawns.

use super::View;
use super::army::number;
use super::zones::right;
use crate::eval::Pawns;

#[inline]
pub(in crate::eval) fn count(view: &View) -> Pawns {
    let across = view.us.pawns & view.zones.far_half;
    Pawns {
        hand_in_hand: number(across & right(across)),
        protected: number(across & view.us.attacks),
    }
}
