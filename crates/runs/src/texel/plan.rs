//! Settings of a fit, and the reasons for refusing one.

use std::io;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::stored::StoredRows;
use super::{Dataset, Part};

/// The settings of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitPlan {
    /// Elo per evaluation unit, above 0; `None`: the value with which the start's evaluation
    /// predicts the training results best. Constant during the fit, or K and all values could grow
    /// together for ever.
    pub k: Option<f64>,
    /// Step of the first epoch as a fraction of each dimension's scale, above 0: the values of
    /// pieces move further than those of squares.
    pub rate: f64,
    /// Decay rates of Adam's means of the gradient and of its square, each from 0 to below 1.
    pub betas: [f64; 2],
    /// Most epochs (passes over the training positions), at least 1.
    pub epochs: u32,
    /// The fit ends after this number of epochs in which the validation loss fell by less than a
    /// ten-thousandth of itself; at least 1.
    pub patience: u32,
    /// Positions per step, at least 1; `None`: all of them.
    pub batch: Option<usize>,
    /// The strength of the pull to the start: a deviation of one scale costs as much as this number
    /// of completely mispredicted positions. 0: no pull.
    pub pull: f64,
    /// Dimensions with coefficients in fewer training positions stay at their start; those without
    /// any always do.
    pub least_visits: u64,
    /// Threads, at least 1. Does not affect results.
    pub threads: usize,
    /// Seed of the order of the batches.
    pub seed: u64,
}

impl Default for FitPlan {
    fn default() -> Self {
        Self {
            k: None,
            rate: 0.02,
            betas: [0.9, 0.999],
            epochs: 2000,
            patience: 50,
            batch: None,
            pull: 0.0,
            least_visits: 1,
            threads: 1,
            seed: 1,
        }
    }
}

/// The reason why a fit was refused, with the change that is needed.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{0}")]
pub struct FitError(pub(super) String);

impl From<io::Error> for FitError {
    fn from(error: io::Error) -> Self {
        Self(format!(
            "cannot read the temporary file of positions: {error}"
        ))
    }
}

/// A condition on a number of a plan, and its description.
type Rule = (fn(f64) -> bool, &'static str);

const ABOVE_ZERO: Rule = (|it| it.is_finite() && it > 0.0, "a finite number above 0");
const FROM_ZERO: Rule = (|it| it.is_finite() && it >= 0.0, "a finite number from 0");
const SHARE: Rule = (|it| (0.0..1.0).contains(&it), "from 0 to below 1");
const COUNT: Rule = (|it| it > 0.0, "at least 1");

impl FitPlan {
    /// Checks that `dataset` can be fitted with this plan.
    pub(super) fn check(&self, dataset: &Dataset) -> Result<(), FitError> {
        let numbers = [
            ("k", self.k.unwrap_or(1.0), ABOVE_ZERO),
            ("rate", self.rate, ABOVE_ZERO),
            ("betas[0]", self.betas[0], SHARE),
            ("betas[1]", self.betas[1], SHARE),
            ("epochs", f64::from(self.epochs), COUNT),
            ("patience", f64::from(self.patience), COUNT),
            ("batch", self.batch.unwrap_or(1) as f64, COUNT),
            ("pull", self.pull, FROM_ZERO),
            ("threads", self.threads as f64, COUNT),
        ];
        for (field, value, (is_sound, range)) in numbers {
            if !is_sound(value) {
                return Err(FitError(format!("{field} ({value}) must be {range}")));
            }
        }
        for &part in Part::ALL {
            if dataset.positions(part) == 0 {
                let part = part.name();
                let [training, validation] = dataset.games;
                return Err(FitError(match &dataset.stored {
                    Some(rows) => format!(
                        "there are no {part} positions among the {} quiet positions of the files: \
                         use at least 1000 positions",
                        rows.iter().map(StoredRows::len).sum::<usize>()
                    ),
                    None => format!(
                        "there are no {part} positions (games: {training} for training, \
                         {validation} for validation): use at least 100 games"
                    ),
                }));
            }
        }
        Ok(())
    }
}
