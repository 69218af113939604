//! Continuation history: the success of moves as replies.

use super::history::saturated;

/// Distances in plies to the earlier moves: the opponent's last move, the own side's move before
/// it, and optionally the own side's move before that.
pub(super) const DISTANCES: [usize; REACH] = [1, 2, 4];

/// Number of earlier moves.
pub(super) const REACH: usize = 3;

/// Scores by the history slots of an earlier move and of the reply, for each distance between them.
/// They always saturate, and do not age: there are too many to visit before each search.
pub(super) struct Continuation {
    slots: usize,
    /// Empty for an unused distance.
    scores: [Vec<i16>; REACH],
}

/// The scores of all replies in one position.
#[derive(Clone, Copy)]
pub(super) struct ReplyScores<'a>([&'a [i16]; REACH]);

impl ReplyScores<'_> {
    #[inline]
    pub(super) fn score(&self, slot: usize) -> i32 {
        let score = |row: &&[i16]| row.get(slot).map_or(0, |&score| i32::from(score));
        self.0.iter().map(score).sum()
    }
}

impl Continuation {
    /// With `far`, uses all [`DISTANCES`], otherwise the first two.
    pub(super) fn new(slots: usize, far: bool) -> Self {
        let used = if far { REACH } else { 2 };
        let size = |distance| if distance < used { slots * slots } else { 0 };
        Self {
            slots,
            scores: std::array::from_fn(|distance| vec![0; size(distance)]),
        }
    }

    pub(super) fn clear(&mut self) {
        for scores in &mut self.scores {
            scores.fill(0);
        }
    }

    /// The scores of replies to the moves with these slots, the last one first.
    #[inline]
    pub(super) fn reply_scores(&self, before: [Option<usize>; REACH]) -> ReplyScores<'_> {
        ReplyScores(std::array::from_fn(|distance| {
            before[distance]
                .and_then(|slot| {
                    self.scores[distance]
                        .get(slot * self.slots..)?
                        .get(..self.slots)
                })
                .unwrap_or_default()
        }))
    }

    /// Adds a bonus of either sign to the scores of the move with `slot` as a reply.
    #[inline]
    pub(super) fn add(&mut self, before: [Option<usize>; REACH], slot: usize, bonus: i32) {
        for (scores, before) in self.scores.iter_mut().zip(before) {
            if let Some(before) = before
                && slot < self.slots
                && let Some(score) = scores.get_mut(before * self.slots + slot)
            {
                // Fits: saturation limits the score.
                *score = saturated(i32::from(*score), bonus) as i16;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::LIMIT;
    use super::*;

    #[test]
    fn answers_belong_to_both_moves_before() {
        let mut table = Continuation::new(5, true);
        let score = |table: &Continuation, before| table.reply_scores(before).score(4);
        table.add([Some(1), Some(2), None], 4, 10);
        table.add([Some(1), None, None], 4, -3);
        assert_eq!(score(&table, [Some(1), Some(2), None]), 17);
        assert_eq!(score(&table, [Some(1), Some(3), None]), 7);
        assert_eq!(score(&table, [None, Some(2), None]), 10);
        assert_eq!(score(&table, [Some(2), Some(1), None]), 0);
        assert_eq!(score(&table, [None, None, None]), 0);
        assert_eq!(table.reply_scores([Some(1), Some(2), None]).score(3), 0);
        for _ in 0..100 {
            table.add([Some(0), Some(0), None], 4, LIMIT);
        }
        assert_eq!(score(&table, [Some(0), Some(0), None]), 2 * LIMIT);
        table.clear();
        assert_eq!(score(&table, [Some(1), Some(2), None]), 0);
    }

    #[test]
    fn entries_beyond_the_slots_are_dropped() {
        let mut table = Continuation::new(3, false);
        table.add([Some(0), Some(7), None], 3, 10);
        table.add([Some(7), None, None], 0, 10);
        assert!(table.scores.iter().flatten().all(|&score| score == 0));
        assert_eq!(table.reply_scores([Some(7), Some(3), None]).score(0), 0);
        assert_eq!(table.reply_scores([Some(0), None, None]).score(3), 0);
    }
}
