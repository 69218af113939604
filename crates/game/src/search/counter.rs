//! Counter moves: quiet moves that cut off as a reply to a move.

use crate::Move;

/// The latest reply that cut off, by the history slot of the move before it.
pub(super) struct CounterMoves {
    answers: Vec<Option<Move>>,
}

impl CounterMoves {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            answers: vec![None; slots],
        }
    }

    pub(super) fn clear(&mut self) {
        self.answers.fill(None);
    }

    #[inline]
    pub(super) fn to(&self, slot: usize) -> Option<Move> {
        self.answers.get(slot).copied().flatten()
    }

    #[inline]
    pub(super) fn remember(&mut self, slot: usize, mv: Move) {
        if let Some(answer) = self.answers.get_mut(slot) {
            *answer = Some(mv);
        }
    }
}
