//! The parameters that are free, tied or fixed.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use leitai_config::{Number, TunedDimension, Variant};
use leitai_game::card::GameCard;

/// The largest absolute value of a number: sums remain exact enough and finite.
const LIMIT: f64 = 1e9;

/// A free number that determines the value of one or several parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// The user's name for it.
    pub name: String,
    /// Value before the fit, in evaluation units.
    pub start: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// A plausible distance between the start and the best value, above 0: the unit of the pull to
    /// the start and of the steps of the fit.
    pub scale: f64,
}

/// The reason why a layout is not valid, with the change that is needed.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{0}")]
pub struct BadLayout(String);

impl BadLayout {
    /// The lists belong to different evaluations: `what` were given for `found` parameters.
    pub(super) fn count(expected: usize, what: &str, found: usize) -> Self {
        Self(format!(
            "the evaluation has {expected} parameters, but {what} were given for {found}"
        ))
    }

    fn too_many(dimensions: usize) -> Self {
        Self(format!(
            "{dimensions} free parameters are more than 65,536: tie some together or fix some"
        ))
    }
}

/// The mapping from the parameters of an evaluation to the free dimensions of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The value of each fixed parameter, or the difference of a free one from its dimension's
    /// value.
    constants: Vec<f64>,
    /// Dimension of each parameter; `None` if it is fixed.
    of: Vec<Option<u16>>,
    dimensions: Vec<Dimension>,
}

impl Layout {
    /// Creates a layout of parameters with the values `start`. `of` holds the dimension of each
    /// parameter: parameters of the same dimension change by the same amount, as a square and its
    /// mirror image do, or the two phases of a number; `None` fixes the value.
    ///
    /// # Errors
    /// [`BadLayout`], with the change that is needed.
    pub fn new(
        start: &[f64],
        of: Vec<Option<u16>>,
        mut dimensions: Vec<Dimension>,
    ) -> Result<Self, BadLayout> {
        if of.len() != start.len() {
            return Err(BadLayout::count(start.len(), "dimensions", of.len()));
        }
        if dimensions.is_empty() {
            let wrong = "there is nothing to fit: leave at least one parameter free";
            return Err(BadLayout(wrong.to_owned()));
        }
        if dimensions.len() > 1 << 16 {
            return Err(BadLayout::too_many(dimensions.len()));
        }
        let mut used = vec![false; dimensions.len()];
        let mut constants = Vec::with_capacity(start.len());
        for (parameter, (&value, &dimension)) in start.iter().zip(&of).enumerate() {
            if value.is_nan() || value.abs() > LIMIT {
                return Err(BadLayout(format!(
                    "parameter {parameter} has the value {value}: give one within plus or minus a \
                     billion"
                )));
            }
            let Some(dimension) = dimension.map(usize::from) else {
                constants.push(value);
                continue;
            };
            let Some(of) = dimensions.get(dimension) else {
                return Err(BadLayout(format!(
                    "parameter {parameter} belongs to dimension {dimension} of {}: dimensions \
                     count from 0",
                    dimensions.len()
                )));
            };
            used[dimension] = true;
            constants.push(value - of.start);
        }
        for (dimension, used) in dimensions.iter_mut().zip(used) {
            dimension.start = dimension.check(used)?;
        }
        Ok(Self {
            constants,
            of,
            dimensions,
        })
    }

    /// Creates the layout of the numbers that a config fits of a variant of `P`: each number of a
    /// dimension moves with it, and all others keep the variant's values.
    ///
    /// # Errors
    /// A number does not belong to the evaluation of `P`, or to more than one dimension; or
    /// [`Layout::new`] refuses the layout.
    pub fn of(variant: &Variant, tuned: &[TunedDimension]) -> Result<Self, BadLayout> {
        let numbers = numbers_of(variant);
        let start = numbers.iter().map(|number| number.get(variant));
        let mut start: Vec<f64> = start.map(|it| it.unwrap_or_default() as f64).collect();
        let places: HashMap<&Number, usize> = numbers.iter().zip(0..).collect();
        let mut of = vec![None; numbers.len()];
        for (index, dimension) in tuned.iter().enumerate() {
            for member in &dimension.members {
                let (name, number) = (&dimension.name, &member.number);
                let Some(&place) = places.get(number) else {
                    return Err(BadLayout(format!(
                        "{name}: {number} is not an evaluation parameter; only evaluation \
                         parameters can be fitted"
                    )));
                };
                if of[place].is_some() {
                    return Err(BadLayout(format!(
                        "{name}: {number} moves with another dimension already: leave it out of \
                         one"
                    )));
                }
                let index = u16::try_from(index).map_err(|_| BadLayout::too_many(tuned.len()))?;
                of[place] = Some(index);
                start[place] = (dimension.start + member.offset) as f64;
            }
        }
        let dimensions = tuned.iter().map(|dimension| Dimension {
            name: dimension.name.clone(),
            start: dimension.start as f64,
            min: dimension.min as f64,
            max: dimension.max as f64,
            scale: dimension.step,
        });
        Self::new(&start, of, dimensions.collect())
    }

    /// Checks that the layout has the parameters of a game's evaluation.
    pub(super) fn check_game(&self, card: &dyn GameCard) -> Result<(), BadLayout> {
        let expected = card.numbers().numbers().count();
        if self.parameters() != expected {
            return Err(BadLayout::count(expected, "values", self.parameters()));
        }
        Ok(())
    }

    /// The free dimensions.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Value of each dimension before the fit.
    pub fn start(&self) -> Vec<f64> {
        let starts = self.dimensions.iter().map(|dimension| dimension.start);
        starts.collect()
    }

    /// Number of parameters, free or not.
    pub fn parameters(&self) -> usize {
        self.of.len()
    }

    /// The dimension of a parameter.
    pub(super) fn dimension_of(&self, parameter: usize) -> Option<u16> {
        self.of.get(parameter).copied().flatten()
    }

    /// The part of a parameter that does not depend on the dimensions; 0 for an index without
    /// parameter.
    pub(super) fn constant_of(&self, parameter: usize) -> f64 {
        self.constants.get(parameter).copied().unwrap_or(0.0)
    }
}

impl Dimension {
    /// Returns the start of a valid dimension.
    fn check(&self, used: bool) -> Result<f64, BadLayout> {
        let Self {
            name,
            start,
            min,
            max,
            scale,
        } = self;
        let wrong = if !used {
            "no parameter belongs to this dimension: remove it".to_owned()
        } else if !(min <= start && start <= max && *min >= -LIMIT && *max <= LIMIT) {
            format!(
                "min ({min}), start ({start}) and max ({max}) must be in this order, and within \
                 plus or minus a billion: change the bounds"
            )
        } else if !(scale.is_finite() && *scale > 0.0) {
            format!(
                "scale ({scale}) must be a finite number above 0: take a plausible distance of \
                 the best value from the start"
            )
        } else {
            // Adding 0 turns a negative zero into a positive one.
            return Ok(start + 0.0);
        };
        Err(BadLayout(format!("{name}: {wrong}")))
    }
}

/// The numbers that add up to the evaluation of a position, by the indices of its features.
fn numbers_of(variant: &Variant) -> Vec<Number> {
    let all = Number::all(variant).into_iter();
    all.filter(Number::is_eval).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texel::tests::fitted_of;

    fn dimension(name: &str, start: f64, min: f64, max: f64) -> Dimension {
        Dimension {
            name: name.to_owned(),
            start,
            min,
            max,
            scale: 10.0,
        }
    }

    impl Layout {
        /// The value of every parameter for these `values` of the dimensions; a missing value is
        /// replaced by its start.
        pub fn expand(&self, values: &[f64]) -> Vec<f64> {
            let value_of = |dimension: u16| {
                let dimension = usize::from(dimension);
                let dimension_start = self.dimensions.get(dimension).map(|it| &it.start);
                values.get(dimension).or(dimension_start)
            };
            let parameters = self.constants.iter().zip(&self.of);
            parameters
                .map(|(&constant, of)| constant + of.and_then(value_of).unwrap_or(&0.0))
                .collect()
        }
    }

    #[test]
    fn tied_parameters_move_by_the_same_amount_and_fixed_ones_stay() {
        let start = [5.0, 7.0, 8.0, 9.0];
        let of = vec![Some(1), None, Some(1), Some(0)];
        let dimensions = vec![
            dimension("a", 9.0, 0.0, 20.0),
            dimension("b", 5.0, -5.0, 5.0),
        ];
        let layout = Layout::new(&start, of, dimensions).unwrap();
        assert_eq!(layout.start(), [9.0, 5.0]);
        assert_eq!(layout.expand(&[1.0, 2.0]), [2.0, 7.0, 5.0, 1.0]);
        assert_eq!(layout.expand(&[1.0]), [5.0, 7.0, 8.0, 1.0]);
        assert_eq!(layout.expand(&[]), start);
    }

    #[test]
    fn errors_are_reported() {
        let two = || {
            vec![
                dimension("a", 1.0, 0.0, 20.0),
                dimension("b", 0.0, -5.0, 5.0),
            ]
        };
        let bad = |start: [f64; 3], of: [Option<u16>; 3], dimensions| {
            Layout::new(&start, of.to_vec(), dimensions)
                .unwrap_err()
                .to_string()
        };
        let all = [Some(0), Some(1), None];
        let mut far = two();
        far[0].start = 30.0;
        let mut odd = two();
        odd[1].scale = 0.0;
        let mut endless = two();
        endless[0].min = f64::NEG_INFINITY;
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
            (bad([0.0; 3], all, far), "start (30)"),
            (bad([f64::NAN, 0.0, 0.0], all, two()), "parameter 0"),
            (bad([0.0; 3], all, endless), "a billion"),
            (bad([0.0; 3], all, odd), "scale (0)"),
        ] {
            assert!(found.contains(expected), "{found}");
        }
        let short = Layout::new(&[1.0], vec![], two());
        assert_eq!(short, Err(BadLayout::count(1, "dimensions", 0)));
    }

    #[test]
    fn numbers_of_a_config_move_with_their_offsets() {
        // Uses the path's closing quote for the group.
        let group = "eval.mobility.*\"\ngroup = \"mobility";
        let (mut variant, mut tuned) = fitted_of("xiangqi", &["eval.material.*", group]);
        let end = Number::parse("eval.end.material.rook", &variant).unwrap();
        let rook = Number::parse("eval.material.rook", &variant).unwrap();
        let middle = rook.get(&variant).unwrap();
        assert!(end.set(&mut variant, middle + 70));
        let place = tuned.iter().position(|d| d.name == rook.path()).unwrap();
        tuned[place].members[1].offset = 70;
        let layout = Layout::of(&variant, &tuned).unwrap();
        let start: Vec<f64> = numbers_of(&variant)
            .iter()
            .map(|number| number.get(&variant).unwrap() as f64)
            .collect();
        assert_eq!(layout.expand(&[]), start);
        let mut values = layout.start();
        values[place] += 11.0;
        *values.last_mut().unwrap() += 2.0;
        for (number, (before, after)) in numbers_of(&variant)
            .iter()
            .zip(start.iter().zip(layout.expand(&values)))
        {
            let moved = match number {
                number if [&rook, &end].contains(&number) => 11.0,
                number if number.path().contains("mobility.") => 2.0,
                _ => 0.0,
            };
            assert!((after - before - moved).abs() < 1e-9, "{number}");
        }
        let (other, _) = fitted_of("othello", &["eval.squares[*]"]);
        let refused =
            |variant, tuned: &[TunedDimension]| Layout::of(variant, tuned).unwrap_err().to_string();
        let message = refused(&other, &tuned);
        assert!(
            message.contains("is not an evaluation parameter"),
            "{message}"
        );
        tuned.push(tuned[0].clone());
        let message = refused(&variant, &tuned);
        assert!(
            message.contains("moves with another dimension"),
            "{message}"
        );
    }

    #[test]
    fn othello_has_a_layout_too() {
        let (variant, tuned) = fitted_of("othello", &["eval.squares[*]"]);
        let layout = Layout::of(&variant, &tuned).unwrap();
        assert_eq!(layout.dimensions().len(), 10);
        let parameters = numbers_of(&variant).len();
        assert_eq!(layout.parameters(), parameters);
        // All stages of a square move together, and the disc counts stay.
        let free = (0..parameters).filter_map(|index| layout.dimension_of(index));
        let free: Vec<u16> = free.collect();
        assert_eq!(free, (0..10).collect::<Vec<u16>>().repeat(4));
        assert_eq!(layout.dimension_of(10), None);
    }
}
