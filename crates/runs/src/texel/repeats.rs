//! The number of repeated positions, in bounded memory.

use std::collections::HashMap;

/// Greatest number of hashes in memory, in a few megabytes.
const MAX_KEYS: usize = 1 << 17;

/// Counts repetitions of hashes. Exact up to [`MAX_KEYS`] different hashes; then it counts only
/// hashes with leading zeros, a random half of the hashes before (adaptive sampling: Flajolet,
/// Computing 43, 1990). Depends on the hashes alone, not on their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// Number of leading zeros of the counted hashes.
    zeros: u32,
    /// The repetitions of each counted hash.
    seen: HashMap<u64, u64>,
    /// The sum of the repetitions.
    repeated: u64,
}

impl Repeats {
    pub(super) fn add(&mut self, key: u64) {
        if key.leading_zeros() < self.zeros {
            return;
        }
        let again = self.seen.entry(key).and_modify(|again| *again += 1);
        let again = *again.or_insert(0);
        self.repeated += u64::from(again > 0);
        while self.seen.len() > MAX_KEYS && self.zeros < u64::BITS {
            self.zeros += 1;
            let zeros = self.zeros;
            self.seen.retain(|key, _| key.leading_zeros() >= zeros);
            self.repeated = self.seen.values().sum();
        }
    }

    /// The estimated number of added hashes that were there before.
    pub(super) fn count(&self) -> u64 {
        let scale = 1_u64.checked_shl(self.zeros).unwrap_or(u64::MAX);
        self.repeated.saturating_mul(scale)
    }
}

#[cfg(test)]
mod tests {
    use leitai_stats::RandomNumbers;

    use super::*;

    /// Adds each of `different` hashes `times` times, in rounds or one after the other.
    fn counted(different: usize, times: usize, by_rounds: bool) -> u64 {
        let mut dice = RandomNumbers::new(1, 0);
        let half = |dice: &mut RandomNumbers| dice.below(1 << 32) as u64;
        let keys: Vec<u64> = (0..different)
            .map(|_| half(&mut dice) << 32 | half(&mut dice))
            .collect();
        let mut repeats = Repeats::default();
        for place in 0..different * times {
            let place = if by_rounds {
                place % different
            } else {
                place / times
            };
            repeats.add(keys[place]);
        }
        assert!(repeats.seen.len() <= MAX_KEYS);
        repeats.count()
    }

    #[test]
    fn repetitions_are_exact_for_few_and_estimated_for_many_positions() {
        assert_eq!(counted(1000, 1, true), 0);
        assert_eq!(counted(1000, 3, true), 2000);
        assert_eq!(counted(400_000, 1, true), 0);
        for times in [2, 5] {
            let found = counted(400_000, times, true);
            let expected = 400_000.0 * (times - 1) as f64;
            assert!((found as f64 / expected - 1.0).abs() < 0.02, "{found}");
            assert_eq!(counted(400_000, times, false), found);
        }
    }
}
