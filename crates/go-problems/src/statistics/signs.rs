//! Tests of the signs of paired results.

use std::collections::BTreeMap;

use leitai_stats::{PValue, binomial_tail};

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
    let tail = if few == many {
        1.0
    } else {
        binomial_tail(many, few.saturating_add(many), 0.5)
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
    use leitai_stats::sign_flip;

    use super::*;

    /// scipy 1.17.1, `binomtest(min(a, b), a + b).pvalue`.
    const BINOMIAL: [(u64, u64, f64); 8] = [
        // The counts of the paper whose table 1 `configs/go-zhang-chen-2007.toml` reruns:
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
    fn extreme_counts() {
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
}
