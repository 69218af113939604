//! The position in the solver: two sets of discs.

use crate::{Othello, bits};
use leitai_game::Position;

/// Discs of the side to move and of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Board {
    pub(super) own: u64,
    pub(super) opponent: u64,
}

impl Board {
    pub(super) fn of(position: &Othello) -> Self {
        let side = position.side_to_move();
        Self {
            own: position.discs(side),
            opponent: position.discs(side.other()),
        }
    }

    #[inline]
    pub(super) fn empties(self) -> u64 {
        !(self.own | self.opponent)
    }

    #[inline]
    pub(super) fn mobility(self) -> u64 {
        bits::mobility(self.own, self.opponent)
    }

    #[inline]
    pub(super) fn flips(self, square: usize) -> u64 {
        bits::flips(self.own, self.opponent, square)
    }

    /// The position after a disc on `square` that flips `flips`.
    #[inline]
    pub(super) fn after(self, square: usize, flips: u64) -> Self {
        Self {
            own: self.opponent ^ flips,
            opponent: self.own | flips | 1 << (square & 63),
        }
    }

    #[inline]
    pub(super) fn passed(self) -> Self {
        Self {
            own: self.opponent,
            opponent: self.own,
        }
    }
}

/// The squares of a set, lowest first.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}
