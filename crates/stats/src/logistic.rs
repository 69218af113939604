//! Elo difference and expected score, logistic scale.
//!
//! `score = 1 / (1 + 10^(-elo / 400))`. Source: the customary scale of chess
//! rating lists since Elo 1978; identical in fishtest (`stat_util.py`),
//! fastchess, `OpenBench` and cutechess.

use std::f64::consts::LN_10;

/// Elo per unit of log-odds, `400 / ln 10` = 173.717 792 761 300 731.
pub const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Expected score (0..=1) of a player who is `elo` points stronger.
///
/// Finite input gives a number in 0..=1; beyond about ±14 800 it is 0 or 1, exactly or nearly.
/// Relative error below 1e-14 for |elo| < 4000.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-elo / ELO_PER_LOGIT))
}

/// Elo difference that makes `score` the expected score.
///
/// `None` without a finite difference: `score` ≤ 0, ≥ 1 or NaN. Absolute error below 1e-11 Elo for
/// the given double, and exactly antisymmetric in `score - ½` over the middle half.
pub fn elo_from_score(score: f64) -> Option<f64> {
    if !(score > 0.0 && score < 1.0) {
        return None;
    }
    // Near ½ the difference of logarithms would lose digits that atanh keeps; near 0 the argument
    // of atanh would lose them.
    let logit = if (0.25..=0.75).contains(&score) {
        2.0 * libm::atanh(2.0 * score - 1.0)
    } else {
        libm::log(score) - libm::log1p(-score)
    };
    Some(ELO_PER_LOGIT * logit)
}

/// Elo difference from the score minus ½, exactly antisymmetric, so that mirrored counts give
/// opposite values and small leads stay exact. `None` outside -½..½.
pub(super) fn elo_from_lead(lead: f64) -> Option<f64> {
    if !(lead > -0.5 && lead < 0.5) {
        return None;
    }
    let logit = if lead.abs() <= 0.25 {
        2.0 * libm::atanh(2.0 * lead)
    } else {
        libm::log(0.5 + lead) - libm::log(0.5 - lead)
    };
    Some(ELO_PER_LOGIT * logit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // mpmath 1.3, 40 digits: -400*log10(1/s - 1) and its inverse.
        for (score, elo) in [
            (0.75, 190.848_501_887_864_97),
            (0.9, 381.697_003_775_729_95),
            (0.5 + 1e-9, 6.948_711_513_929_041e-7),
            (1e-3, -1_199.826_195_290_393),
            (1e-300, -120_000.0),
        ] {
            let got = elo_from_score(score).expect("inside");
            assert!(
                (got - elo).abs() <= 1e-14 * elo.abs() + 1e-21,
                "{score}: {got}"
            );
        }
        assert!((score_from_elo(5.0) - 0.507_195_081_709_051_4).abs() < 1e-15);
        assert!((score_from_elo(200.0) - 0.759_746_926_647_958).abs() < 1e-15);
    }

    #[test]
    fn no_finite_elo_at_or_beyond_the_ends() {
        for score in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(elo_from_score(score), None);
        }
        assert!((score_from_elo(f64::INFINITY) - 1.0).abs() < f64::EPSILON);
        assert!(score_from_elo(f64::NEG_INFINITY).abs() < f64::EPSILON);
    }

    #[test]
    fn the_two_directions_undo_each_other_and_rise() {
        let mut before = f64::NEG_INFINITY;
        for step in 1..2000 {
            let score = f64::from(step) / 2000.0;
            let elo = elo_from_score(score).expect("inside");
            assert!(elo > before);
            before = elo;
            assert!((score_from_elo(elo) - score).abs() < 1e-14);
            let mirrored = elo_from_score(1.0 - score).expect("inside");
            assert!((elo + mirrored).abs() < 1e-10);
        }
    }
}
