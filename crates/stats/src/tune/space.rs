//! The space of free numbers that a tuner moves in.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which values a dimension can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Any number between the bounds.
    Real,
}

/// One free number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// What the user calls it; unique within a space.
    pub name: String,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Value of the player to be improved; strictly between the bounds.
    pub start: f64,
    /// A plausible distance between the start and the best value, in the
    /// number's own unit: the perturbation of SPSA, the first mutation of the
    /// hill climber and the standard deviation of the regression's prior.
    pub step: f64,
    /// Whole or real.
    pub kind: Kind,
}

/// What makes no space, and what to change.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{0}")]
pub struct BadSpace(String);

impl Dimension {
    /// Half of the range, in the number's own unit.
    pub fn half_range(&self) -> f64 {
        0.5 * self.max - 0.5 * self.min
    }

    /// The nearest value that the dimension can take.
    pub fn nearest(&self, value: f64) -> f64 {
        let value = match self.kind {
            Kind::Integer => value.round(),
            Kind::Real => value,
        };
        value.clamp(self.min, self.max)
    }

    /// Two values about `center`, `difference` (signed) above and below it, as
    /// they can be played.
    ///
    /// Near a bound the difference shrinks, to not less than half; then the
    /// centre gives way, so that a parameter that wanders to its bound goes on
    /// being measured. Integers are rounded up or down at random, both with the
    /// same `u` in 0..1: two roundings that differ could hide or even reverse
    /// the difference.
    pub fn sides(&self, center: f64, difference: f64, u: f64) -> (f64, f64) {
        let room = (self.max - center).min(center - self.min);
        let wish = difference.abs();
        let reach = wish.min(room.max(0.5 * wish)).min(self.half_range());
        let center = center.max(self.min + reach).min(self.max - reach);
        let reach = reach.copysign(difference);
        (
            self.rounded(center + reach, u),
            self.rounded(center - reach, u),
        )
    }

    /// A value as it can be played, rounded up if its fraction exceeds 1 - `u`.
    pub fn rounded(&self, value: f64, u: f64) -> f64 {
        let value = match self.kind {
            Kind::Integer => (value + u).floor(),
            Kind::Real => value,
        };
        value.clamp(self.min, self.max)
    }

    fn check(&self) -> Result<(), BadSpace> {
        let Self {
            name,
            min,
            max,
            start,
            step,
            kind,
        } = self;
        let (&min, &max, &start, &step) = (min, max, start, step);
        let is_whole = *kind == Kind::Integer;
        let most = self.half_range();
        let fields = [("min", min), ("max", max), ("start", start), ("step", step)];
        let odd = |value: f64| value.fract() != 0.0 || value.abs() >= 9_007_199_254_740_992.0;
        let infinite = fields.iter().find(|(_, value)| !value.is_finite());
        let fraction = fields[..3].iter().find(|field| is_whole && odd(field.1));
        let wrong = if let Some((field, _)) = infinite {
            format!("{field} is not a finite number: give a number")
        } else if min >= max {
            format!("min ({min}) must be below max ({max}): swap or widen the bounds")
        } else if let Some((field, value)) = fraction {
            format!("{field} ({value}) of an integer must be whole and below 2^53: round it")
        } else if start <= min || start >= max {
            format!(
                "start ({start}) must lie strictly between min ({min}) and max ({max}), or it can \
                 be moved to one side only: widen the bounds"
            )
        } else if is_whole && step > 0.0 && step < 1.0 {
            format!(
                "step ({step}) is below one unit, and rounding would hide it: set step to at \
                 least 1, or make the parameter real"
            )
        } else if step <= 0.0 || step > most {
            let guess = match kind {
                Kind::Integer => (most / 3.0).round().max(1.0),
                Kind::Real => most / 3.0,
            };
            format!(
                "step ({step}) must be above 0 and at most half the range ({most}): take a \
                 plausible distance of the best value from the start, for want of a better guess \
                 {guess}"
            )
        } else {
            return Ok(());
        };
        Err(BadSpace(format!("{name}: {wrong}")))
    }
}

/// At least one dimension, all of them sound.
///
/// Algorithms work in *steps*: 0 is the start, 1 the start plus one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Space(Vec<Dimension>);

impl Space {
    /// Checks the dimensions.
    ///
    /// # Errors
    /// [`BadSpace`], with what to change.
    pub fn new(dimensions: Vec<Dimension>) -> Result<Self, BadSpace> {
        if dimensions.is_empty() {
            let wrong = "there is nothing to tune: name at least one parameter";
            return Err(BadSpace(wrong.to_owned()));
        }
        let mut names = HashSet::new();
        for dimension in &dimensions {
            if dimension.name.is_empty() || !names.insert(dimension.name.as_str()) {
                return Err(BadSpace(format!(
                    "the parameter name `{}` is empty or used twice: give each parameter its own \
                     name",
                    dimension.name
                )));
            }
            dimension.check()?;
        }
        Ok(Self(dimensions))
    }

    /// The dimensions.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.0
    }

    /// Number of dimensions, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a space is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The starting values.
    pub fn start(&self) -> Vec<f64> {
        self.0.iter().map(|d| d.start).collect()
    }

    /// Values in steps from the start.
    pub fn to_steps(&self, values: &[f64]) -> Vec<f64> {
        let pairs = self.0.iter().zip(values);
        pairs.map(|(d, value)| (value - d.start) / d.step).collect()
    }

    /// Values from steps, not rounded, within the bounds.
    pub fn from_steps(&self, steps: &[f64]) -> Vec<f64> {
        let pairs = self.0.iter().zip(steps);
        pairs
            .map(|(d, z)| (d.start + z * d.step).clamp(d.min, d.max))
            .collect()
    }

    /// The nearest values that can be played.
    pub fn nearest(&self, values: &[f64]) -> Vec<f64> {
        let pairs = self.0.iter().zip(values);
        pairs.map(|(d, &value)| d.nearest(value)).collect()
    }

    /// Bounds in steps from the start: the first negative, the second positive.
    pub fn bounds_in_steps(&self, index: usize) -> (f64, f64) {
        self.0.get(index).map_or((-1.0, 1.0), |d| {
            ((d.min - d.start) / d.step, (d.max - d.start) / d.step)
        })
    }
}

#[cfg(test)]
mod tests;
