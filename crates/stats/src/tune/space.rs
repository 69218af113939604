//! The space of tunable numbers.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The kind of values that a dimension can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Numbers with this many decimals, at most 9.
    Decimal(u8),
    /// Any number between the bounds.
    Real,
}

impl Kind {
    /// The number of units per whole; `None` for real numbers.
    fn units(self) -> Option<f64> {
        match self {
            Kind::Integer => Some(1.0),
            Kind::Decimal(decimals) => Some(10_f64.powi(decimals.into())),
            Kind::Real => None,
        }
    }

    /// The least distance of two different values; `None` for real numbers.
    pub(super) fn grain(self) -> Option<f64> {
        self.units().map(f64::recip)
    }

    /// The value in units, rounded by `round`, as a value again.
    pub(super) fn to_units(self, value: f64, round: impl Fn(f64) -> f64) -> f64 {
        match self.units() {
            Some(units) => round(value * units) / units,
            None => value,
        }
    }

    /// The number of decimals with which notes show values.
    pub(super) fn shown_decimals(self) -> usize {
        match self {
            Kind::Decimal(decimals) => usize::from(decimals.max(1)),
            Kind::Integer | Kind::Real => 1,
        }
    }
}

/// One tunable number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// Name given by the user; unique within a space.
    pub name: String,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Value of the player before tuning; strictly between the bounds.
    pub start: f64,
    /// A plausible distance between the start and the best value, in the number's own unit: the
    /// perturbation of SPSA, the first mutation of the hill climber and the standard deviation of
    /// the regression's prior.
    pub step: f64,
    /// Kind of values: whole or real.
    pub kind: Kind,
}

/// The reason why a space is invalid, with a remedy.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{0}")]
pub struct BadSpace(String);

impl Dimension {
    /// Half of the range, in the number's own unit.
    pub fn half_range(&self) -> f64 {
        0.5 * self.max - 0.5 * self.min
    }

    /// Returns the nearest value that the dimension can have.
    pub fn nearest(&self, value: f64) -> f64 {
        let value = self.kind.to_units(value, f64::round);
        value.clamp(self.min, self.max)
    }

    /// Returns two values, `difference` (signed) above and below `center`, rounded to playable
    /// values.
    ///
    /// Near a bound the difference shrinks, but to no less than half. Then the centre moves, so
    /// that a parameter at its bound can still be measured. Integers are rounded up or down at
    /// random, both with the same `u` in 0..1: two different roundings could hide or even reverse
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

    /// Rounds to a playable value, up if its fraction exceeds 1 - `u`.
    pub fn rounded(&self, value: f64, u: f64) -> f64 {
        let value = self.kind.to_units(value, |units| (units + u).floor());
        value.clamp(self.min, self.max)
    }

    fn check(&self) -> Result<(), BadSpace> {
        let (name, kind) = (&self.name, self.kind);
        let (min, max, start, step) = (self.min, self.max, self.start, self.step);
        let is_whole = kind == Kind::Integer;
        let grain = kind.grain().unwrap_or(0.0);
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
        } else if step > 0.0 && step < grain {
            format!(
                "step ({step}) is below one unit, and rounding would hide it: set step to at \
                 least {grain}, or make the parameter real"
            )
        } else if step <= 0.0 || step > most {
            let guess = kind.to_units(most / 3.0, |units| units.round().max(1.0));
            format!(
                "step ({step}) must be above 0 and at most half the range ({most}): take a \
                 plausible distance of the best value from the start; without one, {guess}"
            )
        } else {
            return Ok(());
        };
        Err(BadSpace(format!("{name}: {wrong}")))
    }
}

/// A space of at least one dimension, all of them valid.
///
/// Algorithms work in *steps*: 0 is the start, 1 the start plus one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Space(Vec<Dimension>);

impl Space {
    /// Creates a space after checking the dimensions.
    ///
    /// # Errors
    /// [`BadSpace`] if a dimension is invalid, with a remedy.
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

    /// Converts values to steps from the start.
    pub fn to_steps(&self, values: &[f64]) -> Vec<f64> {
        let pairs = self.0.iter().zip(values);
        pairs.map(|(d, value)| (value - d.start) / d.step).collect()
    }

    /// Converts steps to values within the bounds, without rounding.
    pub fn from_steps(&self, steps: &[f64]) -> Vec<f64> {
        let pairs = self.0.iter().zip(steps);
        pairs
            .map(|(d, z)| (d.start + z * d.step).clamp(d.min, d.max))
            .collect()
    }

    /// Returns the nearest playable values.
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
