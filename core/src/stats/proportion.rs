//! Shares: how often out of how many.

use super::Ranged;
use super::normal::Z95;

/// A share with its 95 % interval by Wilson's score method (JASA 22, 1927):
///
/// ```text
/// (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
/// ```
///
/// It stays inside 0..=1 and is usable from one trial on. `hits` above
/// `trials` count as all; without trials there is no value.
pub fn wilson(hits: u64, trials: u64) -> Ranged {
    if trials == 0 {
        return Ranged::NOTHING;
    }
    let n = trials as f64;
    let p = hits.min(trials) as f64 / n;
    let padding = Z95 * Z95 / n;
    let centre = (p + padding / 2.0) / (1.0 + padding);
    let half = Z95 * ((p * (1.0 - p) + padding / 4.0) / n).sqrt() / (1.0 + padding);
    // At 0 and 1 the limit is the value itself, but for rounding.
    Ranged::new(
        Some(p),
        Some((centre - half).clamp(0.0, p)),
        Some((centre + half).clamp(p, 1.0)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
