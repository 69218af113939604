//! History scores of moves.

use super::params::History;
use super::{HistoryBonus, HistoryIndex, Tactics};
use crate::Move;

/// Limit of scores that only grow: beyond it all are halved, which keeps their order.
pub const FULL: i32 = 1 << 30;

/// Bound, in both directions, of scores that can fall.
pub const LIMIT: i32 = 1 << 14;

/// Success of moves, independent of the position.
pub struct HistoryTable {
    scores: Vec<i32>,
    index: HistoryIndex,
    ageing: i32,
    /// True if scores can fall.
    saturating: bool,
}

impl HistoryTable {
    /// Scores of zero.
    pub fn new<P: Tactics>(params: &History) -> Self {
        let slots = match params.index {
            HistoryIndex::PieceTo => P::HISTORY_SLOTS,
            HistoryIndex::FromTo => P::FROM_TO_SLOTS,
        };
        Self {
            scores: vec![0; slots],
            index: params.index,
            ageing: i32::try_from(params.ageing).unwrap_or(i32::MAX),
            saturating: params.penalty,
        }
    }

    /// Forgets all scores.
    pub fn clear(&mut self) {
        self.scores.fill(0);
    }

    /// Starts a search: old scores are reduced.
    pub fn age(&mut self) {
        match self.ageing {
            0 | 1 => {}
            2 => self.halve(),
            divisor => {
                for score in &mut self.scores {
                    *score /= divisor;
                }
            }
        }
    }

    fn halve(&mut self) {
        for score in &mut self.scores {
            *score /= 2;
        }
    }

    #[inline]
    fn slot<P: Tactics>(&self, position: &P, mv: Move) -> usize {
        match self.index {
            HistoryIndex::PieceTo => position.history_slot(mv),
            HistoryIndex::FromTo => position.from_to_slot(mv),
        }
    }

    /// The score of a move.
    #[inline]
    pub fn score<P: Tactics>(&self, position: &P, mv: Move) -> i32 {
        let slot = self.slot(position, mv);
        self.scores.get(slot).copied().unwrap_or(0)
    }

    /// Adds a bonus of either sign to the score of `mv`.
    #[inline]
    pub fn add<P: Tactics>(&mut self, position: &P, mv: Move, bonus: i32) {
        self.add_at(self.slot(position, mv), bonus);
    }

    /// Adds a bonus to the move with this slot (by piece and target), if scores are kept by piece
    /// and target.
    #[inline]
    pub(super) fn add_to(&mut self, slot: usize, bonus: i32) {
        if self.index == HistoryIndex::PieceTo {
            self.add_at(slot, bonus);
        }
    }

    #[inline]
    fn add_at(&mut self, slot: usize, bonus: i32) {
        let Some(score) = self.scores.get_mut(slot) else {
            return;
        };
        if self.saturating {
            *score = saturated(*score, bonus);
        } else {
            *score += bonus;
            if *score > FULL {
                self.halve();
            }
        }
    }
}

/// The bonus of the best move of a search to `depth`.
#[inline]
pub fn bonus(params: &History, depth: u32) -> i32 {
    match params.bonus {
        HistoryBonus::Linear => (params.slope * depth).min(params.most) as i32,
        HistoryBonus::DepthSquared => (depth * depth) as i32,
        HistoryBonus::Depth => depth as i32,
        HistoryBonus::One => 1,
    }
}

/// A score after a bonus of either sign: the nearer to [`LIMIT`], the less is added and the more is
/// subtracted.
#[inline]
pub fn saturated(score: i32, bonus: i32) -> i32 {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    score + bonus - score * bonus.abs() / LIMIT
}
