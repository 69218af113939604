//! Advisors and elephants.

use super::View;
use super::army::number;
use crate::eval::Guards;
use crate::sets::squares_of;

#[inline]
pub(in crate::eval) fn count(view: &View) -> Guards {
    let us = view.us;
    let advisors = number(us.advisors) == 2;
    let elephants = number(us.elephants) == 2;
    // Two advisors protect each other when one is in the centre.
    let linked_advisors = advisors && us.advisors & view.zones.palace_centre != 0;
    let linked_elephants = elephants
        && squares_of(us.elephants)
            .next()
            .is_some_and(|one| view.position.elephant_attacks(one) & us.elephants != 0);
    Guards {
        linked_advisors: i32::from(linked_advisors),
        linked_elephants: i32::from(linked_elephants),
        complete: i32::from(advisors && elephants),
    }
}
