//! Which parameters are free, which go together, and which stay as they are.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// No number is further from 0: sums of such are exact enough and never
/// infinite.
const LIMIT: f64 = 1e9;

/// One free number, that one or several parameters take their value from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// What the user calls it.
    pub name: String,
    /// Least value, in evaluation units.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// A plausible distance between the start and the best value: what the pull
    /// to the start is measured by. Above 0.
    pub scale: f64,
}

/// What makes no layout; every message says what to change.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadLayout {
    /// The lists belong to different evaluations.
    #[error("the evaluation has {expected} parameters, but {what} were given for {found}")]
    Count {
        /// Parameters of the evaluation.
        expected: usize,
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
    },
    /// Nothing to fit.
    #[error("there is nothing to fit: leave at least one parameter free")]
    Empty,
    /// More than 16 bits can tell apart.
    #[error("{0} free parameters are more than 65,536: tie some or hold some")]
    TooMany(usize),
    /// A parameter belongs to a dimension that is not there.
    #[error(
        "parameter {parameter} belongs to dimension {dimension} of {count}: dimensions count from 0"
    )]
    Dimension {
        /// Index of the parameter.
        parameter: usize,
        /// Its dimension.
        dimension: usize,
        /// Number of dimensions.
        count: usize,
    },
    /// A dimension that no parameter belongs to.
    #[error("{name}: no parameter takes its value from it: leave it out")]
    Unused {
        /// The dimension.
        name: String,
    },
    /// Tied parameters that differ.
    #[error(
        "{name}: the parameters tied by it start from different values ({one} and {other}): \
         give them the same, or tie others"
    )]
    Start {
        /// The dimension.
        name: String,
        /// Value of one of its parameters.
        one: f64,
        /// Value of another.
        other: f64,
    },
    /// Bounds out of order or not around the start.
    #[error(
        "{name}: min ({min}), start ({start}) and max ({max}) must be in this order, and within \
         plus or minus a billion: change the bounds"
    )]
    Bounds {
        /// The dimension.
        name: String,
        /// Lower bound.
        min: f64,
        /// Starting value.
        start: f64,
        /// Upper bound.
        max: f64,
    },
    /// A scale that is none.
    #[error(
        "{name}: scale ({scale}) must be a finite number above 0: take a plausible distance of \
         the best value from the start"
    )]
    Scale {
        /// The dimension.
        name: String,
        /// Its scale.
        scale: f64,
    },
    /// The value of a parameter is not a number, or beyond reason.
    #[error("parameter {parameter} has the value {value}: give one within plus or minus a billion")]
    Value {
        /// Index of the parameter.
        parameter: usize,
        /// Its value.
        value: f64,
    },
}

/// From the parameters of an evaluation to the free dimensions of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Value of each parameter before the fit.
    parameter_start: Vec<f64>,
    /// Dimension of each parameter; `None` if it is fixed.
    of: Vec<Option<u16>>,
    dimensions: Vec<Dimension>,
    /// Value of each dimension before the fit.
    dimension_start: Vec<f64>,
}

impl Layout {
    /// A layout of parameters with the values `start`. `of` has the dimension
    /// of each: those with the same are tied, as a square and its mirror image
    /// are, or the two phases of a number; `None` stays at its value.
    ///
    /// # Errors
    /// [`BadLayout`], with what to change.
    pub fn new(
        start: Vec<f64>,
        of: Vec<Option<u16>>,
        dimensions: Vec<Dimension>,
    ) -> Result<Self, BadLayout> {
        if of.len() != start.len() {
            return Err(BadLayout::Count {
                expected: start.len(),
                what: "dimensions",
                found: of.len(),
            });
        }
        if dimensions.is_empty() {
            return Err(BadLayout::Empty);
        }
        if dimensions.len() > 1 << 16 {
            return Err(BadLayout::TooMany(dimensions.len()));
        }
        let mut from: Vec<Option<f64>> = vec![None; dimensions.len()];
        for (parameter, (&value, &dimension)) in start.iter().zip(&of).enumerate() {
            if value.is_nan() || value.abs() > LIMIT {
                return Err(BadLayout::Value { parameter, value });
            }
            let Some(dimension) = dimension.map(usize::from) else {
                continue;
            };
            let count = dimensions.len();
            match from.get_mut(dimension) {
                None => {
                    return Err(BadLayout::Dimension {
                        parameter,
                        dimension,
                        count,
                    });
                }
                Some(Some(one)) if one.total_cmp(&(value + 0.0)).is_ne() => {
                    return Err(BadLayout::Start {
                        name: dimensions[dimension].name.clone(),
                        one: *one,
                        other: value,
                    });
                }
                // Adding 0 makes a negative zero the same as the other.
                Some(place) => *place = Some(value + 0.0),
            }
        }
        let dimension_start = dimensions
            .iter()
            .zip(from)
            .map(|(dimension, start)| dimension.check(start))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            parameter_start: start,
            of,
            dimensions,
            dimension_start,
        })
    }

    /// The free dimensions.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Value of each dimension before the fit.
    pub fn start(&self) -> &[f64] {
        &self.dimension_start
    }

    /// Number of parameters, free or not.
    pub fn parameters(&self) -> usize {
        self.of.len()
    }

    /// The value of every parameter if the dimensions have `values`; where one
    /// is missing, its start.
    pub fn expand(&self, values: &[f64]) -> Vec<f64> {
        let parameters = self.parameter_start.iter().zip(&self.of);
        parameters
            .map(|(&start, of)| {
                of.and_then(|of| values.get(usize::from(of)).copied())
                    .unwrap_or(start)
            })
            .collect()
    }

    /// Which dimension each parameter belongs to.
    pub(super) fn dimension_of(&self, parameter: usize) -> Option<u16> {
        self.of.get(parameter).copied().flatten()
    }

    /// The value before the fit; 0 for what is no parameter.
    pub(super) fn start_of(&self, parameter: usize) -> f64 {
        self.parameter_start.get(parameter).copied().unwrap_or(0.0)
    }
}

impl Dimension {
    /// Its start, if all is sound.
    fn check(&self, start: Option<f64>) -> Result<f64, BadLayout> {
        let name = || self.name.clone();
        let start = start.ok_or_else(|| BadLayout::Unused { name: name() })?;
        let (min, max, scale) = (self.min, self.max, self.scale);
        let in_order = min <= start && start <= max;
        if !(in_order && min >= -LIMIT && max <= LIMIT) {
            return Err(BadLayout::Bounds {
                name: name(),
                min,
                start,
                max,
            });
        }
        if !(scale.is_finite() && scale > 0.0) {
            return Err(BadLayout::Scale {
                name: name(),
                scale,
            });
        }
        Ok(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimension(name: &str, min: f64, max: f64) -> Dimension {
        Dimension {
            name: name.to_owned(),
            min,
            max,
            scale: 10.0,
        }
    }

    #[test]
    fn tied_parameters_share_a_value_and_fixed_ones_keep_theirs() {
        let start = vec![5.0, 7.0, 5.0, 9.0];
        let of = vec![Some(1), None, Some(1), Some(0)];
        let dimensions = vec![dimension("a", 0.0, 20.0), dimension("b", -5.0, 5.0)];
        let layout = Layout::new(start, of, dimensions).unwrap();
        assert_eq!(layout.start(), [9.0, 5.0]);
        assert_eq!(layout.expand(&[1.0, 2.0]), [2.0, 7.0, 2.0, 1.0]);
        assert_eq!(layout.expand(&[]), [5.0, 7.0, 5.0, 9.0]);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let two = || vec![dimension("a", 0.0, 20.0), dimension("b", -5.0, 5.0)];
        let bad = |start: [f64; 3], of: [Option<u16>; 3], dimensions| {
            Layout::new(start.to_vec(), of.to_vec(), dimensions)
                .unwrap_err()
                .to_string()
        };
        let all = [Some(0), Some(1), None];
        for (found, expected) in [
            (bad([1.0; 3], all, vec![]), "nothing to fit"),
            (
                bad([1.0; 3], [Some(0), Some(2), None], two()),
                "dimension 2 of 2",
            ),
            (
                bad([1.0; 3], [Some(0), None, None], two()),
                "b: no parameter",
            ),
            (
                bad([1.0, 2.0, 3.0], [Some(0), Some(1), Some(0)], two()),
                "(1 and 3)",
            ),
            (bad([30.0, 0.0, 0.0], all, two()), "start (30)"),
            (bad([f64::NAN, 0.0, 0.0], all, two()), "parameter 0"),
            (
                bad(
                    [0.0; 3],
                    all,
                    vec![
                        dimension("a", f64::NEG_INFINITY, 1.0),
                        dimension("b", 0.0, 1.0),
                    ],
                ),
                "a billion",
            ),
        ] {
            assert!(found.contains(expected), "{found}");
        }
        let mut odd = two();
        odd[1].scale = 0.0;
        assert!(bad([0.0; 3], all, odd).contains("scale (0)"));
        let short = Layout::new(vec![1.0], vec![], two());
        assert!(matches!(short, Err(BadLayout::Count { .. })));
    }
}
