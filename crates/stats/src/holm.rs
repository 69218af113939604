//! Correction of p-values for multiple tests.

/// Holm's adjusted p-values (Scandinavian Journal of Statistics 6, 1979): under any dependence, the
/// probability that one of the true hypotheses has an adjusted p of at most α is at most α.
///
/// ```text
/// p̃₍ᵢ₎ = max over j ≤ i of min(1, (m - j + 1) p₍ⱼ₎)
/// ```
///
/// with the m p-values in rising order. An absent p-value stays absent and does not count in m.
/// Values outside 0..=1, and NaN, count as 1.
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let probability = |p: f64| if (0.0..=1.0).contains(&p) { p } else { 1.0 };
    let mut order: Vec<(usize, f64)> = p_values
        .iter()
        .enumerate()
        .filter_map(|(index, p)| Some((index, probability((*p)?))))
        .collect();
    order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut adjusted = vec![None; p_values.len()];
    let mut greatest = 0.0_f64;
    for (rank, &(index, p)) in order.iter().enumerate() {
        greatest = greatest.max((order.len() - rank) as f64 * p).min(1.0);
        adjusted[index] = Some(greatest);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RandomNumbers;

    /// By hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and the last at least as large as the one before.
    #[test]
    fn known_values() {
        let got = holm(&[0.01, 0.04, 0.03, 0.005].map(Some));
        for (got, want) in got.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got.unwrap() - want).abs() < 1e-12, "{got:?}");
        }
    }

    #[test]
    fn commands_without_a_test_do_not_count() {
        let got = holm(&[None, Some(0.04), None, Some(f64::NAN), Some(-1.0)]);
        assert_eq!(got[0], None);
        assert!((got[1].unwrap() - 0.12).abs() < 1e-12);
        assert_eq!((got[3], got[4]), (Some(1.0), Some(1.0)));
        assert!(holm(&[]).is_empty());
    }

    /// Ten true hypotheses that are strongly correlated.
    #[test]
    fn false_alarms_are_rare() {
        let mut dice = RandomNumbers::new(5, 0);
        let alarms = (0..4000)
            .filter(|_| {
                let common = dice.uniform();
                let p: Vec<Option<f64>> = (0..10)
                    .map(|_| {
                        if dice.uniform() < 0.5 {
                            common
                        } else {
                            dice.uniform()
                        }
                    })
                    .map(Some)
                    .collect();
                holm(&p).iter().flatten().any(|p| *p <= 0.05)
            })
            .count();
        // 5 % plus three standard errors.
        assert!(alarms < 242, "{alarms} of 4000");
    }
}
