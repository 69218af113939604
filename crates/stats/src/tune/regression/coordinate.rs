//! What the games say of one coordinate, by perturbations of two lengths.
//!
//! A parabola's best value looks the same whatever the perturbation; that of a surface
//! that is steeper on one side does not: it is where both perturbed players are equal. So
//! in a part of the batches the perturbation is half as long. Where both lengths
//! contradict each other about the slope, the long one misleads: the short one takes its
//! place, its games are kept, those of the long one dropped.

use super::line::Line;
use super::local::Local;
use super::misfit;
use super::slopes::{Batch, Slopes};
use crate::tune::{Dimension, Kind};

/// The part of the batches with the short perturbation: as little as shows a fault while it
/// can still be put right.
pub(super) const SHORT: f64 = 0.25;
/// How long the short one is, in long ones.
pub(super) const HALF: f64 = 0.5;

/// Squared standard errors by which both lengths must contradict each other for the long
/// one to be given up, the 99.9 % point of χ²₁: it is often asked, of many coordinates.
const CONTRADICTION: f64 = 10.83;
/// Nor is it asked before the standard error is this part of a perturbation: the best value
/// moves by less than one, what seems to be more is chance.
const SHARPNESS: f64 = 0.25;
/// Short batches without which nothing is concluded from them.
const LEAST_SHORT: u64 = 32;
/// Perturbations are not shortened to less than this part.
const LEAST_SCALE: f64 = 1.0 / 32.0;
/// How many times farther than from long to short perturbations the best value moves to
/// none at all: twice where the surface has a corner (for one that is smooth 4/3: Richardson,
/// Phil. Trans. 210, 1911).
const EXTRAPOLATION: f64 = 2.0;

/// Batches within so many reaches of the best value bear on it: a seventh of their weight
/// is left there.
const NEAR: f64 = 2.0;

/// One coordinate.
#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    long: Local,
    short: Local,
    shorts: u64,
    /// Batches before this one were asked for with perturbations twice as long.
    since: u64,
    scale: f64,
    /// Centre and reach, in steps, within which the model is to hold.
    focus: (f64, f64),
}

impl Coordinate {
    /// Nothing yet; the model is to hold within so many perturbations.
    pub(super) fn new(reach: f64) -> Self {
        Self {
            long: Local::new(0.0, 1.0),
            short: Local::new(0.0, HALF),
            shorts: 0,
            since: 0,
            scale: 1.0,
            focus: (0.0, reach),
        }
    }

    /// What the perturbations are multiplied by.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether perturbations were shortened: what two lengths of them contradict each other
    /// about has an effect, even if few games are left to show it.
    pub(super) fn is_known_to_matter(&self) -> bool {
        self.scale < 1.0
    }

    /// One more batch.
    pub(super) fn add(&mut self, number: u64, batch: &Batch, is_short: bool) {
        match (number < self.since, is_short) {
            (false, true) => {
                self.short.add(batch);
                self.shorts += 1;
            }
            (false, false) | (true, true) => self.long.add(batch),
            // Twice as long as what misleads not.
            (true, false) => {}
        }
    }

    /// Where the model is to hold, and within how many perturbations.
    pub(super) fn focus(&mut self, center: f64, reach: f64) {
        self.focus = (center, reach * self.scale);
    }

    /// The centre of where the model is to hold.
    pub(super) fn center(&self) -> f64 {
        self.focus.0
    }

    /// All batches.
    pub(super) fn everywhere(&self) -> Slopes {
        about(&[&self.long, &self.short], (0.0, f64::INFINITY))
    }

    /// The batches where the model is to hold.
    pub(super) fn slopes(&self) -> Slopes {
        about(&[&self.long, &self.short], self.focus)
    }

    /// Halves the perturbations from the batch `next` on if the short ones contradict the
    /// long ones, given the curvature β and the variance of a game.
    pub(super) fn shorten_if_misled(
        &mut self,
        dimension: &Dimension,
        (beta, variance): (f64, f64),
        next: u64,
    ) {
        let shorter = self.scale * HALF;
        // The short half of what is played then must still be a unit.
        let is_too_fine = dimension.kind == Kind::Integer && shorter * HALF * dimension.step < 1.0;
        if shorter < LEAST_SCALE || is_too_fine || self.shorts < LEAST_SHORT {
            return;
        }
        let drift = self.drift(beta, variance);
        if drift.is_some_and(|drift| drift.squares() > CONTRADICTION) {
            let middle = self.focus.0;
            self.long = std::mem::replace(&mut self.short, Local::new(middle, shorter * HALF));
            self.shorts = 0;
            self.since = next;
            self.scale = shorter;
            self.focus.1 *= HALF;
        }
    }

    /// Where the best value can be, at 95 %, from the line of all batches. Where both
    /// lengths contradict each other at 95 % the model does not hold: then all the way to
    /// what a perturbation of no length would show, too.
    pub(super) fn interval(
        &self,
        line: &Line,
        (beta, variance): (f64, f64),
        (least, most): (f64, f64),
        point: f64,
    ) -> (f64, f64) {
        let (low, high) = line.interval((least, most), point);
        match self.drift(beta, variance) {
            Some(drift) if drift.squares() > point * point => {
                let below = EXTRAPOLATION * (drift.by - point * drift.error);
                let above = EXTRAPOLATION * (drift.by + point * drift.error);
                (
                    (low + below.min(0.0)).max(least),
                    (high + above.max(0.0)).min(most),
                )
            }
            _ => (low, high),
        }
    }

    /// The probability of slopes as far from a line as those where the model is to hold, if
    /// they lie on one; `None` where too few batches tell.
    pub(super) fn chance_of_misfit(&self, variance: f64) -> Option<f64> {
        let (center, reach) = self.focus;
        let lengths = [&self.long, &self.short].into_iter();
        let groups = lengths.flat_map(|place| place.groups(center, NEAR * reach));
        misfit::chance(groups.collect(), self.scale, variance)
    }

    /// How far the best value moves from long to short perturbations, where that is known.
    fn drift(&self, beta: f64, variance: f64) -> Option<Drift> {
        let best = |place| {
            let all = about(&[place], self.focus).pooled();
            (all.w > 0.0).then(|| {
                let error = variance * all.variance / (beta * all.w).powi(2);
                ((all.m + all.y / beta) / all.w, error)
            })
        };
        let ((long, long_error), (short, short_error)) = best(&self.long).zip(best(&self.short))?;
        let error = (long_error + short_error).sqrt();
        (error < SHARPNESS * self.scale).then_some(Drift {
            by: short - long,
            error,
        })
    }
}

/// The batches of both, weighted by their distance from a centre.
fn about(places: &[&Local], (center, reach): (f64, f64)) -> Slopes {
    let mut sum = Slopes::default();
    for place in places {
        place.about(center, reach, &mut sum);
    }
    sum
}

/// How far something moves, and the standard error of that, in steps.
#[derive(Clone, Copy, Debug)]
struct Drift {
    by: f64,
    error: f64,
}

impl Drift {
    /// In squared standard errors.
    fn squares(self) -> f64 {
        (self.by / self.error).powi(2)
    }
}
