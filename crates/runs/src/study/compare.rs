//! Comparison of a variant with the first on the same positions.

use serde::Serialize;

use leitai_players::schedule::{Stream, below, generator};
use leitai_stats::Ranged;
use leitai_stats::bootstrap::{bootstrap, geometric_ratio, ratio_of_means};

/// The effort of a variant relative to the first, paired by position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Geometric mean of the ratios, with its 95 % interval.
    pub ratio: Ranged,
    /// Ratio of the arithmetic means, with its 95 % interval.
    pub ratio_of_means: Ranged,
}

/// Compares the efforts `[first variant's, this variant's]` by position, with this number of
/// resamples.
pub(super) fn compare(pairs: &[[f64; 2]], seed: u64, resamples: u32) -> Comparison {
    let interval = |statistic| bootstrap(pairs, resamples, draws(seed), statistic);
    Comparison {
        ratio: interval(geometric_ratio as fn(&[[f64; 2]]) -> f64),
        ratio_of_means: interval(ratio_of_means),
    }
}

/// Returns the draws of resamples. They depend only on the seed and the number of units, so an
/// interval does not depend on other comparisons.
pub fn draws(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut generator = generator(seed, Stream::Resamples);
    move |bound| below(&mut generator, bound)
}
