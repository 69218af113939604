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
/// resamples. The resamples depend only on the number of positions and the seed, so an interval
/// does not depend on other comparisons.
pub fn compare(pairs: &[[f64; 2]], seed: u64, resamples: u32) -> Comparison {
    let interval = |statistic: fn(&[[f64; 2]]) -> f64| {
        let mut generator = generator(seed, Stream::Resamples);
        bootstrap(
            pairs,
            resamples,
            |bound| below(&mut generator, bound),
            statistic,
        )
    };
    Comparison {
        ratio: interval(geometric_ratio),
        ratio_of_means: interval(ratio_of_means),
    }
}
