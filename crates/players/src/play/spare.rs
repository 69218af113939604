//! The budget of repeated pairs after pauses of the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One pair in this number may be repeated. A pause is more likely in long games than in short
/// ones: without a bound the long ones would be underrepresented.
const ONE_IN: u64 = 100;
/// Smallest budget of repetitions.
const MIN: u64 = 5;

/// Remaining repetitions of pairs of a run, shared by all clones.
#[derive(Clone, Debug)]
pub struct RepeatBudget(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    left: AtomicU64,
    refused: AtomicU64,
}

impl Default for RepeatBudget {
    fn default() -> Self {
        Self::new(0)
    }
}

impl RepeatBudget {
    /// The budget of a run with the given number of pairs: one repetition in a hundred pairs, and
    /// at least five.
    pub fn new(pairs: u64) -> Self {
        Self(Arc::new(Counts {
            left: AtomicU64::new((pairs / ONE_IN).max(MIN)),
            refused: AtomicU64::new(0),
        }))
    }

    /// Takes one repetition, if there is one; otherwise counts a refusal.
    pub(super) fn take(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        let (order, left) = (Ordering::Relaxed, &self.0.left);
        let taken = left.fetch_update(order, order, less).is_ok();
        if !taken {
            self.0.refused.fetch_add(1, order);
        }
        taken
    }

    /// Takes repetitions that were used earlier, as far as there are any.
    pub fn use_up(&self, times: u64) {
        let less = |left: u64| Some(left.saturating_sub(times));
        let (order, left) = (Ordering::Relaxed, &self.0.left);
        let _ = left.fetch_update(order, order, less);
    }

    /// Number of refusals: these moves count, without the pause in their time.
    pub fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_pair_in_a_hundred_and_five_at_least() {
        for (pairs, times) in [(0, 5), (599, 5), (600, 6), (100_000, 1_000)] {
            let spare = RepeatBudget::new(pairs);
            assert_eq!((0..2_000).filter(|_| spare.take()).count(), times);
            assert_eq!(spare.clone().refused(), 2_000 - times as u64);
        }
        let spare = RepeatBudget::new(800);
        spare.use_up(7);
        assert!(spare.take() && !spare.take());
        spare.use_up(9);
        assert!(!spare.take());
    }
}
