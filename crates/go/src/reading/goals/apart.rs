//! Points that keep two blocks apart.

use crate::cut::least_cut;
use crate::{Board, Colour, Point, PointSet, life_zone};

/// More than the greatest index of a point.
const INDICES: usize = 448;

/// A stone of the cutter costs less than an empty point, where the other side can play at once.
const PRICES: [u32; 2] = [1, 3];

/// Returns whether a path within `open`, which contains both points, connects them.
fn leads([from, to]: [Point; 2], open: &PointSet) -> bool {
    let mut reached = PointSet::from_iter([from]);
    loop {
        let grown = reached.grown() & *open;
        if grown.contains(to) {
            return true;
        }
        if grown == reached {
            return false;
        }
        reached = grown;
    }
}

/// The points on which a permanent separation of the two stones by unconditionally living blocks of
/// the cutter depends; `None` without such a separation.
pub(super) fn wall(board: &Board, ends: [Point; 2]) -> Option<PointSet> {
    let cutter = board.at(ends[0])?.other();
    let everything = *board.empties() | *board.all(Colour::Black) | *board.all(Colour::White);
    let mut left = *board.all(cutter);
    if leads(ends, &(everything - left)) {
        return None;
    }
    let (mut ground, mut living) = (PointSet::EMPTY, PointSet::EMPTY);
    while let Some(stone) = left.first() {
        if let Some(zone) = life_zone(board, stone) {
            ground |= zone;
            living |= zone & *board.all(cutter);
        }
        left -= board.stones(stone);
        left -= living;
    }
    (!leads(ends, &(everything - living))).then_some(ground)
}

/// Adds points to a zone so that the owner of the two stones cannot join them by plays outside:
/// every path between them has a point of the zone without one of the owner's stones.
pub(super) fn separate(board: &Board, ends: [Point; 2], zone: &mut PointSet) {
    let Some(owner) = board.at(ends[0]) else {
        return;
    };
    let own = *board.all(owner);
    let others = *board.empties() | *board.all(owner.other());
    if !leads(ends, &(own | (others - *zone))) {
        return;
    }
    let point = |index: usize| Point(index as u16);
    let beside = |index: usize| {
        let neighbours = point(index).neighbours();
        neighbours.map(|it| (own.contains(it) || others.contains(it)).then_some(usize::from(it.0)))
    };
    let price = |index: usize| {
        let point = point(index);
        if own.contains(point) {
            None
        } else if zone.contains(point) {
            Some(0)
        } else {
            Some(PRICES[usize::from(board.is_empty(point))])
        }
    };
    let ends = ends.map(|end| usize::from(end.0));
    let cut = least_cut(INDICES, beside, price, ends, u32::MAX);
    zone.extend(cut.into_iter().map(point));
}
