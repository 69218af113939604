//! The recorded pairs of a run.

use std::ops::Range;

use rusqlite::Row;

use super::{Result, RunHandle, Store};

/// The numbers of the recorded pairs of a run, in compact form: pairs are recorded nearly in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairNumbers {
    /// Ascending, not empty, with a gap between each and the next.
    ranges: Vec<Range<u64>>,
}

impl PairNumbers {
    /// Returns the number of recorded pairs.
    pub fn count(&self) -> u64 {
        self.ranges
            .iter()
            .map(|range| range.end - range.start)
            .sum()
    }

    /// Returns the length of the contiguous prefix: the number of the first missing pair, below
    /// which all pairs are recorded.
    pub fn prefix(&self) -> u64 {
        match self.ranges.first() {
            Some(range) if range.start == 0 => range.end,
            _ => 0,
        }
    }

    /// Returns the first missing number, if later ones are recorded.
    pub fn gap(&self) -> Option<u64> {
        (self.count() > self.prefix()).then(|| self.prefix())
    }

    /// Returns whether the pair of that number is recorded.
    pub fn contains(&self, index: u64) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= index);
        after > 0 && self.ranges[after - 1].contains(&index)
    }

    /// Returns the numbers as ascending ranges.
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }

    /// Returns the numbers in ascending order.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + Clone {
        self.ranges.iter().cloned().flatten()
    }

    /// Adds a number above all earlier ones.
    pub(crate) fn push(&mut self, index: u64) {
        match self.ranges.last_mut() {
            Some(range) if range.end == index => range.end += 1,
            _ => self.ranges.push(index..index + 1),
        }
    }
}

impl Store {
    /// Returns the numbers of the recorded pairs of `run`, without reading the pairs.
    ///
    /// # Errors
    /// Reading fails.
    pub fn recorded_indices(&self, run: &RunHandle) -> Result<PairNumbers> {
        let sql = "SELECT idx FROM pair WHERE run = ?1 ORDER BY idx";
        let mut recorded = PairNumbers::default();
        let mut wrong = None;
        // Merged into ranges while reading: a list of a hundred million numbers would be too long.
        let add = |row: &Row<'_>| {
            let index: i64 = row.get(0)?;
            match u64::try_from(index) {
                Ok(index) => recorded.push(index),
                Err(_) => wrong = wrong.or(Some(index)),
            }
            Ok(())
        };
        self.rows(sql, [run.key], add)?;
        match wrong {
            Some(index) => Err(self.damaged(format!("a pair has the number {index}"))),
            None => Ok(recorded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(indices: &[u64]) -> PairNumbers {
        let mut recorded = PairNumbers::default();
        for &index in indices {
            recorded.push(index);
        }
        recorded
    }

    #[test]
    fn runs_of_numbers_become_ranges() {
        let some = of(&[0, 1, 2, 5, 6, 9]);
        assert_eq!(some.ranges(), [0..3, 5..7, 9..10]);
        assert_eq!((some.count(), some.prefix()), (6, 3));
        let there: Vec<u64> = (0..12).filter(|&index| some.contains(index)).collect();
        assert_eq!(there, [0, 1, 2, 5, 6, 9]);
    }

    #[test]
    fn without_the_first_pair_there_is_no_prefix() {
        assert_eq!(of(&[]).prefix(), 0);
        assert_eq!(of(&[1, 2]).prefix(), 0);
        assert!(!of(&[]).contains(0));
    }
}
