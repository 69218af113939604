//! The nearest law with a given mean.

use super::cells::Cells;
use super::dual::{Nearest, total_of};
use crate::stats::Pentanomial;
use crate::stats::logistic::ELO_PER_LOGIT;

/// The mean score less ½ of a player `elo` stronger, without the rounding of
/// that subtraction: ½ tanh(elo · ln 10 / 800).
pub(super) fn lead_from_elo(elo: f64) -> f64 {
    0.5 * (elo / (2.0 * ELO_PER_LOGIT)).tanh()
}

/// The loss of log-likelihood of the likeliest law whose mean is `½ + lead`,
/// against the counts' own law. Total for |lead| < ½. `guess` is θ from before
/// and is kept up to date.
pub(super) fn loss<const K: usize>(cells: &Cells<K>, lead: f64, guess: &mut f64) -> f64 {
    let x = Cells::<K>::leads().map(|y| y - lead);
    let sum = cells.lead() - cells.units() * lead;
    let Some(nearest) = Nearest::find(&cells.counts, &x, sum, *guess) else {
        // Not reached: 0 lies between the first and the last x.
        return 0.0;
    };
    *guess = nearest.theta;
    nearest.loss(&cells.counts, &x, sum)
}

/// The score statistic of pairs against a first player `elo` (logistic) stronger:
/// lead of the pairs over the expected score s, in standard errors by the likeliest
/// law with that mean (Rao, Proceedings of the Cambridge Philosophical Society 44,
/// 1948). With `pᵢ = cᵢ/(N wᵢ)` that is `Σ cᵢxᵢ / √(Σ cᵢxᵢ²/wᵢ)`, xᵢ = aᵢ - s.
/// Finite; 0 without pairs.
pub(in crate::stats) fn score_statistic(pairs: Pentanomial, elo: f64) -> f64 {
    let results = pairs.into();
    let cells = Cells::<5>::new(&results);
    let lead = lead_from_elo(elo);
    let x = Cells::<5>::leads().map(|y| y - lead);
    let sum = cells.lead() - cells.units() * lead;
    match Nearest::find(&cells.counts, &x, sum, 0.0) {
        Some(nearest) if !results.is_empty() => {
            let square = |i: usize| cells.counts[i] * x[i] * x[i] / nearest.weights[i];
            sum / total_of::<5>(square).sqrt()
        }
        _ => 0.0,
    }
}
