//! The regression itself, without the choice of what to play.

use super::coordinate::Coordinate;
use super::line::{Line, point};
use super::prior::{Effects, Marginal, Prior};
use super::slopes::{Batch, Slopes};
use crate::Pentanomial;
use crate::tune::played::{coordinates, games, lead};
use crate::tune::{ELO_PER_LEAD, GAME_VARIANCE, NoEffect, Proposal, Reading, Space};

/// Batches that a guess of the variance counts for.
const PSEUDO_BATCHES: f64 = 10.0;

/// The prior is fitted anew when the batches have grown by this factor.
const REFIT: f64 = 1.1;

/// Batch t counts t^¼ times: what was played while the other coordinates lay elsewhere
/// misleads where parameters interact, and loses its weight (about as averages of the
/// second half do: Polyak and Juditsky, SIAM J. Control 30, 1992).
const FADING: f64 = 0.25;

/// With [`NoEffect::Move`] an effect that is at least as likely as none is acted on, if all
/// coordinates together show effects: many small gains are worth having that none of them
/// shows alone.
const EVEN: f64 = 0.5;

/// How often a tune of parabolas may be said to have a parameter that is none.
pub(super) const MISFIT: f64 = 0.01;

/// How far from the optimum the model is believed to hold, in perturbations: one, and
/// farther while the typical parameter's optimum is not located better than to
/// a quarter of that.
///
/// The typical one rules all: a parameter whose optimum lies far out, on a
/// slope that is no parabola, would look uncertain and so keep everything that
/// misleads it.
fn reach(deviation: f64) -> f64 {
    (1.0 + 16.0 * deviation * deviation).sqrt()
}

/// What was drawn for one coordinate of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    /// The side to which the centre is shifted: -1 or 1.
    pub(super) sign: f64,
    /// Whether the perturbation is the short one.
    pub(super) is_short: bool,
}

/// What all batches so far say about every coordinate.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    coordinates: Vec<Coordinate>,
    /// What the last conclusions say of each coordinate; nothing before the first.
    pub(super) marginals: Vec<Marginal>,
    /// As of the last fit of the prior.
    pub(super) effects: Effects,
    prior: Prior,
    /// Median deviation of the optimum's coordinates, in steps; 1 at first.
    pub(super) typical: f64,
    pub(super) batches: f64,
    /// `Σ N(y - predicted)²`: the variance of a game times the batches. Each was predicted
    /// from those before it.
    squares: f64,
    refit_at: f64,
}

impl Posterior {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            coordinates: vec![Coordinate::new(reach(1.0)); dimensions],
            marginals: Vec::new(),
            effects: Effects {
                likely: vec![0.0; dimensions],
                evidence: 0.0,
            },
            prior: Prior::new(dimensions),
            typical: 1.0,
            batches: 0.0,
            squares: 0.0,
            refit_at: 1.0,
        }
    }

    /// Of each coordinate, what its perturbations are multiplied by.
    pub(super) fn scales(&self) -> impl Iterator<Item = f64> + '_ {
        self.coordinates.iter().map(Coordinate::scale)
    }

    /// Where each coordinate is best as of the last conclusions, between the bounds, in
    /// steps; at first the start.
    pub(super) fn centers(&self) -> impl Iterator<Item = f64> + '_ {
        self.coordinates.iter().map(Coordinate::center)
    }

    /// One more batch, and what was drawn for it.
    pub(super) fn add(
        &mut self,
        space: &Space,
        proposal: &Proposal,
        result: &Pentanomial,
        drawn: &[Drawn],
    ) {
        let games = games(proposal);
        let score = lead(result) / games;
        let played: Vec<(f64, f64)> = coordinates(space, proposal).collect();
        let predicted = self.predicted(&played);
        let sum: f64 = predicted.iter().sum();
        let weight = (self.batches + 1.0).powf(FADING);
        let rows = self.coordinates.iter_mut().zip(played).zip(predicted);
        for (((coordinate, (center, difference)), own), drawn) in rows.zip(drawn) {
            let batch = Batch {
                games,
                weight,
                center,
                difference,
                is_above: drawn.sign > 0.0,
                // Less what the others are known to contribute.
                score: score - (sum - own),
            };
            coordinate.add(proposal.number, &batch, drawn.is_short);
        }
        self.batches += 1.0;
        self.squares += games * (score - sum).powi(2);
    }

    /// What each coordinate was expected to contribute to a score, from the batches before.
    ///
    /// Of n coordinates that are regressed alone each takes the noise of all for its own: in
    /// B batches they learn `n/B` of a game's variance, and are believed the less.
    fn predicted(&self, played: &[(f64, f64)]) -> Vec<f64> {
        let trust = self.batches / (self.batches + played.len() as f64);
        let known = self.marginals.iter().zip(&self.effects.likely);
        let known = known.map(|(marginal, likely)| (trust * likely * marginal.beta, marginal.best));
        // Nothing before the first conclusions.
        let known = known.chain(std::iter::repeat((0.0, 0.0)));
        let rows = played.iter().zip(known);
        rows.map(|(&(center, difference), (beta, best))| difference * beta * (best - center))
            .collect()
    }

    /// Draws conclusions: fits the prior anew if much was added since, moves the focus,
    /// and shortens the perturbations of which the games say that they mislead: from
    /// the batch `next` on.
    pub(super) fn conclude(&mut self, space: &Space, next: u64) {
        let precision = self.precision();
        if self.batches >= self.refit_at {
            // Of all batches: what all have in common needs the leverage of
            // far ones. (From near ones only, a fit can hold itself in a wrong
            // state: too steep, hence slow, hence nothing new to see.)
            let everywhere = self.coordinates.iter().map(Coordinate::everywhere);
            let slopes: Vec<Slopes> = everywhere.collect();
            self.prior.fit(&slopes, precision);
            self.effects = self.prior.effects(&slopes, precision);
            self.refit_at = (self.batches * REFIT).max(self.batches + 4.0);
        }
        let slopes = self.coordinates.iter().map(Coordinate::slopes);
        let marginals = slopes.map(|slopes| self.prior.marginal(&slopes, precision));
        self.marginals = marginals.collect();
        let mut deviations: Vec<f64> = self.marginals.iter().map(|m| m.deviation).collect();
        deviations.sort_by(f64::total_cmp);
        self.typical = deviations.get(deviations.len() / 2).copied().unwrap_or(1.0);
        let (reach, variance) = (reach(self.typical), self.variance());
        let coordinates = self.coordinates.iter_mut().zip(&self.marginals);
        for (i, (coordinate, marginal)) in coordinates.enumerate() {
            let bounds = space.bounds_in_steps(i);
            coordinate.focus(marginal.best.clamp(bounds.0, bounds.1), reach);
            let known = (marginal.beta, variance);
            coordinate.shorten_if_misled(&space.dimensions()[i], known, next);
        }
    }

    /// What to report of every coordinate, and what the games show of it; at first
    /// the start, of which they show nothing.
    pub(super) fn readings(&self, space: &Space, no_effect: NoEffect) -> Vec<Reading> {
        let point = point(self.batches - 2.0);
        let (precision, variance) = (self.precision(), self.variance());
        let coordinates = self.coordinates.iter().zip(space.dimensions());
        let readings = coordinates.enumerate().map(|(i, (coordinate, dimension))| {
            let bounds = space.bounds_in_steps(i);
            let slopes = coordinate.slopes();
            let marginal = self.prior.marginal(&slopes, precision);
            let line = |slopes: &Slopes| Line::fit(slopes, variance).filter(|_| point.is_finite());
            // Near the optimum nothing pulls: what led there shows that there is an effect.
            let whole = line(&coordinate.everywhere());
            let is_seen =
                coordinate.is_known_to_matter() || whole.is_some_and(|line| line.is_effect(point));
            let moves = is_seen || no_effect == NoEffect::Move && self.is_likely(i);
            let (low, high) = line(&slopes).filter(|_| moves).map_or(bounds, |line| {
                let known = (marginal.beta, variance);
                coordinate.interval(&line, known, bounds, point)
            });
            // The prior does not overrule the games.
            let best = if moves { marginal.best } else { 0.0 };
            let best = best.clamp(low, high);
            // Players on both sides of a centre differ by twice the slope. What is seen is
            // played elsewhere, and its line need not hold at the start.
            let steepest = whole.filter(|_| !is_seen);
            let steepest = steepest.map(|line| 0.5 * ELO_PER_LEAD * line.steepest(0.0, point));
            let chance = coordinate.chance_of_misfit(variance);
            let is_parabola = chance.map(|chance| chance >= MISFIT / self.coordinates.len() as f64);
            Reading::new(dimension, best, (low, high), is_seen, steepest).fitting(is_parabola)
        });
        readings.collect()
    }

    /// Whether all coordinates together show effects, and this one rather has one than not.
    pub(super) fn is_likely(&self, coordinate: usize) -> bool {
        self.effects.evidence > 0.0 && self.effects.likely[coordinate] >= EVEN
    }

    /// Reciprocal of one game's variance. What the other coordinates
    /// contribute to a result counts as noise, too.
    fn precision(&self) -> f64 {
        (self.batches + PSEUDO_BATCHES) / (self.squares + PSEUDO_BATCHES * GAME_VARIANCE)
    }

    /// One game's variance as the games show it, with no guess.
    fn variance(&self) -> f64 {
        self.squares / self.batches.max(1.0)
    }
}
