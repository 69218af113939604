//! The principal variation, collected on the way up.

use arrayvec::ArrayVec;

use super::MAX_PLY;
use crate::Move;

/// Capacity of a line; more than any line needs.
pub(super) const SIZE: usize = MAX_PLY as usize + 2;

/// The best line found so far from each ply of the current path.
pub(super) struct Variation {
    /// Row `ply` contains the line from there on.
    moves: Vec<[Move; SIZE]>,
    lengths: [usize; SIZE],
    /// The best line from the root, independent of later searches.
    pub(super) kept: ArrayVec<Move, SIZE>,
}

impl Variation {
    pub(super) fn new() -> Self {
        Self {
            moves: vec![[Move(0); SIZE]; SIZE],
            lengths: [0; SIZE],
            kept: ArrayVec::new(),
        }
    }

    /// Clears the line from `ply` on.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// Sets the line from `ply` on to `mv` and the line of the next ply.
    #[inline]
    pub(super) fn set(&mut self, ply: usize, mv: Move) {
        let length = self.lengths[ply + 1];
        let (before, after) = self.moves.split_at_mut(ply + 1);
        before[ply][0] = mv;
        before[ply][1..=length].copy_from_slice(&after[0][..length]);
        self.lengths[ply] = length + 1;
    }

    /// The line from `ply` on.
    pub(super) fn after(&self, ply: usize) -> &[Move] {
        &self.moves[ply][..self.lengths[ply]]
    }

    /// Keeps a line of one move.
    pub(super) fn begin(&mut self, mv: Move) {
        self.kept.clear();
        self.kept.push(mv);
    }

    /// Keeps the line from the root, independent of later searches.
    pub(super) fn keep(&mut self) {
        self.kept.clear();
        let line = self.moves[0].into_iter().take(self.lengths[0]);
        self.kept.extend(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_towards_the_root() {
        let mut variation = Variation::new();
        variation.clear(2);
        variation.set(1, Move(11));
        variation.set(0, Move(1));
        variation.keep();
        variation.clear(1);
        variation.set(0, Move(2));
        assert_eq!(variation.kept[..], [Move(1), Move(11)]);
        variation.keep();
        assert_eq!(variation.kept[..], [Move(2)]);
        variation.begin(Move(3));
        assert_eq!(variation.kept[..], [Move(3)]);
        for ply in (0..MAX_PLY as usize).rev() {
            variation.set(ply, Move(ply as u16));
        }
        variation.keep();
        assert_eq!(variation.kept.len(), MAX_PLY as usize);
    }
}
