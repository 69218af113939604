//! Corrections for testing many candidates against one baseline.
//!
//! With k candidates tested at level α each, a false discovery among them is nearly k times as
//! likely. These corrections work on e-values: numbers whose expectation under the candidate's null
//! hypothesis is at most 1, like the final e₀ of [`Strict`](super::Strict). They hold under *any*
//! dependence, which matters here because the candidates share the baseline's games or its
//! openings. Use the e-values at the end of each test, not their running maxima (Fischer and
//! Ramdas, arXiv 2501.19360).
//!
//! All values are natural logarithms, because e-values overflow.

use serde::Serialize;

use super::confidence::LogSum;

/// A candidate's result under a correction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Adjusted {
    /// ln of the adjusted e-value.
    pub ln_e: f64,
    /// True if the null hypothesis is rejected: the candidate is better.
    pub rejected: bool,
}

/// e-Holm: the probability of *any* false rejection is at most `alpha`.
///
/// The adjusted value is the least arithmetic mean of the candidate's e-value and those of any
/// others: `min over m of (e_i + the m smallest others)/(m+1)`. The null hypothesis is rejected if
/// the adjusted value is 1/α or more. Source: Vovk and Wang, Annals of Statistics 49 (2021),
/// algorithm 1: the closure of the arithmetic mean. NaN counts as no evidence.
pub fn e_holm(ln_e_values: &[f64], alpha: f64) -> Vec<Adjusted> {
    let threshold = threshold(alpha);
    let order = rising(ln_e_values);
    let mut adjusted = vec![f64::NEG_INFINITY; order.len()];
    for (rank, &candidate) in order.iter().enumerate() {
        let own = evidence(ln_e_values[candidate]);
        let mut sum = LogSum::EMPTY;
        sum.add(own);
        let mut least = own;
        // Others that are not smaller cannot lower the mean.
        for (taken, &other) in order[..rank].iter().enumerate() {
            sum.add(evidence(ln_e_values[other]));
            least = least.min(sum.ln() - libm::log(taken as f64 + 2.0));
        }
        adjusted[candidate] = least;
    }
    judge(adjusted, threshold)
}

/// e-BH: the expected share of false rejections among all rejections is at most `alpha`.
///
/// With the e-values in falling order, the k* largest are rejected, where k* is the largest k with
/// `k · e₍ₖ₎ / K ≥ 1/α`. Source: Wang and Ramdas, JRSS-B 84 (2022), section 4. It is not always
/// stricter or laxer than [`e_holm`]: 40, 15 and 6 at α = .05 are one rejection with `e_holm` and
/// none with `e_bh`. NaN counts as no evidence.
pub fn e_bh(ln_e_values: &[f64], alpha: f64) -> Vec<Adjusted> {
    let threshold = threshold(alpha);
    let order = rising(ln_e_values);
    let all = order.len();
    let mut adjusted = vec![f64::NEG_INFINITY; all];
    // From the smallest e-value up: the best k so far applies to all larger e-values.
    let mut best = f64::NEG_INFINITY;
    for (smaller, &candidate) in order.iter().enumerate() {
        let share = (all - smaller) as f64 / all as f64;
        best = best.max(evidence(ln_e_values[candidate]) + libm::log(share));
        adjusted[candidate] = best;
    }
    judge(adjusted, threshold)
}

/// Returns ln(1/α), or infinity if `alpha` is not a probability.
fn threshold(alpha: f64) -> f64 {
    if alpha > 0.0 && alpha < 1.0 {
        -libm::log(alpha)
    } else {
        f64::INFINITY
    }
}

/// Treats NaN as no evidence, and limits +∞ so that sums stay finite.
fn evidence(ln_e: f64) -> f64 {
    if ln_e.is_nan() {
        f64::NEG_INFINITY
    } else {
        ln_e.min(f64::MAX)
    }
}

/// Returns the candidates by rising e-value, equal ones by number.
fn rising(ln_e_values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ln_e_values.len()).collect();
    order.sort_by(|&a, &b| evidence(ln_e_values[a]).total_cmp(&evidence(ln_e_values[b])));
    order
}

fn judge(adjusted: Vec<f64>, threshold: f64) -> Vec<Adjusted> {
    adjusted
        .into_iter()
        .map(|ln_e| Adjusted {
            ln_e: ln_e.max(f64::MIN),
            rejected: ln_e >= threshold,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::RandomNumbers;

    fn ln(values: &[f64]) -> Vec<f64> {
        values.iter().map(|&e| libm::log(e)).collect()
    }

    #[test]
    fn holm_by_hand() {
        // e = 60, 30, 1: (60+1)/2 = 30.5, (60+1+30)/3 = 30.33; (30+1)/2 = 15.5;
        // 1 alone.
        let got = e_holm(&ln(&[30.0, 60.0, 1.0]), 0.05);
        for (got, want) in got.iter().zip([15.5, 91.0 / 3.0, 1.0]) {
            assert!((libm::exp(got.ln_e) - want).abs() < 1e-9, "{got:?}");
        }
        let rejected: Vec<bool> = got.iter().map(|a| a.rejected).collect();
        assert_eq!(rejected, [false, true, false]);
    }

    #[test]
    fn bh_by_hand() {
        // K = 4, α = .05: the limits are 80, 40, 26.7, 20 for ranks 1 to 4.
        let got = e_bh(&ln(&[27.0, 1.0, 45.0, 50.0]), 0.05);
        let rejected: Vec<bool> = got.iter().map(|a| a.rejected).collect();
        // The largest is below 80, but rank 3 reaches 26.7: three rejections.
        assert_eq!(rejected, [true, false, true, true]);
        assert!((libm::exp(got[3].ln_e) - 22.5).abs() < 1e-9);
        assert!((libm::exp(got[0].ln_e) - 20.25).abs() < 1e-9);
    }

    #[test]
    fn neither_contains_the_other() {
        let rejected = |got: Vec<Adjusted>| got.iter().filter(|a| a.rejected).count();
        for (values, holm, bh) in [([40.0, 15.0, 6.0], 1, 0), ([31.0, 30.0, 0.0], 0, 2)] {
            assert_eq!(rejected(e_holm(&ln(&values), 0.05)), holm);
            assert_eq!(rejected(e_bh(&ln(&values), 0.05)), bh);
        }
    }

    #[test]
    fn whatever_comes_is_answered() {
        assert!(e_holm(&[], 0.05).is_empty() && e_bh(&[], 0.05).is_empty());
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e6, -1e6];
        for got in [e_holm(&odd, 0.05), e_bh(&odd, 0.05), e_bh(&odd, 2.0)] {
            assert!(got.iter().all(|a| a.ln_e.is_finite()));
            assert!(!got[0].rejected && !got[2].rejected);
        }
        assert!(e_holm(&odd, 0.05)[1].rejected && !e_holm(&odd, f64::NAN)[1].rejected);
    }

    /// Twenty candidates as strong as the baseline, with strongly correlated results.
    #[test]
    fn false_rejections_are_rare_under_dependence() {
        let mut dice = RandomNumbers::new(3, 0);
        let (mut holm, mut bh) = (0, 0);
        for _ in 0..4000 {
            // An e-value 1/(2√u) has expectation 1; the candidates share most of u.
            let common = dice.uniform();
            let values: Vec<f64> = (0..20)
                .map(|_| {
                    if dice.uniform() < 0.7 {
                        common
                    } else {
                        dice.uniform()
                    }
                })
                .map(|u| -libm::log(2.0 * u.max(1e-300).sqrt()))
                .collect();
            holm += u32::from(e_holm(&values, 0.05).iter().any(|a| a.rejected));
            bh += u32::from(e_bh(&values, 0.05).iter().any(|a| a.rejected));
        }
        // If all null hypotheses are true, FDR is the probability of any rejection.
        assert!(holm < 240 && bh < 240, "{holm} {bh} of 4000");
    }

    proptest! {
        /// The closed test: a candidate is rejected if every set that contains it has a mean ≥ 1/α.
        #[test]
        fn holm_is_the_closure_of_the_mean(values in proptest::collection::vec(0.0..100.0_f64, 1..9)) {
            let got = e_holm(&ln(&values), 0.05);
            for (i, got) in got.iter().enumerate() {
                let least = (0_u32..1 << values.len())
                    .filter(|set| set >> i & 1 == 1)
                    .map(|set| {
                        let members = (0..values.len()).filter(|j| set >> j & 1 == 1);
                        members.map(|j| values[j]).sum::<f64>() / f64::from(set.count_ones())
                    })
                    .fold(f64::INFINITY, f64::min);
                prop_assert!((libm::exp(got.ln_e) - least).abs() <= 1e-9 * least.max(1.0));
            }
        }

        /// Counts by the definition of k*.
        #[test]
        fn bh_by_its_definition(values in proptest::collection::vec(0.0..200.0_f64, 1..12)) {
            let got = e_bh(&ln(&values), 0.05);
            let all = values.len() as f64;
            let mut falling = values.clone();
            falling.sort_by(|a, b| b.total_cmp(a));
            let k = (1..=values.len())
                .filter(|&k| falling[k - 1] * (k as f64) >= all / 0.05)
                .max()
                .unwrap_or(0);
            let rejected = got.iter().filter(|a| a.rejected).count();
            prop_assert_eq!(rejected, k);
            let least = values.iter().zip(&got).filter(|v| v.1.rejected).map(|v| *v.0);
            let worst = if k > 0 { falling[k - 1] } else { 0.0 };
            prop_assert!(least.fold(f64::INFINITY, f64::min) >= worst);
        }
    }
}
