//! Shares with their intervals and tail probabilities.

use statrs::function::beta::checked_beta_reg;

use super::Ranged;
use super::normal::Z95;

/// A share with its 95 % interval by Wilson's score method (JASA 22, 1927):
///
/// ```text
/// (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
/// ```
///
/// The interval stays inside 0..=1 and is valid from one trial on. `hits` above `trials` count as
/// `trials`; without trials there is no value.
pub fn wilson(hits: u64, trials: u64) -> Ranged {
    if trials == 0 {
        return Ranged::NOTHING;
    }
    let n = trials as f64;
    let p = hits.min(trials) as f64 / n;
    let padding = Z95 * Z95 / n;
    let centre = (p + padding / 2.0) / (1.0 + padding);
    let half = Z95 * ((p * (1.0 - p) + padding / 4.0) / n).sqrt() / (1.0 + padding);
    // At 0 and 1 the limit equals the value, except for rounding.
    Ranged::new(
        Some(p),
        Some((centre - half).clamp(0.0, p)),
        Some((centre + half).clamp(p, 1.0)),
    )
}

/// The probability of `hits` or more in `trials` independent trials with probability `chance`, 0 to
/// 1, by the incomplete beta function (Abramowitz and Stegun, 26.5.24):
///
/// ```text
/// P(X ≥ k) = I_p(k, n - k + 1)
/// ```
pub fn binomial_tail(hits: u64, trials: u64, chance: f64) -> f64 {
    if hits == 0 {
        return 1.0;
    }
    if hits > trials || chance <= 0.0 {
        return 0.0;
    }
    let (k, n) = (hits as f64, trials as f64);
    checked_beta_reg(k, n - k + 1.0, chance.min(1.0)).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sum of the terms, for small numbers of trials.
    #[test]
    fn a_tail_is_the_sum_of_its_terms() {
        let term = |k: u64, n: u64, p: f64| {
            let choose = (0..k).fold(1.0, |all, i| all * (n - i) as f64 / (i + 1) as f64);
            choose * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)
        };
        for (k, n, p) in [(1, 50, 0.01), (3, 50, 0.01), (5, 5, 0.3), (7, 90, 0.02)] {
            let sum: f64 = (k..=n).map(|hits| term(hits, n, p)).sum();
            let got = binomial_tail(k, n, p);
            assert!((got - sum).abs() < 1e-12, "{k} of {n}: {got}, not {sum}");
        }
        let ends = [(0, 0.0), (1, 0.0), (10, 0.5), (9, 1.0)];
        let ends = ends.map(|(hits, chance)| Some(binomial_tail(hits, 9, chance)));
        assert_eq!(ends, [Some(1.0), Some(0.0), Some(0.0), Some(1.0)]);
    }

    /// scipy 1.17, `binomtest(k, n).proportion_ci(method="wilson")`.
    #[test]
    fn known_values() {
        for (hits, trials, low, high) in [
            (5, 100, 0.021_543_679_154_367_97, 0.111_750_469_231_919_1),
            (0, 10, 0.0, 0.277_532_799_862_889_2),
            (10, 10, 0.722_467_200_137_110_9, 1.0),
        ] {
            let got = wilson(hits, trials);
            assert!((got.low.expect("some") - low).abs() < 1e-9, "{got:?}");
            assert!((got.high.expect("some") - high).abs() < 1e-9, "{got:?}");
        }
        assert_eq!(wilson(0, 0), Ranged::NOTHING);
        assert_eq!(wilson(7, 3).value, Some(1.0));
    }
}
