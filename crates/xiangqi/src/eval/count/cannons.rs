//! Pressure of cannons on the enemy's king, and their missing screens at home.

use super::View;
use crate::eval::Cannons;

#[inline]
pub(in crate::eval) fn count(view: &View) -> Cannons {
    let (us, them) = (view.us, view.them);
    let far_rank = view.zones.far_rank;
    let king_at_home = them.king.bit() & far_rank != 0;
    let mut cannons = Cannons::default();
    for cannon in us.cannons.iter() {
        if cannon.square.file() == them.king.file() {
            match view.position.pieces_between(cannon.square, them.king) {
                0 => cannons.bare_file += 1,
                2 => cannons.two_screens += 1,
                _ => {}
            }
        } else if king_at_home && cannon.square.bit() & far_rank != 0 {
            cannons.bottom += them.lost_advisors() + them.lost_elephants();
        }
        cannons.missing_guards += us.lost_advisors() + us.lost_elephants();
    }
    cannons
}
