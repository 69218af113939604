//! Batches sorted by place.

use super::slopes::{Batch, Side, Slopes};

/// Number of bins on each side of the middle; the outermost contain all batches farther out.
const HALF: usize = 16;
/// Number of bins per perturbation.
const FINENESS: f64 = 2.0;

/// Statistics of one coordinate, sorted by the batches' centres.
///
/// The model holds near the optimum only. Batches from far away, on the way there, would bias the
/// estimate for the whole run: they lose their weight as the centre moves away.
#[derive(Clone, Debug)]
pub(super) struct Local {
    bins: [Slopes; 2 * HALF + 1],
    /// Place of the middle bin, and number of bins per step.
    middle: f64,
    per_step: f64,
    /// First and last bin in use.
    used: (usize, usize),
}

impl Local {
    /// Creates empty statistics around a place, for perturbations of `perturbation` steps.
    pub(super) fn new(middle: f64, perturbation: f64) -> Self {
        Self {
            bins: [Slopes::default(); 2 * HALF + 1],
            middle,
            per_step: FINENESS / perturbation,
            used: (HALF, HALF),
        }
    }

    /// Adds a batch.
    pub(super) fn add(&mut self, batch: &Batch) {
        // Casts saturate.
        let bin = ((batch.center - self.middle) * self.per_step + HALF as f64).round() as usize;
        let bin = bin.min(2 * HALF);
        self.bins[bin].add(batch);
        self.used = (self.used.0.min(bin), self.used.1.max(bin));
    }

    /// Returns the batches with centres within `most` steps of a place, by bin.
    pub(super) fn groups(&self, center: f64, most: f64) -> impl Iterator<Item = Side> + '_ {
        let near = (self.used.0..=self.used.1).filter(move |&bin| {
            let place = self.middle + (bin as f64 - HALF as f64) / self.per_step;
            (place - center).abs() <= most
        });
        near.map(|bin| self.bins[bin].pooled())
    }

    /// Adds all batches to `sum`, weighted by their distance from a centre: at `reach` steps a
    /// batch has weight 0.6, at three times that distance almost none.
    pub(super) fn about(&self, center: f64, reach: f64, sum: &mut Slopes) {
        for bin in self.used.0..=self.used.1 {
            let place = self.middle + (bin as f64 - HALF as f64) / self.per_step;
            let distance = (place - center) / reach;
            sum.merge(&self.bins[bin], libm::exp(-0.5 * distance * distance));
        }
    }
}
