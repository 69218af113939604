//! Placement of horses.

use super::View;
use super::army::number;
use super::zones::ahead;
use crate::eval::Horses;

#[inline]
pub(in crate::eval) fn count(view: &View) -> Horses {
    let us = view.us;
    let king_at_home = us.king.bit() & view.zones.home_rank != 0 && us.king.file() == 4;
    Horses {
        linked: us.horses.both().map_or(0, |(one, other)| {
            let each_other =
                one.attacks & other.square.bit() != 0 && other.attacks & one.square.bit() != 0;
            i32::from(each_other)
        }),
        stuck: us.horses.count(|horse| number(horse.safe) <= 1),
        behind_pawn: us
            .horses
            .count(|horse| ahead(us.side, horse.square.bit()) & us.pawns != 0),
        palace_heart: us
            .horses
            .count(|horse| king_at_home && horse.square.bit() & view.zones.palace_centre != 0),
    }
}
