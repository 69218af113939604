//! The nearest law with a given mean.

use super::cells::Cells;
use super::dual::{Nearest, total_of};
use crate::Pentanomial;
use crate::logistic::ELO_PER_LOGIT;

/// The mean score minus ½ of a player `elo` stronger, without the rounding of that subtraction: ½
/// tanh(elo · ln 10 / 800).
pub(super) fn lead_from_elo(elo: f64) -> f64 {
    0.5 * libm::tanh(elo / (2.0 * ELO_PER_LOGIT))
}

/// The loss of log-likelihood of the likeliest law whose mean is `½ + lead`, against the counts'
/// own law. Defined for |lead| < ½. `guess` is an earlier θ and is updated.
pub(super) fn loss<const K: usize>(cells: &Cells<K>, lead: f64, guess: &mut f64) -> f64 {
    let x = Cells::<K>::leads().map(|y| y - lead);
    let sum = cells.lead() - cells.units() * lead;
    let Some(nearest) = Nearest::find(&cells.counts, &x, sum, *guess) else {
        // Unreachable: 0 lies between the first and the last x.
        return 0.0;
    };
    *guess = nearest.theta;
    nearest.loss(&cells.counts, &x, sum)
}

/// Distance of pairs from a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Score {
    /// Distance in standard errors, distributed as a standard normal variable.
    pub(crate) z: f64,
    /// Variance of a pair's score under the hypothesis.
    pub(crate) variance: f64,
}

/// The score statistic of pairs against a first player `elo` (logistic) stronger: lead of the pairs
/// over the expected score s, in standard errors by the likeliest law p with that mean (Rao,
/// Proceedings of the Cambridge Philosophical Society 44, 1948), minus the skewness of a
/// standardised sum of n pairs: `z - γ(z² - 1)/(6√n)` (Cornish and Fisher 1938), γ the skewness of
/// p; the correction is at most a quarter of z, or ⅛.
///
/// With `pᵢ = cᵢ/(N wᵢ)` the moments are `Σ cᵢxᵢᵏ/wᵢ / N`, xᵢ = aᵢ - s. Finite; z is 0 without
/// pairs.
pub(crate) fn score_statistic(pairs: Pentanomial, elo: f64) -> Score {
    let results = pairs.into();
    let cells = Cells::<5>::new(&results);
    let lead = lead_from_elo(elo);
    let x = Cells::<5>::leads().map(|y| y - lead);
    let units = cells.units();
    let sum = cells.lead() - units * lead;
    // Always exists: 0 lies between the first and the last x.
    let nearest = Nearest::find(&cells.counts, &x, sum, 0.0).unwrap_or(Nearest::OWN);
    let moment = |power: i32| {
        let term = |i: usize| cells.counts[i] * x[i].powi(power) / nearest.weights[i];
        total_of::<5>(term) / units
    };
    let variance = moment(2);
    if results.is_empty() {
        return Score { z: 0.0, variance };
    }
    let z = sum / (units * variance).sqrt();
    let skewness = moment(3) / libm::pow(variance, 1.5);
    let most = z.abs().max(0.5) / 4.0;
    let correction = skewness * (z * z - 1.0) / (6.0 * units.sqrt());
    Score {
        z: z - correction.clamp(-most, most),
        variance,
    }
}
