//! How to fit, and what cannot be fitted.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Dataset, Part};

/// How to fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitPlan {
    /// Elo per evaluation unit, above 0; `None`: what predicts the training
    /// results best from the start's evaluation. It stays as it is during the
    /// fit, or it and all values could grow together for ever.
    pub k: Option<f64>,
    /// Step of the first epoch as a part of each dimension's scale, above 0: the values
    /// of pieces have a longer way to go than those of squares.
    pub rate: f64,
    /// How slowly Adam's means of the gradient and of its square forget, each
    /// from 0 to below 1.
    pub betas: [f64; 2],
    /// Most epochs (passes over the training positions), at least 1.
    pub epochs: u32,
    /// The fit ends after so many epochs in which the validation loss has fallen by
    /// less than a ten-thousandth of itself; at least 1.
    pub patience: u32,
    /// Positions per step, at least 1; `None`: all of them.
    pub batch: Option<usize>,
    /// How strongly values are held to their start: to be off by its dimension's
    /// scale costs a value as much as this many positions that are predicted
    /// wholly wrong. 0: not at all.
    pub pull: f64,
    /// Dimensions that count in fewer training positions stay at their start;
    /// those that count in none always do.
    pub least_visits: u64,
    /// Threads, at least 1. Changes no result.
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

/// Why nothing is fitted; every message says what to change.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Unfit {
    /// A part of the dataset is empty.
    #[error(
        "there are no {part} positions (games: {training} for training, {validation} for \
         validation): add games, a hundred at the very least"
    )]
    NoPositions {
        /// Which part.
        part: &'static str,
        /// Games for training.
        training: u64,
        /// Games for validation.
        validation: u64,
    },
    /// A number of the plan makes no sense.
    #[error("{field} ({value}) must be {range}")]
    Number {
        /// Which number.
        field: &'static str,
        /// What it is.
        value: f64,
        /// What it must be.
        range: &'static str,
    },
    /// The start predicts nothing, or everything.
    #[error(
        "no K makes the start's values predict the results: they say nothing about them, or \
         everything; start from rough values of the pieces, or set k (a rook of 1000 fits 0.5)"
    )]
    NoScale,
    /// Every dimension stays at its start.
    #[error(
        "none of the {0} free parameters counts in enough training positions: add games, or \
         lower least_visits"
    )]
    NothingVisited(usize),
}

impl FitPlan {
    /// Whether `dataset` can be fitted by it.
    pub(super) fn check(&self, dataset: &Dataset) -> Result<(), Unfit> {
        let above_zero = |value: f64| value.is_finite() && value > 0.0;
        let share = |value: f64| (0.0..1.0).contains(&value);
        let numbers = [
            (
                "k",
                self.k.unwrap_or(1.0),
                above_zero(self.k.unwrap_or(1.0)),
                "a finite number above 0",
            ),
            (
                "rate",
                self.rate,
                above_zero(self.rate),
                "a finite number above 0",
            ),
            (
                "betas[0]",
                self.betas[0],
                share(self.betas[0]),
                "from 0 to below 1",
            ),
            (
                "betas[1]",
                self.betas[1],
                share(self.betas[1]),
                "from 0 to below 1",
            ),
            (
                "epochs",
                f64::from(self.epochs),
                self.epochs > 0,
                "at least 1",
            ),
            (
                "patience",
                f64::from(self.patience),
                self.patience > 0,
                "at least 1",
            ),
            (
                "batch",
                self.batch.unwrap_or(1) as f64,
                self.batch != Some(0),
                "at least 1",
            ),
            (
                "pull",
                self.pull,
                self.pull.is_finite() && self.pull >= 0.0,
                "a finite number from 0",
            ),
            (
                "threads",
                self.threads as f64,
                self.threads > 0,
                "at least 1",
            ),
        ];
        for (field, value, sound, range) in numbers {
            if !sound {
                return Err(Unfit::Number {
                    field,
                    value,
                    range,
                });
            }
        }
        for (part, name) in [
            (Part::Training, "training"),
            (Part::Validation, "validation"),
        ] {
            if dataset.positions(part) == 0 {
                return Err(Unfit::NoPositions {
                    part: name,
                    training: dataset.games(Part::Training),
                    validation: dataset.games(Part::Validation),
                });
            }
        }
        Ok(())
    }
}
