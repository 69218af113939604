//! Points that keep two blocks apart, independent of play elsewhere.

use super::certificate::{Spot, Stone};
use super::life::life;
use super::points::{POINTS, Points, STRIDE, index};
use super::rules::Board;
use leitai_go::cut::least_cut;

/// Returns whether a path that avoids `closed` leads from one point to the other.
fn leads(board: &Board, [from, to]: [Spot; 2], closed: &Points) -> bool {
    let mut seen = Points::from_iter([from]);
    let mut open = vec![from];
    while let Some(spot) = open.pop() {
        for beside in board.beside(spot) {
            if !seen.contains(beside) && !closed.contains(beside) {
                seen.insert(beside);
                open.push(beside);
            }
        }
    }
    seen.contains(to)
}

/// The points of unconditionally living blocks of `cutter` that keep two points apart, with the
/// points on which their life depends; `None` if no such blocks do.
pub(super) fn wall(board: &Board, cutter: Stone, ends: [Spot; 2]) -> Option<Points> {
    let (mut ground, mut living) = (Points::default(), Points::default());
    for spot in board.spots() {
        if board.at(spot) == Some(cutter)
            && !living.contains(spot)
            && let Some(zone) = life(board, spot)
        {
            ground.add(&zone);
            zone.iter()
                .filter(|&it| board.at(it) == Some(cutter))
                .for_each(|it| living.insert(it));
        }
    }
    (!leads(board, ends, &living)).then_some(ground)
}

/// A stone of the cutter costs less than an empty point, where the other side can play at once.
const PRICES: [u32; 2] = [1, 3];

/// Adds points to a zone so that the other side, which owns the stones at `ends`, cannot join them
/// by plays outside: every path between them has a point of the zone without one of its stones.
pub(super) fn separate(board: &Board, cutter: Stone, ends: [Spot; 2], zone: &mut Points) {
    let own = |spot: Spot| board.at(spot) == Some(cutter.other());
    let closed = |zone: &Points| zone.iter().filter(|&spot| !own(spot)).collect::<Points>();
    if !leads(board, ends, &closed(zone)) {
        return;
    }
    let spot = |number: usize| Spot {
        col: (number % STRIDE) as u8,
        row: (number / STRIDE) as u8,
    };
    let beside = |number: usize| {
        let mut found = [None; 4];
        let spots = board.beside(spot(number)).map(index);
        found
            .iter_mut()
            .zip(spots)
            .for_each(|(slot, it)| *slot = Some(it));
        found
    };
    let price = |number: usize| match board.at(spot(number)) {
        Some(stone) if stone != cutter => None,
        _ if zone.contains(spot(number)) => Some(0),
        Some(_) => Some(PRICES[0]),
        None => Some(PRICES[1]),
    };
    let cut = least_cut(POINTS, beside, price, ends.map(index), u32::MAX);
    for point in cut {
        zone.insert(spot(point));
    }
    // Does not rely on the minimal cut: all adjacent points always cut.
    if leads(board, ends, &closed(zone))
        && let Some(block) = board.block(ends[0])
    {
        zone.add(&block.liberties);
        zone.add(&block.around);
    }
}
