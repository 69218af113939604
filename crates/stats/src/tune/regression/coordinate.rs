//! One coordinate, measured with perturbations of two lengths.
//!
//! The estimated best value of a parabola is the same with any perturbation. On a surface that is
//! steeper on one side it is not: the estimate is the point where both perturbed players are equal.
//! So some batches use half the perturbation. If the two lengths contradict each other about the
//! slope, the long one is misleading: then the short perturbation replaces it, its games are kept,
//! and those of the long one are dropped.

use super::line::Line;
use super::local::Local;
use super::misfit;
use super::slopes::{Batch, Slopes};
use crate::tune::Dimension;

/// Share of the batches with the short perturbation: the smallest share that shows a fault early
/// enough to correct it.
pub(super) const SHORT: f64 = 0.25;
/// Ratio of the short to the long perturbation.
pub(super) const HALF: f64 = 0.5;

/// Squared standard errors by which the lengths must contradict each other to drop the long one,
/// the 99.9 % point of χ²₁: the check runs often, and for many coordinates.
const CONTRADICTION: f64 = 10.83;
/// Standard error, as a share of a perturbation, above which contradictions are not checked: the
/// best value moves by less than one perturbation, and larger movements are random.
const SHARPNESS: f64 = 0.25;
/// Minimum number of short batches for a conclusion.
const MIN_SHORT: u64 = 32;
/// Smallest factor to which perturbations are shortened.
const MIN_SCALE: f64 = 1.0 / 32.0;
/// Ratio of two movements of the best value: from long perturbations to none, and from long to
/// short. It is 2 if the surface has a corner (4/3 if it is smooth: Richardson, Phil. Trans. 210,
/// 1911).
const EXTRAPOLATION: f64 = 2.0;

/// Distance from the best value, in reaches, within which batches are relevant: their weight there
/// is a seventh.
const NEAR: f64 = 2.0;

#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    long: Local,
    short: Local,
    shorts: u64,
    /// Number of the first batch with the current perturbation; earlier ones were proposed with
    /// perturbations twice as long.
    since: u64,
    scale: f64,
    /// Centre and reach, in steps, of the range in which the model is assumed to hold.
    focus: (f64, f64),
}

impl Coordinate {
    /// Creates an empty coordinate; the model is assumed to hold within `reach` perturbations.
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

    /// Factor of the perturbations.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns whether perturbations were shortened: a coordinate about which two lengths
    /// contradict each other has an effect, even if few games are left to show it.
    pub(super) fn is_known_to_matter(&self) -> bool {
        self.scale < 1.0
    }

    /// Adds a batch.
    pub(super) fn add(&mut self, number: u64, batch: &Batch, is_short: bool) {
        match (number < self.since, is_short) {
            (false, true) => {
                self.short.add(batch);
                self.shorts += 1;
            }
            (false, false) | (true, true) => self.long.add(batch),
            // Twice as long as the current long perturbation: dropped as misleading.
            (true, false) => {}
        }
    }

    /// Sets the centre of the model's range, and its reach in perturbations.
    pub(super) fn focus(&mut self, center: f64, reach: f64) {
        self.focus = (center, reach * self.scale);
    }

    /// The centre of the model's range.
    pub(super) fn center(&self) -> f64 {
        self.focus.0
    }

    /// Returns the slopes of all batches.
    pub(super) fn everywhere(&self) -> Slopes {
        about(&[&self.long, &self.short], (0.0, f64::INFINITY))
    }

    /// Returns the slopes of batches in the model's range.
    pub(super) fn slopes(&self) -> Slopes {
        about(&[&self.long, &self.short], self.focus)
    }

    /// Halves the perturbations from batch `next` on if the short ones contradict the long ones,
    /// given the curvature β and the variance of a game.
    pub(super) fn shorten_if_misled(
        &mut self,
        dimension: &Dimension,
        (beta, variance): (f64, f64),
        next: u64,
    ) {
        let shorter = self.scale * HALF;
        // After halving, the short perturbation must still be at least one unit.
        let grain = dimension.kind.grain().unwrap_or(0.0);
        let is_too_fine = shorter * HALF * dimension.step < grain;
        if shorter < MIN_SCALE || is_too_fine || self.shorts < MIN_SHORT {
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

    /// Returns the 95 % interval of the best value from the line of all batches. If the two lengths
    /// contradict each other at 95 %, the model does not hold: then the interval extends to the
    /// value that a perturbation of length zero would give.
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

    /// Returns the probability of slopes at least as far from a line as those in the model's range,
    /// if the true slopes lie on a line; `None` with too few batches.
    pub(super) fn chance_of_misfit(&self, variance: f64) -> Option<f64> {
        let (center, reach) = self.focus;
        let lengths = [&self.long, &self.short].into_iter();
        let groups = lengths.flat_map(|place| place.groups(center, NEAR * reach));
        misfit::chance(groups.collect(), self.scale, variance)
    }

    /// Movement of the best value from long to short perturbations, if known.
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

/// Adds up the batches of all `places`, weighted by their distance from a centre.
fn about(places: &[&Local], (center, reach): (f64, f64)) -> Slopes {
    let mut sum = Slopes::default();
    for place in places {
        place.about(center, reach, &mut sum);
    }
    sum
}

/// A movement and its standard error, in steps.
#[derive(Clone, Copy, Debug)]
struct Drift {
    by: f64,
    error: f64,
}

impl Drift {
    /// Returns the movement in squared standard errors.
    fn squares(self) -> f64 {
        (self.by / self.error).powi(2)
    }
}
