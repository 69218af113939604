//! Continuation history: how well moves have done as answers.

use super::history::saturated;

/// How far back a move looks: at the opponent's last move, and at its own
/// side's before that.
pub(super) const REACH: usize = 2;

/// Scores by the history slots of an earlier move and of the move, for either
/// distance between them. They always saturate, and do not age: there are too
/// many to visit before each search.
pub(super) struct Continuation {
    slots: usize,
    scores: [Vec<i16>; REACH],
}

/// The scores of all moves of one position.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a>([&'a [i16]; REACH]);

impl Answers<'_> {
    /// The sum of a move's scores.
    #[inline]
    pub(super) fn score(&self, slot: usize) -> i32 {
        let score = |row: &&[i16]| row.get(slot).map_or(0, |&score| i32::from(score));
        self.0.iter().map(score).sum()
    }
}

impl Continuation {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            slots,
            scores: std::array::from_fn(|_| vec![0; slots * slots]),
        }
    }

    pub(super) fn clear(&mut self) {
        for scores in &mut self.scores {
            scores.fill(0);
        }
    }

    /// The scores after the moves of these slots, the last one first.
    #[inline]
    pub(super) fn answers(&self, before: [Option<usize>; REACH]) -> Answers<'_> {
        Answers(std::array::from_fn(|distance| {
            before[distance]
                .and_then(|slot| {
                    self.scores[distance]
                        .get(slot * self.slots..)?
                        .get(..self.slots)
                })
                .unwrap_or_default()
        }))
    }

    /// Adds to the scores of the move of `slot` as an answer, or takes away.
    #[inline]
    pub(super) fn add(&mut self, before: [Option<usize>; REACH], slot: usize, bonus: i32) {
        for (scores, before) in self.scores.iter_mut().zip(before) {
            if let Some(before) = before
                && slot < self.slots
                && let Some(score) = scores.get_mut(before * self.slots + slot)
            {
                // Within the limit of saturation, which fits.
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
        let mut table = Continuation::new(5);
        let score = |table: &Continuation, before| table.answers(before).score(4);
        table.add([Some(1), Some(2)], 4, 10);
        table.add([Some(1), None], 4, -3);
        assert_eq!(score(&table, [Some(1), Some(2)]), 17);
        assert_eq!(score(&table, [Some(1), Some(3)]), 7);
        assert_eq!(score(&table, [None, Some(2)]), 10);
        assert_eq!(score(&table, [Some(2), Some(1)]), 0);
        assert_eq!(score(&table, [None, None]), 0);
        assert_eq!(table.answers([Some(1), Some(2)]).score(3), 0);
        for _ in 0..100 {
            table.add([Some(0), Some(0)], 4, LIMIT);
        }
        assert_eq!(score(&table, [Some(0), Some(0)]), 2 * LIMIT);
        table.clear();
        assert_eq!(score(&table, [Some(1), Some(2)]), 0);
    }

    #[test]
    fn what_lies_beyond_the_slots_is_forgotten() {
        let mut table = Continuation::new(3);
        table.add([Some(0), Some(7)], 3, 10);
        table.add([Some(7), None], 0, 10);
        assert!(table.scores.iter().flatten().all(|&score| score == 0));
        assert_eq!(table.answers([Some(7), Some(3)]).score(0), 0);
        assert_eq!(table.answers([Some(0), None]).score(3), 0);
    }
}
