//! Regularised counts for the likelihood.

use super::dual::{total, total_of};
use crate::Multinomial;

/// The count of an unseen outcome: fishtest's `regularize` (`LLRcalc.py`). It is applied before
/// everything else, so it is included in N.
const UNSEEN: f64 = 1e-3;

/// Positive counts of `K` equally spaced outcomes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<const K: usize> {
    pub(super) counts: [f64; K],
}

impl<const K: usize> Cells<K> {
    pub(super) fn new(results: &Multinomial) -> Self {
        let mut counts = [UNSEEN; K];
        for (to, &from) in counts.iter_mut().zip(results.counts()) {
            if from > 0 {
                *to = from as f64;
            }
        }
        Self { counts }
    }

    /// The outcomes' scores minus ½: -½ to ½.
    pub(super) fn leads() -> [f64; K] {
        std::array::from_fn(|i| i as f64 / (K - 1) as f64 - 0.5)
    }

    /// The same results for the other player.
    pub(super) fn mirror(mut self) -> Self {
        self.counts.reverse();
        self
    }

    /// N, the sum of the counts.
    pub(super) fn units(&self) -> f64 {
        total(&self.counts)
    }

    /// Sum of the leads.
    pub(super) fn lead(&self) -> f64 {
        let leads = Self::leads();
        total_of::<K>(|i| self.counts[i] * leads[i])
    }

    /// Sum of the squared leads.
    pub(super) fn square(&self) -> f64 {
        let leads = Self::leads();
        total_of::<K>(|i| self.counts[i] * leads[i] * leads[i])
    }
}
