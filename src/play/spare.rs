//! How many pairs are played again because the machine paused.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One pair in so many may be played again. A pause meets long games more often than short
/// ones: without a bound those would come to be missing.
const ONE_IN: u64 = 100;
/// Pairs that may be played again however few there are.
const LEAST: u64 = 5;

/// How often pairs of a run may still be played again; all clones share it.
#[derive(Clone, Debug)]
pub struct Spare(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    left: AtomicU64,
    refused: AtomicU64,
}

impl Default for Spare {
    fn default() -> Self {
        Self::of(0)
    }
}

impl Spare {
    /// For a run of so many pairs: one time in a hundred pairs, and five times at least.
    pub fn of(pairs: u64) -> Self {
        Self(Arc::new(Counts {
            left: AtomicU64::new((pairs / ONE_IN).max(LEAST)),
            refused: AtomicU64::new(0),
        }))
    }

    /// Takes one time, if there is one left; notes that there is none, otherwise.
    pub(super) fn take(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        let (order, left) = (Ordering::Relaxed, &self.0.left);
        let taken = left.fetch_update(order, order, less).is_ok();
        if !taken {
            self.0.refused.fetch_add(1, order);
        }
        taken
    }

    /// Takes so many times that were used before, or as many as there are.
    pub fn use_up(&self, times: u64) {
        let less = |left: u64| Some(left.saturating_sub(times));
        let (order, left) = (Ordering::Relaxed, &self.0.left);
        let _ = left.fetch_update(order, order, less);
    }

    /// How often there was none left: moves that count, the pause taken off their time.
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
            let spare = Spare::of(pairs);
            assert_eq!((0..2_000).filter(|_| spare.take()).count(), times);
            assert_eq!(spare.clone().refused(), 2_000 - times as u64);
        }
        let spare = Spare::of(800);
        spare.use_up(7);
        assert!(spare.take() && !spare.take());
        spare.use_up(9);
        assert!(!spare.take());
    }
}
