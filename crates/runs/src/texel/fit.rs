//! The fit: Adam steps until the validation loss stops falling.

use std::io;
use std::ops::{ControlFlow, Range};

use serde::Serialize;

use super::adam::Adam;
use super::pass::{Pass, Prediction, evaluation};
use super::scale::Sample;
use super::{Dataset, FitError, FitPlan, Part};
use leitai_players::schedule::{numbered_generator, permutation};

/// The start predicts no result, or every result.
const NO_SCALE: &str = "no K fits the start's values: they predict no result, or every result, or \
     nearly all results are equal, as where the quiet positions of decided games are few; start \
     from rough values, or set k (about 0.5 if 1000 units decide a game)";

/// The least relative fall of a loss that counts. A smaller gain does not win one more game, and
/// Adam would approach the minimum for ever.
const MIN_GAIN: f64 = 1e-4;

/// The losses after an epoch: mean squared errors of the predicted results, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Epoch {
    /// The number of epochs so far; 0 at the start.
    pub number: u32,
    /// The loss over the training positions.
    pub training: f64,
    /// The loss over the validation positions.
    pub validation: f64,
}

/// The reason why a fit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FitEnd {
    /// The validation loss did not fall by a ten-thousandth of itself within the patience.
    Patience,
    /// The limit on epochs was reached: more might be better.
    Epochs,
    /// The caller's `watch` ended the fit.
    #[serde(rename = "asked")]
    Requested,
}

/// The result of a fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// The values of the dimensions at the least validation loss.
    pub values: Vec<f64>,
    /// Elo per evaluation unit, as used to predict the results.
    pub k: f64,
    /// The epochs in order, the start first.
    pub epochs: Vec<Epoch>,
    /// The epoch of the returned values. 0: no epoch was better than the start.
    pub best: u32,
    /// The reason why the fit ended.
    pub stop: FitEnd,
    /// The number of training positions in which each dimension has a coefficient.
    pub visits: Vec<u64>,
    /// Dimensions that stayed at their start because no training position, or too few, have a
    /// coefficient for them.
    pub unvisited: Vec<usize>,
    /// Dimensions whose value is at a bound, and might have gone further.
    pub at_bounds: Vec<usize>,
    /// Games for training and for validation.
    pub games: [u64; 2],
    /// Positions for training and for validation.
    pub positions: [usize; 2],
}

/// Fits the dimensions of a dataset to its results: finds the values with the least mean squared
/// difference between `1 / (1 + 10^(-K E / 400))` and the results, until the error over the
/// validation games stops falling.
///
/// Except for [`FitPlan::threads`], the result depends on dataset and plan alone.
///
/// # Errors
/// [`FitError`], with the change that is needed.
pub fn fit(dataset: &Dataset, plan: &FitPlan) -> Result<Fitted, FitError> {
    fit_watched(dataset, plan, |_| ControlFlow::Continue(()))
}

/// Does the same and calls `watch` after each epoch, which can end the fit.
///
/// # Errors
/// [`FitError`], with the change that is needed.
pub fn fit_watched(
    dataset: &Dataset,
    plan: &FitPlan,
    mut watch: impl FnMut(&Epoch) -> ControlFlow<()>,
) -> Result<Fitted, FitError> {
    plan.check(dataset)?;
    let visits = dataset.visits()?;
    let seen = visits.iter();
    let free: Vec<bool> = seen.map(|&seen| seen >= plan.least_visits.max(1)).collect();
    if !free.contains(&true) {
        return Err(FitError(format!(
            "none of the {} free parameters occurs in enough training positions: add games, or \
             lower least_visits",
            free.len()
        )));
    }
    let k = match plan.k {
        Some(k) => k,
        None => fit_k(dataset)?.ok_or_else(|| FitError(NO_SCALE.to_owned()))?,
    };
    let mut descent = Descent::new(dataset, plan, k, free);
    let mut best = (f64::INFINITY, 0, descent.values.clone());
    // The last loss that counted as fallen, and its epoch.
    let mut mark = (f64::INFINITY, 0);
    let mut epochs = Vec::new();
    let stop = loop {
        let number = epochs.len() as u32;
        let (training, after) = descent.prepare()?;
        let validation = descent.loss(Part::Validation)?;
        let epoch = Epoch {
            number,
            training,
            validation,
        };
        epochs.push(epoch);
        if validation < best.0 {
            best = (validation, number, descent.values.clone());
        }
        if validation < mark.0 * (1.0 - MIN_GAIN) {
            mark = (validation, number);
        }
        if watch(&epoch).is_break() {
            break FitEnd::Requested;
        }
        if number - mark.1 >= plan.patience {
            break FitEnd::Patience;
        }
        if number >= plan.epochs {
            break FitEnd::Epochs;
        }
        descent.epoch(number, after)?;
    };
    let (_, best, values) = best;
    let dimensions = dataset.layout.dimensions();
    let at_bound = |&place: &usize| {
        let (value, dimension) = (values[place], &dimensions[place]);
        descent.free[place] && (value <= dimension.min || value >= dimension.max)
    };
    Ok(Fitted {
        k,
        best,
        stop,
        unvisited: (0..values.len())
            .filter(|&place| !descent.free[place])
            .collect(),
        at_bounds: (0..values.len()).filter(at_bound).collect(),
        games: dataset.games,
        positions: [Part::Training, Part::Validation].map(|part| dataset.positions(part)),
        epochs,
        values,
        visits,
    })
}

/// The K that best fits the start's evaluations of the training positions, or of evenly spread ones
/// if there are many.
fn fit_k(dataset: &Dataset) -> io::Result<Option<f64>> {
    let values = dataset.layout.start().into_iter();
    let weights: Vec<f64> = values.map(|value| value / dataset.unit).collect();
    let rows = dataset.source(Part::Training);
    let mut sample = Sample::of(rows.len());
    rows.each(0..rows.len(), |row| {
        sample.add(evaluation(&row, &weights), row.result);
    })?;
    Ok(sample.best_k())
}

/// A fit in progress.
struct Descent<'a> {
    dataset: &'a Dataset,
    plan: &'a FitPlan,
    by: Prediction,
    free: Vec<bool>,
    values: Vec<f64>,
    adam: Adam,
    pass: Pass,
}

impl<'a> Descent<'a> {
    fn new(dataset: &'a Dataset, plan: &'a FitPlan, k: f64, free: Vec<bool>) -> Self {
        let dimensions = free.len();
        Self {
            dataset,
            plan,
            by: Prediction {
                k,
                unit: dataset.unit,
            },
            free,
            values: dataset.layout.start(),
            adam: Adam::new(plan, dimensions),
            pass: Pass::new(dimensions, plan.threads),
        }
    }

    fn loss(&mut self, part: Part) -> io::Result<f64> {
        self.pass
            .loss(self.dataset.source(part), &self.values, self.by)
    }

    /// The training loss; with the gradient if one step uses all positions, because the gradient
    /// then costs no more than the loss.
    fn prepare(&mut self) -> io::Result<(f64, Option<Vec<f64>>)> {
        let rows = self.dataset.source(Part::Training);
        if self.plan.batch.is_some_and(|batch| batch < rows.len()) {
            return Ok((self.loss(Part::Training)?, None));
        }
        let all = 0..rows.len();
        let (loss, gradient) = self.pass.gradient(rows, all, &self.values, self.by)?;
        Ok((loss, Some(gradient.to_vec())))
    }

    /// Goes through the training positions once.
    fn epoch(&mut self, number: u32, prepared: Option<Vec<f64>>) -> io::Result<()> {
        if let Some(gradient) = prepared {
            self.step(&gradient);
            return Ok(());
        }
        let rows = self.dataset.source(Part::Training);
        for batch in self.batches(number) {
            let (_, gradient) = self.pass.gradient(rows, batch, &self.values, self.by)?;
            let gradient = gradient.to_vec();
            self.step(&gradient);
        }
        Ok(())
    }

    /// The batches, in another order for each epoch. Rows are ordered by the hashes of their games,
    /// so that each batch is a mixture.
    fn batches(&self, epoch: u32) -> Vec<Range<usize>> {
        let positions = self.dataset.positions(Part::Training);
        let size = self.plan.batch.unwrap_or(positions).clamp(1, positions);
        let mut generator = numbered_generator(self.plan.seed, u64::from(epoch));
        let order = permutation(positions.div_ceil(size) as u32, &mut generator).into_iter();
        let firsts = order.map(|batch| batch as usize * size);
        firsts
            .map(|first| first..positions.min(first + size))
            .collect()
    }

    fn step(&mut self, gradient: &[f64]) {
        let dimensions = self.dataset.layout.dimensions();
        let start = self.dataset.layout.start();
        let pull = 2.0 * self.plan.pull / self.dataset.positions(Part::Training) as f64;
        let pulled: Vec<f64> = (0..self.values.len())
            .map(|place| {
                let scale = dimensions[place].scale;
                gradient[place] + pull * (self.values[place] - start[place]) / (scale * scale)
            })
            .collect();
        self.adam
            .step(&mut self.values, pulled.into_iter(), dimensions, &self.free);
    }
}
