//! Pairs that hang together because they began from the same opening.

use std::collections::HashMap;

use super::Pentanomial;

/// Pair results by opening.
///
/// Sums of integers only, so that the order of pairs does not matter.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// By opening: pairs, and the sum of their outcomes (0 to 4 each).
    sums: HashMap<usize, (u64, u64)>,
    counts: Pentanomial,
}

impl Clusters {
    /// Counts one more pair from `opening`: 0 lost both to 4 won both. Numbers
    /// above 4 count as 4.
    pub fn record(&mut self, opening: usize, cell: usize) {
        let cell = cell.min(4);
        let (pairs, sum) = self.sums.entry(opening).or_default();
        *pairs += 1;
        *sum += cell as u64;
        self.counts.0[cell] += 1;
    }

    /// By how much the openings raise the variance of the mean score: its
    /// cluster-robust estimate over the one for independent pairs,
    ///
    /// ```text
    /// G/(G-1) · Σ_o (Σ_{i in o} (x_i - μ))²  /  Σ_i (x_i - μ)²
    /// ```
    ///
    /// with G openings (Liang and Zeger, Biometrika 73, 1986; the factor as
    /// usual for few clusters). 1 where no opening has two pairs, where all
    /// pairs are equal, and with fewer than two openings. Below 1 if pairs of
    /// an opening are opposites.
    pub fn design_effect(&self) -> f64 {
        let pairs: u64 = self.counts.0.iter().sum();
        let openings = self.sums.len() as u64;
        if openings < 2 || openings == pairs {
            return 1.0;
        }
        let cells = || (0..5_u64).zip(self.counts.0);
        let total: u64 = cells().map(|(cell, count)| cell * count).sum();
        // Deviations times the number of pairs are integers.
        let deviation = |sum: u64, number: u64| {
            i128::from(sum) * i128::from(pairs) - i128::from(number) * i128::from(total)
        };
        let between: i128 = self
            .sums
            .values()
            .map(|&(number, sum)| deviation(sum, number).pow(2))
            .sum();
        let alone: i128 = cells()
            .map(|(cell, count)| i128::from(count) * deviation(cell, 1).pow(2))
            .sum();
        if alone == 0 {
            return 1.0;
        }
        let few = openings as f64 / (openings - 1) as f64;
        few * between as f64 / alone as f64
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::stats::estimate_clustered;

    #[test]
    fn the_formula_on_a_small_case() {
        let mut clusters = Clusters::default();
        assert!((clusters.design_effect() - 1.0).abs() < 1e-15);
        // Openings 0 and 1 twice, opening 2 once; mean 2.
        for (opening, cell) in [(0, 4), (0, 3), (1, 1), (1, 0), (2, 2)] {
            clusters.record(opening, cell);
        }
        // Sums of deviations 3, -3, 0; of their squares 18; alone 4+1+1+4 = 10.
        assert!((clusters.design_effect() - 1.5 * 18.0 / 10.0).abs() < 1e-15);
    }

    #[test]
    fn nothing_hangs_together_where_each_opening_is_new() {
        let mut clusters = Clusters::default();
        for opening in 0..50 {
            clusters.record(opening, opening % 5);
        }
        assert!((clusters.design_effect() - 1.0).abs() < 1e-15);
        let mut equal = Clusters::default();
        for pair in 0..50 {
            equal.record(pair % 3, 2);
        }
        assert!((equal.design_effect() - 1.0).abs() < 1e-15);
    }

    /// Five opponents meet from each opening, and three outcomes in four are
    /// the opening's: intervals that know it cover, plain ones do not.
    #[test]
    fn clustered_intervals_cover() {
        let runs = 400;
        let (mut plain, mut robust) = (0, 0);
        for run in 0..runs {
            let mut random = ChaCha8Rng::seed_from_u64(run);
            let mut below = |n: u32| (random.next_u32() % n) as usize;
            let mut clusters = Clusters::default();
            let mut counts = Pentanomial::default();
            for opening in 0..80 {
                let shared = below(5);
                for _ in 0..5 {
                    let own = below(20);
                    let cell = if own < 5 { own } else { shared };
                    clusters.record(opening, cell);
                    counts.0[cell] += 1;
                }
            }
            let covers = |effect: f64| {
                let score = estimate_clustered(counts, effect).score;
                u64::from(score.low <= Some(0.5) && score.high >= Some(0.5))
            };
            plain += covers(1.0);
            robust += covers(clusters.design_effect());
        }
        assert!(robust as f64 > 0.92 * runs as f64, "{robust} of {runs}");
        assert!((plain as f64) < 0.85 * runs as f64, "{plain} of {runs}");
    }
}
