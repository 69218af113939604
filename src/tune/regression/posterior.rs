//! The regression itself, without the choice of what to play.

use super::prior::{Marginal, Prior};
use super::slopes::Slopes;
use crate::stats::Pentanomial;
use crate::tune::played::{coordinates, games, lead};
use crate::tune::{GAME_VARIANCE, Proposal, Space};

/// Batches that a guess of the variance counts for.
const PSEUDO_BATCHES: f64 = 10.0;

/// The prior is fitted anew when the batches have grown by this factor.
const REFIT: f64 = 1.1;

/// What all batches so far say about every coordinate.
#[derive(Clone, Debug)]
pub(crate) struct Posterior {
    slopes: Vec<Slopes>,
    prior: Prior,
    batches: f64,
    /// Σ N y², the variance of a game times the batches.
    squares: f64,
    refit_at: f64,
}

impl Posterior {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self {
            slopes: vec![Slopes::default(); dimensions],
            prior: Prior::new(dimensions),
            batches: 0.0,
            squares: 0.0,
            refit_at: 1.0,
        }
    }

    pub(crate) fn batches(&self) -> f64 {
        self.batches
    }

    pub(crate) fn add(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        let games = games(proposal);
        let score = lead(result) / games;
        let played = coordinates(space, proposal);
        for (slopes, (center, difference)) in self.slopes.iter_mut().zip(played) {
            slopes.add(games, center, difference, score);
        }
        self.batches += 1.0;
        self.squares += games * score * score;
    }

    /// Fits the prior anew if much was added since.
    pub(crate) fn refit(&mut self) {
        if self.batches >= self.refit_at {
            self.prior.fit(&self.slopes, self.precision());
            self.refit_at = (self.batches * REFIT).max(self.batches + 4.0);
        }
    }

    /// All coordinates.
    pub(super) fn marginals(&self) -> impl Iterator<Item = Marginal> + '_ {
        let precision = self.precision();
        self.slopes
            .iter()
            .map(move |s| self.prior.marginal(s, precision))
    }

    /// Standard deviations of the optimum's coordinates, in the parameters'
    /// own units; `None` before the first batch.
    pub(crate) fn errors(&self, space: &Space) -> Option<Vec<f64>> {
        (self.batches > 0.0).then(|| {
            let steps = space.dimensions().iter().map(|d| d.step);
            self.marginals()
                .zip(steps)
                .map(|(m, step)| m.deviation * step)
                .collect()
        })
    }

    /// Reciprocal of one game's variance. What the other coordinates
    /// contribute to a result counts as noise, too.
    fn precision(&self) -> f64 {
        (self.batches + PSEUDO_BATCHES) / (self.squares + PSEUDO_BATCHES * GAME_VARIANCE)
    }
}
