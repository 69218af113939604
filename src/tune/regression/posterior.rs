//! The regression itself, without the choice of what to play.

use super::line::{Line, Shifts, point};
use super::local::Local;
use super::prior::{Effects, Marginal, Prior};
use super::slopes::Slopes;
use crate::stats::Pentanomial;
use crate::stats::normal::Z95;
use crate::tune::played::{coordinates, games, lead};
use crate::tune::{ELO_PER_LEAD, GAME_VARIANCE, Proposal, Reading, Space};

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

/// How much of the way to the best value is proposed, of a coordinate that has an
/// effect with the probability `likely`.
///
/// What is seen by itself is believed as far as it is likely. Where nothing is seen the
/// start is as good as anything, unless all coordinates together show effects, and this
/// one rather has one than not: many small gains are worth having that none of them shows
/// alone.
fn share(is_seen: bool, is_any: bool, likely: f64) -> f64 {
    match (is_seen, is_any && likely >= 0.5) {
        (true, _) => likely,
        (false, true) => 1.0,
        (false, false) => 0.0,
    }
}

/// What all batches so far say about every coordinate.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    places: Vec<Local>,
    shifts: Vec<Shifts>,
    /// As of the last fit of the prior.
    effects: Effects,
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
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            places: vec![Local::default(); dimensions],
            shifts: vec![Shifts::default(); dimensions],
            effects: Effects {
                likely: vec![0.0; dimensions],
                evidence: 0.0,
            },
            focus: vec![(0.0, reach(1.0)); dimensions],
            prior: Prior::new(dimensions),
            typical: 1.0,
            batches: 0.0,
            squares: 0.0,
            refit_at: 1.0,
        }
    }

    pub(super) fn batches(&self) -> f64 {
        self.batches
    }

    /// Probability of each coordinate that it has an effect, as of the last fit.
    pub(super) fn likely(&self) -> &[f64] {
        &self.effects.likely
    }

    /// Median deviation of the optimum's coordinates, in steps; 1 at first.
    pub(super) fn typical_deviation(&self) -> f64 {
        self.typical
    }

    /// One more batch, whose centres were shifted to the sides of these signs.
    pub(super) fn add(
        &mut self,
        space: &Space,
        proposal: &Proposal,
        result: &Pentanomial,
        signs: &[f64],
    ) {
        let games = games(proposal);
        let score = lead(result) / games;
        let coordinates = coordinates(space, proposal).zip(signs);
        let places = self.places.iter_mut().zip(&mut self.shifts);
        for ((place, line), (played, &sign)) in places.zip(coordinates) {
            let (center, difference) = played;
            place.add(games, center, difference, score);
            line.add(games, played, sign, score);
        }
        self.batches += 1.0;
        self.squares += games * score * score;
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
            self.effects = self.prior.effects(&slopes, self.precision());
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

    /// What to report of every coordinate, and what the games show of it; at first
    /// the start, of which they show nothing.
    pub(super) fn readings(&self, space: &Space) -> Vec<Reading> {
        let point = point(self.batches - 2.0);
        let is_any = self.effects.evidence > 0.0;
        let coordinates = self.marginals().zip(&self.shifts).zip(&self.effects.likely);
        let readings = coordinates
            .enumerate()
            .map(|(i, ((marginal, shifts), &likely))| {
                let bounds = space.bounds_in_steps(i);
                let line =
                    Line::fit(shifts, self.squares, self.batches).filter(|_| point.is_finite());
                let steepest = line.map(|line| line.steepest(0.0, point));
                let seen = line.filter(|line| line.is_effect(point));
                let (low, high) = seen.map_or(bounds, |line| line.interval(bounds, point));
                let is_seen = seen.is_some();
                let best =
                    (share(is_seen, is_any, likely) * marginal.best).clamp(bounds.0, bounds.1);
                let dimension = &space.dimensions()[i];
                let at = |x: f64| dimension.start + x * dimension.step;
                // Half of the interval, and how far the value lies from its middle.
                let (half, off) = (0.5 * (high - low), best - f64::midpoint(low, high));
                Reading {
                    value: at(best),
                    error: half.hypot(off) / Z95 * dimension.step,
                    low: at(low),
                    high: at(high),
                    is_seen,
                    // Players on both sides of a centre differ by twice the slope.
                    steepest: steepest.map(|slope| 0.5 * ELO_PER_LEAD * slope),
                }
            });
        readings.collect()
    }

    /// Reciprocal of one game's variance. What the other coordinates
    /// contribute to a result counts as noise, too.
    fn precision(&self) -> f64 {
        (self.batches + PSEUDO_BATCHES) / (self.squares + PSEUDO_BATCHES * GAME_VARIANCE)
    }
}
