//! The regression itself, without the choice of what to play.

use super::local::Local;
use super::prior::{Marginal, Prior};
use super::slopes::Slopes;
use crate::stats::Pentanomial;
use crate::tune::played::{coordinates, games, lead};
use crate::tune::{GAME_VARIANCE, Proposal, Space};

/// Batches that a guess of the variance counts for.
const PSEUDO_BATCHES: f64 = 10.0;

/// The prior is fitted anew when the batches have grown by this factor.
const REFIT: f64 = 1.1;

/// How far from the optimum the model is believed to hold, in steps: one, and
/// farther while the typical parameter's optimum is not located better than to
/// a quarter of that.
///
/// The typical one rules all: a parameter whose optimum lies far out, on a
/// slope that is no parabola, would look uncertain and so keep everything that
/// misleads it.
fn reach(deviation: f64) -> f64 {
    (1.0 + 16.0 * deviation * deviation).sqrt()
}

/// What all batches so far say about every coordinate.
#[derive(Clone, Debug)]
pub(crate) struct Posterior {
    places: Vec<Local>,
    /// Centre and reach, in steps, within which the model is to hold.
    focus: Vec<(f64, f64)>,
    prior: Prior,
    /// Median deviation of the optimum, in steps.
    typical: f64,
    batches: f64,
    /// Σ N y², the variance of a game times the batches.
    squares: f64,
    refit_at: f64,
}

impl Posterior {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self {
            places: vec![Local::default(); dimensions],
            focus: vec![(0.0, reach(1.0)); dimensions],
            prior: Prior::new(dimensions),
            typical: 1.0,
            batches: 0.0,
            squares: 0.0,
            refit_at: 1.0,
        }
    }

    pub(crate) fn batches(&self) -> f64 {
        self.batches
    }

    /// Median deviation of the optimum's coordinates, in steps; 1 at first.
    pub(super) fn typical_deviation(&self) -> f64 {
        self.typical
    }

    pub(crate) fn add(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        let games = games(proposal);
        let score = lead(result) / games;
        let played = coordinates(space, proposal);
        for (place, (center, difference)) in self.places.iter_mut().zip(played) {
            place.add(games, center, difference, score);
        }
        self.batches += 1.0;
        self.squares += games * score * score;
    }

    /// Draws conclusions if enough was added: [`Posterior::conclude`].
    pub(crate) fn update(&mut self, space: &Space) {
        if self.is_due() {
            self.conclude(space);
        }
    }

    /// Draws conclusions: fits the prior anew if much was added since, and
    /// moves the focus.
    pub(super) fn conclude(&mut self, space: &Space) -> Vec<Marginal> {
        if self.is_due() {
            // Of all batches: what all have in common needs the leverage of
            // far ones. (From near ones only, a fit can hold itself in a wrong
            // state: too steep, hence slow, hence nothing new to see.)
            let everywhere = self.places.iter().map(|p| p.about(0.0, f64::INFINITY));
            let slopes: Vec<Slopes> = everywhere.collect();
            self.prior.fit(&slopes, self.precision());
            self.refit_at = (self.batches * REFIT).max(self.batches + 4.0);
        }
        let marginals: Vec<Marginal> = self.marginals().collect();
        let mut deviations: Vec<f64> = marginals.iter().map(|m| m.deviation).collect();
        deviations.sort_by(f64::total_cmp);
        self.typical = deviations.get(deviations.len() / 2).copied().unwrap_or(1.0);
        let reach = reach(self.typical);
        let focus = marginals.iter().enumerate().map(|(i, marginal)| {
            let (low, high) = space.bounds_in_steps(i);
            (marginal.best.clamp(low, high), reach)
        });
        self.focus = focus.collect();
        marginals
    }

    /// Whether enough was added to fit the prior anew.
    fn is_due(&self) -> bool {
        self.batches >= self.refit_at
    }

    /// All coordinates.
    pub(super) fn marginals(&self) -> impl Iterator<Item = Marginal> + '_ {
        let precision = self.precision();
        self.slopes()
            .map(move |slopes| self.prior.marginal(&slopes, precision))
    }

    fn slopes(&self) -> impl Iterator<Item = Slopes> + '_ {
        let places = self.places.iter().zip(&self.focus);
        places.map(|(place, &(center, reach))| place.about(center, reach))
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
