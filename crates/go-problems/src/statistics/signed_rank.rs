//! Wilcoxon's signed rank test (Biometrics Bulletin 1, 1945).
//!
//! It tests whether paired differences lie around 0, and weighs a pair by the rank of its
//! difference's size, while the sign test gives all pairs the same weight. It is a test of the
//! median only if the differences are symmetric about it: differences of logarithms are usually
//! closer to symmetric than differences of costs.

use serde::Serialize;

use leitai_stats::{PValue, sign_flip};

use super::signs::by_cluster;

/// A signed rank test of paired differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SignedRank {
    /// Number of differences that are not 0; the others are left out, as in Wilcoxon's paper.
    pub differences: usize,
    /// Sum of the ranks of differences above 0; equal sizes share their mean rank.
    pub positive: f64,
    /// Sum of the ranks of differences below 0.
    pub negative: f64,
    /// The two-sided test over clusters.
    #[serde(flatten)]
    pub test: PValue,
}

/// Tests differences, each with its cluster: differences of one cluster change their signs
/// together. With one difference per cluster, it is the usual test. NaN counts as 0.
pub fn signed_rank(differences: &[(usize, f64)]) -> SignedRank {
    let mut rising: Vec<(usize, f64)> = differences
        .iter()
        .copied()
        .filter(|(_, difference)| difference.abs() > 0.0)
        .collect();
    rising.sort_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()));
    // Ranks are doubled to make them whole numbers.
    let mut scores: Vec<(usize, i64)> = Vec::with_capacity(rising.len());
    let equal = |a: &(usize, f64), b: &(usize, f64)| a.1.abs().total_cmp(&b.1.abs()).is_eq();
    for tied in rising.chunk_by(equal) {
        let before = scores.len();
        let twice = (2 * before + tied.len() + 1) as i64;
        let signed = |&(cluster, difference): &(usize, f64)| {
            (cluster, if difference > 0.0 { twice } else { -twice })
        };
        scores.extend(tied.iter().map(signed));
    }
    let sum = |sign: i64| {
        let ranks = scores.iter().map(|(_, score)| sign * score);
        0.5 * ranks.filter(|rank| *rank > 0).sum::<i64>() as f64
    };
    SignedRank {
        differences: scores.len(),
        positive: sum(1),
        negative: sum(-1),
        test: sign_flip(&by_cluster(scores.iter().copied())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(differences: &[f64]) -> SignedRank {
        let alone: Vec<(usize, f64)> = differences.iter().copied().enumerate().collect();
        signed_rank(&alone)
    }

    fn near(got: f64, want: f64) -> bool {
        (got - want).abs() < 1e-12
    }

    /// Hamilton depression scale factor IV before and after a tranquilliser: Hollander and Wolfe,
    /// Nonparametric Statistical Methods, example 3.1; their T⁺ = 5 of 9, P = .0391 two-sided (R's
    /// `wilcox.test` agrees).
    #[test]
    fn a_published_example() {
        // In thousandths.
        let before = [1830, 500, 1620, 2480, 1680, 1880, 1550, 3060, 1300];
        let after = [878, 647, 598, 2050, 1060, 1290, 1060, 3140, 1290];
        let differences = after.iter().zip(before).map(|(a, b)| f64::from(a - b));
        let differences: Vec<f64> = differences.collect();
        let got = test(&differences);
        assert!(near(got.positive, 5.0) && near(got.negative, 40.0));
        assert!(near(got.test.p, 0.039_062_5) && got.test.exact);
    }

    /// All 2ⁿ signs enumerated in Python, ranks by `scipy.stats.rankdata`.
    #[test]
    fn ties_and_zeros() {
        let got = test(&[
            3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, -6.0, 5.0, 3.0, 5.0, -8.0,
        ]);
        assert!(near(got.positive, 47.5) && near(got.negative, 30.5));
        assert!(near(got.test.p, 0.528_808_593_75), "{got:?}");
        let got = test(&[0.0, 1.0, -2.0, 3.0, 4.0, 5.0, -6.0, -0.0, f64::NAN]);
        assert_eq!(got.differences, 6);
        assert!(near(got.positive, 13.0) && near(got.test.p, 0.6875));
    }

    /// scipy 1.17.1, `wilcoxon(d, method="asymptotic", correction=False)`, which
    /// corrects for ties.
    #[test]
    fn the_normal_law_with_ties() {
        let many: Vec<f64> = (0..900).map(|i| f64::from(i * 37 % 101 - 40)).collect();
        let got = test(&many);
        assert!(!got.test.exact);
        assert!(
            (got.test.p / 1.525_043_606_677_769_6e-20 - 1.0).abs() < 1e-9,
            "{got:?}"
        );
    }

    #[test]
    fn nothing_and_infinity() {
        assert!(near(test(&[]).test.p, 1.0));
        let got = test(&[f64::INFINITY, f64::INFINITY, -1.0]);
        assert!(near(got.positive, 5.0) && near(got.test.p, 0.5));
    }

    /// Identical differences in one cluster are no more evidence than one of them.
    #[test]
    fn twins_are_one_witness() {
        let one = [0.5, 1.5, 2.5, 3.5, -0.1, 4.5];
        let twins: Vec<(usize, f64)> = one.into_iter().chain(one).enumerate().collect();
        let together: Vec<(usize, f64)> = twins.iter().map(|&(i, x)| (i % 6, x)).collect();
        let alone = test(&one).test.p;
        assert!(near(signed_rank(&together).test.p, alone));
        assert!(signed_rank(&twins).test.p < 0.1 * alone);
    }
}
