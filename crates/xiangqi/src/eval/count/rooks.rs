//! Placement of rooks.

use super::View;
use super::army::number;
use super::zones::FILES;
use crate::eval::Rooks;

#[inline]
pub(in crate::eval) fn count(view: &View) -> Rooks {
    let rooks = &view.us.rooks;
    Rooks {
        open_file: rooks.count(|rook| {
            let file = FILES[rook.square.file()];
            rook.attacks & !view.us.all & file & view.zones.far_half != 0
        }),
        shut_in: rooks.count(|rook| number(rook.safe) <= 3),
        linked: rooks.both().map_or(0, |(one, other)| {
            i32::from(one.attacks & other.square.bit() != 0)
        }),
    }
}
