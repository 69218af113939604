//! A permutation test of a sum of signed scores: if two treatments are alike, every score has
//! either sign with equal probability.
//!
//! Three tests of pairs have this distribution. With scores of ±1 it is the sign test, and
//! `McNemar`'s if a score is a problem that only one of two solvers solved; with signed ranks it is
//! Wilcoxon's. Correlated pairs, such as two problems on one position, are not independent
//! evidence: their scores are added first, and the sum changes its sign as a whole (for signed
//! ranks this is the test of Rosner, Glynn and Lee, Biometrics 62, 2006, in exact form).

use serde::Serialize;

use super::normal;

/// Maximum number of additions for an exact distribution; above, it is approximated. Enough for the
/// ranks of some 300 pairs.
const MAX_WORK: u128 = 1 << 25;

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
    if (least + 1).saturating_mul(sizes.len() as u128) > MAX_WORK {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn whatever_comes_is_answered() {
        let extreme = [i64::MIN, i64::MAX, 0, 1];
        for scores in [&[][..], &[0, 0], &extreme, &[i64::MIN; 40], &[1; 2_000]] {
            let got = sign_flip(scores);
            assert!((0.0..=1.0).contains(&got.p), "{got:?}");
        }
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
