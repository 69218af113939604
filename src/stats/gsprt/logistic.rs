//! The nearest law with a given mean.

use super::cells::Cells;
use super::dual::Nearest;
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
