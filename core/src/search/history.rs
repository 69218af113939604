//! History scores of moves.

use super::params::History;
use super::{HistoryBonus, HistoryIndex, Tactics};
use crate::game::Move;

/// Limit of scores that only grow: beyond it all are halved, which keeps their order.
const FULL: i32 = 1 << 30;

/// Bound, in both directions, of scores that can fall.
pub(super) const LIMIT: i32 = 1 << 14;

/// Success of moves, independent of the position.
pub(super) struct HistoryTable {
    scores: Vec<i32>,
    index: HistoryIndex,
    ageing: i32,
    /// True if scores can fall.
    saturating: bool,
}

impl HistoryTable {
    pub(super) fn new<P: Tactics>(params: &History) -> Self {
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

    pub(super) fn clear(&mut self) {
        self.scores.fill(0);
    }

    /// Starts a search: old scores are reduced.
    pub(super) fn age(&mut self) {
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

    #[inline]
    pub(super) fn score<P: Tactics>(&self, position: &P, mv: Move) -> i32 {
        let slot = self.slot(position, mv);
        self.scores.get(slot).copied().unwrap_or(0)
    }

    /// Adds a bonus of either sign to the score of `mv`.
    #[inline]
    pub(super) fn add<P: Tactics>(&mut self, position: &P, mv: Move, bonus: i32) {
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
pub(super) fn bonus(params: &History, depth: u32) -> i32 {
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
pub(super) fn saturated(score: i32, bonus: i32) -> i32 {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    score + bonus - score * bonus.abs() / LIMIT
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Position;
    use crate::games::othello::Othello;
    use crate::games::xiangqi::Xiangqi;

    fn table(params: &History) -> HistoryTable {
        HistoryTable::new::<Othello>(params)
    }

    #[test]
    fn a_full_score_halves_all() {
        let position = Othello::initial();
        let mut table = table(&History::default());
        let score = |table: &HistoryTable, mv| table.score(&position, Move(mv));
        table.add(&position, Move(1), 4096);
        while score(&table, 0) <= FULL - 1_000_000 {
            table.add(&position, Move(0), 1_000_000);
        }
        table.add(&position, Move(0), 1_000_000);
        assert!((FULL / 2..FULL / 2 + 1_000_000).contains(&score(&table, 0)));
        assert_eq!(score(&table, 1), 2048);
    }

    #[test]
    fn a_new_search_divides_what_is_old() {
        let position = Othello::initial();
        for (ageing, expected) in [(1, 100), (2, 50), (3, 33), (1_000_000, 0)] {
            let mut table = table(&History {
                ageing,
                ..History::default()
            });
            table.add(&position, Move(1), 100);
            table.age();
            assert_eq!(table.score(&position, Move(1)), expected);
            table.clear();
            assert_eq!(table.score(&position, Move(1)), 0);
        }
    }

    #[test]
    fn a_score_belongs_to_what_the_index_says() {
        let position = Xiangqi::initial();
        let [left, right] = ["c0e2", "g0e2"].map(|mv| position.parse_move(mv).unwrap());
        for (index, shared) in [(HistoryIndex::PieceTo, true), (HistoryIndex::FromTo, false)] {
            let params = History {
                index,
                ..History::default()
            };
            let mut table = HistoryTable::new::<Xiangqi>(&params);
            table.add(&position, left, 5);
            assert_eq!(table.score(&position, left), 5);
            assert_eq!(table.score(&position, right) == 5, shared, "{index:?}");
        }
    }

    #[test]
    fn bonuses_by_depth() {
        let bonuses = HistoryBonus::ALL.iter().map(|&kind| {
            let params = History {
                bonus: kind,
                slope: 100,
                most: 350,
                ..History::default()
            };
            [bonus(&params, 3), bonus(&params, 7)]
        });
        assert_eq!(
            bonuses.collect::<Vec<_>>(),
            [[9, 49], [3, 7], [1, 1], [300, 350]]
        );
    }

    proptest! {
        #[test]
        fn saturated_scores_stay_within_the_limit(
            score in -LIMIT..=LIMIT,
            bonus in -2 * LIMIT..=2 * LIMIT,
        ) {
            let after = saturated(score, bonus);
            prop_assert!(after.abs() <= LIMIT);
            prop_assert_eq!(saturated(-score, -bonus), -after);
            prop_assert!(bonus <= 0 || after >= score);
            // A score of 0 gets the full bonus; a score at the limit gains nothing.
            prop_assert_eq!(saturated(0, bonus), bonus.clamp(-LIMIT, LIMIT));
            prop_assert_eq!(saturated(LIMIT, bonus.abs()), LIMIT);
        }
    }
}
