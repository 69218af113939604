//! The neighbourhood of an empty point, and the effect of a stone there.

use arrayvec::ArrayVec;

use crate::{Board, Colour, Point, PointSet};

/// The neighbours of an empty point.
pub(super) struct Around {
    /// The empty points.
    pub(super) empty: ArrayVec<Point, 4>,
    /// The heads of the blocks of each colour.
    pub(super) heads: [ArrayVec<Point, 4>; 2],
}

impl Around {
    #[inline]
    pub(super) fn of(board: &Board, point: Point) -> Self {
        let mut around = Self {
            empty: ArrayVec::new(),
            heads: [ArrayVec::new(), ArrayVec::new()],
        };
        for neighbour in point.neighbours() {
            if let Some(colour) = board.at(neighbour) {
                let (heads, head) = (&mut around.heads[colour.index()], board.block(neighbour));
                if !heads.contains(&head) {
                    heads.push(head);
                }
            } else if board.is_empty(neighbour) {
                around.empty.push(neighbour);
            }
        }
        around
    }

    /// The number of liberties that a stone of `colour` there would have, at most `most`, without
    /// the liberties that captures would open.
    #[inline]
    pub(super) fn liberties(&self, board: &Board, colour: Colour, most: u32) -> u32 {
        let joined = &self.heads[colour.index()];
        let Some((&first, others)) = joined.split_first() else {
            return self.empty.len() as u32;
        };
        let has = |&head: &Point| board.liberty_count(head) > most;
        if joined.iter().any(has) {
            return most;
        }
        if others.is_empty() {
            let liberties = board.liberties(first);
            let new = self.empty.iter().filter(|&&at| !liberties.contains(at));
            return board.liberty_count(first) - 1 + new.count() as u32;
        }
        self.liberty_set(board, colour).len() - 1
    }

    /// These liberties, and the point itself if the stone joins a block.
    pub(super) fn liberty_set(&self, board: &Board, colour: Colour) -> PointSet {
        let mut liberties: PointSet = self.empty.iter().copied().collect();
        for &head in &self.heads[colour.index()] {
            liberties |= board.liberties(head);
        }
        liberties
    }

    /// Returns whether a stone of `colour` takes stones.
    #[inline]
    pub(super) fn takes(&self, board: &Board, colour: Colour) -> bool {
        let others = &self.heads[colour.other().index()];
        others.iter().any(|&head| board.liberty_count(head) == 1)
    }
}
