//! Batches by the place at which they were played.

use super::slopes::Slopes;

/// Bins on each side of the start, half a step wide; the outermost hold all
/// that lies farther out.
const SIDE: usize = 16;
const PER_STEP: f64 = 2.0;
/// Statistics of one coordinate, sorted by the batches' centres.
///
/// The model holds near the optimum only. What was seen far away, on the way
/// there, would pull on the estimate for as long as the run lasts: it loses
/// its weight as the centre moves off.
#[derive(Clone, Debug)]
pub(super) struct Local {
    bins: [Slopes; 2 * SIDE + 1],
    /// First and last bin in use.
    used: (usize, usize),
}

impl Default for Local {
    fn default() -> Self {
        Self {
            bins: [Slopes::default(); 2 * SIDE + 1],
            used: (SIDE, SIDE),
        }
    }
}

impl Local {
    /// One more batch: [`Slopes::add`].
    pub(super) fn add(&mut self, weight: f64, center: f64, difference: f64, score: f64) {
        // Casts saturate.
        let bin = (center * PER_STEP + SIDE as f64).round() as usize;
        let bin = bin.min(2 * SIDE);
        self.bins[bin].add(weight, center, difference, score);
        self.used = (self.used.0.min(bin), self.used.1.max(bin));
    }

    /// All batches, weighted by their distance from a centre: at `reach` steps
    /// a batch counts 0.6 times, at three times that distance hardly.
    pub(super) fn about(&self, center: f64, reach: f64) -> Slopes {
        let mut sum = Slopes::default();
        for bin in self.used.0..=self.used.1 {
            let place = (bin as f64 - SIDE as f64) / PER_STEP;
            let distance = (place - center) / reach;
            sum.merge(&self.bins[bin], (-0.5 * distance * distance).exp());
        }
        sum
    }
}
