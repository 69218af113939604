//! Compares the board with a stateless model: a grid with flood fill.

mod board;
mod model;
mod points;

use crate::{Board, Point, PointSet};

impl Board {
    /// The heads of the enemy blocks that touch the block of `point`, in ascending order of the
    /// first point of contact.
    pub(crate) fn adjacent_blocks(&self, point: Point) -> Vec<Point> {
        let Some(colour) = self.at(point) else {
            return Vec::new();
        };
        let mut seen = PointSet::EMPTY;
        let touching = self.stones(point).grown() & *self.all(colour.other());
        let heads = touching.iter().map(|stone| self.block(stone));
        heads.filter(|&head| seen.insert(head)).collect()
    }
}
