//! Failures of a tune's players by the values of its dimensions.

use std::cmp::Ordering;

use super::batches::batch_reliability;
use super::reliability::{FailedGames, Failing};
use crate::store::BatchRow;
use leitai_config::Share;

/// The probability that any value of a tune is ended if no value fails in more than the tolerated
/// share of its games.
const CHANCE: f64 = 0.01;

/// One of the two values that a dimension has in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimensionValue {
    /// The dimension's index.
    pub dimension: usize,
    /// True for the higher of the two values.
    pub is_higher: bool,
}

/// Failures of players at the higher and at the lower value of each dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueReliability {
    dimensions: Vec<[FailedGames; 2]>,
}

impl ValueReliability {
    /// Counts the games of a batch of a tune with this batch size.
    pub fn take(&mut self, row: &BatchRow, size: u64) {
        let own = batch_reliability([row], size);
        let count = self.dimensions.len().max(row.plus.len());
        self.dimensions.resize(count, Default::default());
        let values = row.plus.iter().zip(&row.minus);
        for (dimension, (plus, minus)) in self.dimensions.iter_mut().zip(values) {
            // Equal values cannot differ in failures.
            let higher = match plus.total_cmp(minus) {
                Ordering::Equal => continue,
                Ordering::Less => 1,
                Ordering::Greater => 0,
            };
            for (games, side) in dimension.iter_mut().zip([higher, 1 - higher]) {
                *games = games.with_later(&own.of(side));
            }
        }
    }

    /// Failures of players at the higher and at the lower value of a dimension.
    pub fn of(&self, dimension: usize) -> [FailedGames; 2] {
        self.dimensions.get(dimension).copied().unwrap_or_default()
    }

    /// The first value that failed in more than the tolerated share of its games, fifty or more, if
    /// chance does not explain it. The limit on chance is divided by the number of values.
    pub fn beyond(&self, tolerate: Share) -> Option<(DimensionValue, Failing)> {
        let chance = CHANCE / (2 * self.dimensions.len()).max(1) as f64;
        let dimensions = self.dimensions.iter().enumerate();
        let mut values = dimensions.flat_map(|(dimension, [higher, lower])| {
            [(dimension, true, higher), (dimension, false, lower)]
        });
        values.find_map(|(dimension, is_higher, games)| {
            let value = DimensionValue {
                dimension,
                is_higher,
            };
            Some((value, games.beyond(0, tolerate, Some(chance))?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::BatchFailure;
    use leitai_game::Cause;
    use leitai_players::play::{EvidenceList, Fault};
    use leitai_stats::Pentanomial;

    /// A batch of one pair; the player of `side` crashes in its first game.
    fn batch(number: u64, plus: [f64; 2], minus: [f64; 2], side: Option<usize>) -> BatchRow {
        let failure = side.map(|variant| BatchFailure {
            pair: number,
            fault: Fault {
                attempt: 1,
                game: 0,
                variant,
                cause: Cause::Crash,
            },
            counts: true,
            evidence: EvidenceList::default(),
        });
        BatchRow {
            number,
            plus: plus.to_vec(),
            minus: minus.to_vec(),
            result: Pentanomial([0, 0, 1, 0, 0]),
            failures: failure.into_iter().collect(),
            elapsed_us: 0,
        }
    }

    /// The higher value of the second dimension crashes in one game of 50: one of 100 over both
    /// sides, which the tolerated share of a side permits.
    #[test]
    fn a_value_that_fails_more_often_than_a_side_is_found() {
        let mut values = ValueReliability::default();
        let mut found = None;
        for number in 0..2_000 {
            let is_plus = number % 3 == 0;
            let (high, low) = ([0.0, 8.0], [1.0, 2.0]);
            let (plus, minus) = if is_plus { (high, low) } else { (low, high) };
            let side = usize::from(!is_plus);
            let crashes = number % 25 == 0;
            values.take(&batch(number, plus, minus, crashes.then_some(side)), 1);
            found = found.or_else(|| values.beyond(Share::DEFAULT));
        }
        let (value, failing) = found.expect("a value");
        assert_eq!(
            (value.dimension, value.is_higher),
            (0, false),
            "it goes with both"
        );
        assert!(!Share::DEFAULT.allows(failing.failed, failing.games));
        assert!(failing.games > 100, "{failing:?}");
        let [higher, lower] = values.of(1);
        assert_eq!([higher.failed, lower.failed], [80, 0]);
        assert_eq!([higher.games, lower.games], [4_000; 2]);
    }

    #[test]
    fn values_that_fail_as_often_as_is_tolerated_are_not_found() {
        let mut values = ValueReliability::default();
        for number in 0..2_000 {
            let crashes = number % 50 == 0;
            let side = (number / 50 % 2) as usize;
            let row = batch(number, [5.0, 1.0], [5.0, 0.0], crashes.then_some(side));
            values.take(&row, 1);
            assert_eq!(values.beyond(Share::DEFAULT), None, "{number}");
        }
        assert_eq!(values.of(0)[0].games, 0, "players of one value");
        assert_eq!(values.of(1).map(|it| it.failed), [20, 20]);
    }
}
