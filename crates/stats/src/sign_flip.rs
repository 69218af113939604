//! A permutation test of a sum of signed scores: if two treatments are alike, every score has
//! either sign with equal probability.
//!
//! Three tests of pairs have this distribution. With scores of ±1 it is the sign test, and
//! `McNemar`'s if a score is a problem that only one of two solvers solved; with signed ranks it is
//! Wilcoxon's. Correlated pairs, such as two problems on one position, are not independent
//! evidence: their scores are added first, and the sum changes its sign as a whole (for signed
//! ranks this is the test of Rosner, Glynn and Lee, Biometrics 62, 2006, in exact form).

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::function::beta::checked_beta_reg;

use super::normal;

/// Maximum number of additions for an exact distribution; above, it is approximated. Enough for the
/// ranks of some 300 pairs.
const MOST_WORK: u128 = 1 << 25;

/// A two-sided test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PValue {
    /// The probability, by chance alone, of a sum at least as far from 0 on either side; above 0
    /// except for underflow, and at most 1.
    pub p: f64,
    /// True if all signs were enumerated; if false, the distribution is approximated as normal.
    pub exact: bool,
}

/// Tests Σ `scores` against all 2ⁿ choices of their signs. Scores of 0 have no effect; without
/// others p is 1.
///
/// Exact up to some 30 million additions, which depend on number and size of the scores. Above, the
/// sum is approximated as normal with variance Σ score², which accounts for ties.
pub fn sign_flip(scores: &[i64]) -> PValue {
    let sizes: Vec<u128> = scores
        .iter()
        .map(|score| u128::from(score.unsigned_abs()))
        .filter(|size| *size > 0)
        .collect();
    let sum = scores.iter().map(|&score| i128::from(score)).sum::<i128>();
    let sum = sum.unsigned_abs();
    let divisor = sizes.iter().copied().fold(0, gcd).max(1);
    let total = sizes.iter().sum::<u128>();
    // The largest sum of the scores of one sign in either tail.
    let least = (total - sum) / 2 / divisor;
    if sum == 0 {
        return PValue {
            p: 1.0,
            exact: true,
        };
    }
    if (least + 1).saturating_mul(sizes.len() as u128) > MOST_WORK {
        let squares = sizes.iter().map(|&size| (size as f64).powi(2)).sum::<f64>();
        let p = (2.0 * normal::cdf(-(sum as f64) / squares.sqrt())).min(1.0);
        return PValue { p, exact: false };
    }
    let sizes = sizes.iter().map(|size| size / divisor);
    let p = (2.0 * below(sizes, least as usize)).min(1.0);
    PValue { p, exact: true }
}

/// Returns the probability that a random subset of `sizes` adds up to at most `most`.
fn below(sizes: impl Iterator<Item = u128>, most: usize) -> f64 {
    let mut law = vec![0.0; most + 1];
    law[0] = 1.0;
    for size in sizes {
        let shift = usize::try_from(size).unwrap_or(usize::MAX);
        for sum in (0..=most).rev() {
            let without = law[sum];
            let with = sum.checked_sub(shift).map_or(0.0, |rest| law[rest]);
            law[sum] = 0.5 * (without + with);
        }
    }
    law.iter().sum()
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The sign test on the numbers `less` and `more`, without ties. Also `McNemar`'s exact test, with
/// the problems that only one of two solvers solved.
///
/// ```text
/// p = min(1, 2 P(X ≤ min(less, more))),   X ~ Binomial(less + more, 1/2)
/// ```
///
/// Exact for any counts.
pub fn sign_test(less: u64, more: u64) -> PValue {
    let (few, many) = (less.min(more), less.max(more));
    // P(X ≤ k) = I_{1/2}(n - k, k + 1).
    let tail = if few == many {
        1.0
    } else {
        checked_beta_reg(many as f64, few as f64 + 1.0, 0.5).unwrap_or(1.0)
    };
    PValue {
        p: (2.0 * tail).min(1.0),
        exact: true,
    }
}

/// Returns the sum of the scores of each cluster, in the order of the clusters' numbers.
pub fn by_cluster(scores: impl IntoIterator<Item = (usize, i64)>) -> Vec<i64> {
    let mut sums = BTreeMap::<usize, i64>::new();
    for (cluster, score) in scores {
        let sum = sums.entry(cluster).or_default();
        *sum = sum.saturating_add(score);
    }
    sums.into_values().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// scipy 1.17.1, `binomtest(min(a, b), a + b).pvalue`.
    const BINOMIAL: [(u64, u64, f64); 8] = [
        // The counts of the paper whose table 1 `configs/seed-002.toml` reruns:
        // pn solved 55, alpha-beta 53 of them with its table and 52 without.
        (2, 0, 0.5),
        (3, 0, 0.25),
        // Fewer than six to zero cannot be significant.
        (6, 0, 0.031_25),
        // 29 problems faster by pn, 13 by alpha-beta.
        (29, 13, 0.019_520_472_782_460_274),
        (34, 13, 0.003_087_676_461_518_639_4),
        (5, 5, 1.0),
        (10, 5, 0.301_757_812_499_999_94),
        (100, 60, 0.001_953_728_034_064_355),
    ];

    #[test]
    fn counts_of_signs() {
        for (less, more, p) in BINOMIAL {
            let scores: Vec<i64> = [(less, -1), (more, 1)]
                .iter()
                .flat_map(|&(count, score)| vec![score; count as usize])
                .collect();
            for got in [
                sign_test(less, more),
                sign_test(more, less),
                sign_flip(&scores),
            ] {
                assert!(
                    (got.p - p).abs() < 1e-12 && got.exact,
                    "{less} {more}: {got:?}"
                );
            }
        }
    }

    #[test]
    fn a_cluster_is_one_witness() {
        // Six problems that only one solver solved, on three positions.
        let scores = (0..6).map(|problem| (problem / 2, 1));
        let clusters = by_cluster(scores);
        assert_eq!(clusters, [2, 2, 2]);
        assert!((sign_flip(&clusters).p - 0.25).abs() < 1e-15);
        // Scores of opposite sign in one cluster cancel.
        assert_eq!(by_cluster([(4, 1), (4, -1), (1, 5)]), [5, 0]);
        assert!((sign_flip(&[5, 0]).p - 1.0).abs() < 1e-15);
    }

    #[test]
    fn whatever_comes_is_answered() {
        let extreme = [i64::MIN, i64::MAX, 0, 1];
        for scores in [&[][..], &[0, 0], &extreme, &[i64::MIN; 40], &[1; 2_000]] {
            let got = sign_flip(scores);
            assert!((0.0..=1.0).contains(&got.p), "{got:?}");
        }
        for (less, more) in [(0, 0), (u64::MAX, 0), (u64::MAX, u64::MAX), (0, 5000)] {
            assert!((0.0..=1.0).contains(&sign_test(less, more).p));
        }
        assert!((sign_test(0, 0).p - 1.0).abs() < 1e-15);
    }

    #[test]
    fn the_approximation_takes_over_without_a_step() {
        // 9000 scores of 1 are too many to enumerate; the binomial distribution is known.
        let scores: Vec<i64> = (0..9000).map(|i| if i < 4600 { 1 } else { -1 }).collect();
        let got = sign_flip(&scores);
        let exact = sign_test(4600, 4400).p;
        assert!(!got.exact);
        // Without a continuity correction p is slightly too small.
        assert!(got.p < exact && got.p > 0.93 * exact, "{got:?} {exact}");
    }

    proptest! {
        /// Enumerates all choices of signs.
        #[test]
        fn the_law_is_that_of_all_signs(scores in prop::collection::vec(-40_i64..40, 0..11)) {
            let sum = scores.iter().sum::<i64>().abs();
            let reach = |signs: u32| {
                let signed = scores.iter().enumerate();
                let signed = signed.map(|(i, s)| if signs >> i & 1 == 1 { -s } else { *s });
                signed.sum::<i64>().abs() >= sum
            };
            let all = 1_u32 << scores.len();
            let share = (0..all).filter(|&signs| reach(signs)).count() as f64 / f64::from(all);
            prop_assert!((sign_flip(&scores).p - share).abs() < 1e-12);
        }
    }
}
