//! The regression itself, without the choice of batches.

use super::coordinate::Coordinate;
use super::line::{Line, point};
use super::prior::{Effects, Marginal, Prior};
use super::slopes::{Batch, Slopes};
use crate::tune::{ELO_PER_LEAD, GAME_VARIANCE, NoEffect, Reading, Space};

/// Number of batches whose weight the initial guess of the variance has.
const PSEUDO_BATCHES: f64 = 10.0;

/// Growth of the number of batches after which the prior is fitted again.
const REFIT: f64 = 1.1;

/// Exponent of the weight: batch t has the weight t^¼. If parameters interact, early batches
/// mislead, because the other coordinates were elsewhere, so they lose their weight (about as in
/// averages of the second half: Polyak and Juditsky, SIAM J. Control 30, 1992).
const FADING: f64 = 0.25;

/// Probability above which a parameter probably has an effect.
const EVEN: f64 = 0.5;

/// Permitted probability of reporting, for a tune of parabolas, a parameter that is not one.
pub(super) const MISFIT: f64 = 0.01;

/// Returns the distance from the optimum, in perturbations, within which the model is assumed to
/// hold: one, and more until the typical parameter's optimum is located to a quarter of that.
///
/// The typical parameter determines the reach of all: a parameter whose optimum lies far away, on a
/// slope that is not a parabola, would look uncertain and so keep all batches that mislead it.
fn reach(deviation: f64) -> f64 {
    (1.0 + 16.0 * deviation * deviation).sqrt()
}

/// Random choices for one coordinate of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tune) struct Drawn {
    /// Side to which the centre is shifted: -1 or 1.
    pub(in crate::tune) sign: f64,
    /// True for the short perturbation.
    pub(in crate::tune) is_short: bool,
}

/// The evidence of all batches so far on every coordinate.
#[derive(Clone, Debug)]
pub(in crate::tune) struct Posterior {
    coordinates: Vec<Coordinate>,
    /// The last conclusions on each coordinate; empty before the first.
    pub(in crate::tune) marginals: Vec<Marginal>,
    /// Effects as of the last fit of the prior.
    pub(super) effects: Effects,
    prior: Prior,
    /// Center of the prior of each coordinate, in steps from the start.
    origins: Vec<f64>,
    /// Median deviation of the optimum's coordinates, in steps; 1 at first.
    pub(in crate::tune) typical: f64,
    pub(super) batches: f64,
    /// `Σ N(y - predicted)²`: the variance of a game times the batches. Each batch was predicted
    /// from earlier ones.
    squares: f64,
    refit_at: f64,
}

impl Posterior {
    pub(in crate::tune) fn new(dimensions: usize) -> Self {
        Self {
            coordinates: vec![Coordinate::new(reach(1.0)); dimensions],
            marginals: Vec::new(),
            effects: Effects {
                likely: vec![0.0; dimensions],
                evidence: 0.0,
            },
            prior: Prior::new(dimensions),
            origins: vec![0.0; dimensions],
            typical: 1.0,
            batches: 0.0,
            squares: 0.0,
            refit_at: 1.0,
        }
    }

    /// Moves the center of a coordinate's prior by a distance in steps.
    pub(in crate::tune) fn move_origin(&mut self, coordinate: usize, distance: f64) {
        self.origins[coordinate] += distance;
    }

    /// Factor of the perturbations of each coordinate.
    pub(super) fn scales(&self) -> impl Iterator<Item = f64> + '_ {
        self.coordinates.iter().map(Coordinate::scale)
    }

    /// Best value of each coordinate as of the last conclusions, between the bounds, in steps; at
    /// first the start.
    pub(super) fn centers(&self) -> impl Iterator<Item = f64> + '_ {
        self.coordinates.iter().map(Coordinate::center)
    }

    /// Adds a batch of `games` games with its random choices. `score` is wins minus losses per game,
    /// `played` centre and signed half-difference of each coordinate, in steps.
    pub(in crate::tune) fn add(
        &mut self,
        number: u64,
        (games, score): (f64, f64),
        played: &[(f64, f64)],
        drawn: &[Drawn],
    ) {
        let predicted = self.predicted(played);
        let sum: f64 = predicted.iter().sum();
        let weight = libm::pow(self.batches + 1.0, FADING);
        let rows = self.coordinates.iter_mut().zip(played).zip(predicted);
        for (((coordinate, &(center, difference)), own), drawn) in rows.zip(drawn) {
            let batch = Batch {
                games,
                weight,
                center,
                difference,
                is_above: drawn.sign > 0.0,
                // Minus the known contribution of the other coordinates.
                score: score - (sum - own),
            };
            coordinate.add(number, &batch, drawn.is_short);
        }
        self.batches += 1.0;
        self.squares += games * (score - sum).powi(2);
    }

    /// Returns the contribution of each coordinate to a score, as predicted from earlier batches.
    ///
    /// Each of n coordinates that are regressed alone treats the noise of all as its own: in B
    /// batches they fit `n/B` of a game's variance, and so the prediction is shrunk.
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

    /// Updates the conclusions: fits the prior again after enough new batches, moves the focus, and
    /// shortens misleading perturbations from the batch `next` on.
    pub(in crate::tune) fn conclude(&mut self, space: &Space, next: u64) {
        let precision = self.precision();
        if self.batches >= self.refit_at {
            // Uses all batches, because the common part of the coordinates needs the leverage of
            // far ones. (A fit to near ones only can stay in a wrong state: too steep, hence slow,
            // hence no new evidence.)
            let everywhere = self.coordinates.iter().zip(&self.origins);
            let everywhere = everywhere.map(|(it, origin)| it.everywhere().relative_to(*origin));
            let slopes: Vec<Slopes> = everywhere.collect();
            self.prior.fit(&slopes, precision);
            self.effects = self.prior.effects(&slopes, precision);
            self.refit_at = (self.batches * REFIT).max(self.batches + 4.0);
        }
        self.marginals = self.current();
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

    /// Returns the conclusions on each coordinate from all batches, under the prior of the last fit.
    pub(in crate::tune) fn current(&self) -> Vec<Marginal> {
        let precision = self.precision();
        let rows = self.coordinates.iter().zip(&self.origins);
        let marginals = rows.map(|(coordinate, origin)| {
            let slopes = coordinate.slopes().relative_to(*origin);
            let marginal = self.prior.marginal(&slopes, precision);
            Marginal {
                best: origin + marginal.best,
                ..marginal
            }
        });
        marginals.collect()
    }

    /// Returns the values to report of every coordinate, with their evidence; at first the start
    /// without evidence.
    pub(super) fn readings(&self, space: &Space, no_effect: NoEffect) -> Vec<Reading> {
        let point = point(self.batches - 2.0);
        let (precision, variance) = (self.precision(), self.variance());
        let coordinates = self.coordinates.iter().zip(space.dimensions());
        let readings = coordinates.enumerate().map(|(i, (coordinate, dimension))| {
            let bounds = space.bounds_in_steps(i);
            let slopes = coordinate.slopes();
            let marginal = self.prior.marginal(&slopes, precision);
            let line = |slopes: &Slopes| Line::fit(slopes, variance).filter(|_| point.is_finite());
            // Near the optimum there is no slope; batches on the way there show the effect.
            let whole = line(&coordinate.everywhere());
            let is_seen =
                coordinate.is_known_to_matter() || whole.is_some_and(|line| line.is_effect(point));
            let moves = is_seen || no_effect == NoEffect::Move;
            let (low, high) = line(&slopes).filter(|_| moves).map_or(bounds, |line| {
                let known = (marginal.beta, variance);
                coordinate.interval(&line, known, bounds, point)
            });
            // The games take precedence over the prior.
            let best = if moves { marginal.best } else { 0.0 };
            let best = best.clamp(low, high);
            // Players on both sides of a centre differ by twice the slope. A coordinate with a
            // visible effect is played elsewhere, and its line need not hold at the start.
            let steepest = whole.filter(|_| !is_seen);
            let steepest = steepest.map(|line| 0.5 * ELO_PER_LEAD * line.steepest(0.0, point));
            let chance = coordinate.chance_of_misfit(variance);
            let is_parabola = chance.map(|chance| chance >= MISFIT / self.coordinates.len() as f64);
            Reading::new(dimension, best, (low, high), is_seen, steepest, is_parabola)
        });
        readings.collect()
    }

    /// Returns whether all coordinates together show effects and this one probably has one.
    pub(super) fn is_likely(&self, coordinate: usize) -> bool {
        self.effects.evidence > 0.0 && self.effects.likely[coordinate] >= EVEN
    }

    /// Reciprocal of one game's variance, which includes the contributions of the other coordinates
    /// to a result.
    pub(in crate::tune) fn precision(&self) -> f64 {
        (self.batches + PSEUDO_BATCHES) / (self.squares + PSEUDO_BATCHES * GAME_VARIANCE)
    }

    /// Observed variance of one game, without the initial guess.
    fn variance(&self) -> f64 {
        self.squares / self.batches.max(1.0)
    }
}
