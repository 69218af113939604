//! Stones and liberties of blocks.

use super::super::point::Point;
use super::super::set::PointSet;
use super::{Board, EMPTY, index};

impl Board {
    /// The head of the block of a stone: one of its stones, the same for all of them until the next
    /// play. The choice depends on the order of the plays. A point without a stone is its own block
    /// of no stones.
    #[inline]
    pub fn block(&self, point: Point) -> Point {
        if self.cell(point) < EMPTY {
            Point(self.heads[index(point)])
        } else {
            point
        }
    }

    /// The stones of the block of `point`; none if there is no stone.
    #[inline]
    pub fn stones(&self, point: Point) -> PointSet {
        let mut stones = PointSet::EMPTY;
        if self.cell(point) < EMPTY {
            self.for_each_stone(point, |stone| {
                stones.insert(stone);
            });
        }
        stones
    }

    /// Calls `visit` with every stone of the block of `point`, which must have one.
    #[inline]
    pub(crate) fn for_each_stone(&self, point: Point, mut visit: impl FnMut(Point)) {
        let mut stone = point;
        loop {
            visit(stone);
            stone = Point(self.nexts[index(stone)]);
            if stone == point {
                break;
            }
        }
    }

    /// The liberties of the block of `point`: the empty points next to it;
    /// none if there is no stone.
    #[inline]
    pub fn liberties(&self, point: Point) -> PointSet {
        if self.cell(point) < EMPTY {
            self.group(point).liberties
        } else {
            PointSet::EMPTY
        }
    }

    /// The number of liberties of the block of `point`; 0 if there is no stone.
    #[inline]
    pub fn liberty_count(&self, point: Point) -> u32 {
        if self.cell(point) < EMPTY {
            u32::from(self.group(point).liberty_count)
        } else {
            0
        }
    }

    /// The number of stones in the block of `point`; 0 if there is no stone.
    #[inline]
    pub fn stone_count(&self, point: Point) -> u32 {
        if self.cell(point) < EMPTY {
            u32::from(self.group(point).stone_count)
        } else {
            0
        }
    }
}
