//! One Othello variant's own words on its evaluation, checked. Which terms there are
//! is read off the evaluation's own list.

mod raw;
mod squares;

use toml::Spanned;

use super::number;
use crate::config::presets;
use crate::config::problem::Problem;
use crate::config::raw::{Number, RawSquares};
use crate::config::value::ranged;
use crate::games::othello::eval::{Length, OthelloParams, OthelloWeights, Stage, Terms};
use crate::settings;

pub(in crate::config) use raw::RawOthelloEval;
use raw::RawWeights;

/// The words of an Othello variant: first the preset, then single numbers.
#[derive(Clone, Debug, Default)]
pub(in crate::config) struct OthelloLayer {
    preset: Option<OthelloParams>,
    /// What is said of all stages.
    all: Layer,
    /// What is said of single stages.
    stages: Vec<(Stage, Layer)>,
}

/// Words on the numbers of a stage.
#[derive(Clone, Debug, Default)]
struct Layer {
    squares: Option<[i32; 10]>,
    discs: Option<i32>,
    /// Terms by their place in the list of all.
    terms: Vec<(usize, i32)>,
    tuples: Vec<(Length, Vec<i32>)>,
}

impl OthelloLayer {
    pub(in crate::config) fn check(raw: &RawOthelloEval, problems: &mut Vec<Problem>) -> Self {
        let stages = raw.stages.iter().map(|(stage, weights)| {
            let path = format!("eval.{}", stage.name().unwrap_or_default());
            (*stage, Layer::check(weights, &path, problems))
        });
        let stages = stages.collect();
        Self {
            preset: raw
                .preset
                .as_ref()
                .and_then(|name| presets::named(name, presets::othello, problems)),
            all: Layer::check(&raw.all, "eval", problems),
            stages,
        }
    }

    /// What is said without a stage holds in all of them, unless a stage says
    /// otherwise beside it.
    pub(in crate::config) fn apply(&self, params: &mut OthelloParams) {
        if let Some(preset) = &self.preset {
            params.clone_from(preset);
        }
        for stage in Stage::ALL {
            self.all.apply(params.stage_mut(stage));
        }
        for (stage, layer) in &self.stages {
            layer.apply(params.stage_mut(*stage));
        }
    }
}

impl Layer {
    fn check(raw: &RawWeights, path: &str, problems: &mut Vec<Problem>) -> Self {
        let squares = raw.squares.as_ref();
        let discs = raw.discs.as_ref();
        let mut layer = Self {
            squares: squares
                .and_then(|raw| squares::squares(raw, &format!("{path}.squares"), problems)),
            discs: discs.and_then(|raw| number(raw, &format!("{path}.discs"), problems)),
            ..Self::default()
        };
        let list = Terms::all();
        for (place, raw) in &raw.terms {
            let Some(term) = list.get(*place) else {
                continue;
            };
            let settings::Kind::Number { least, most } = term.setting.kind else {
                continue;
            };
            if let Some(weight) = ranged(raw, &format!("{path}.{term}"), least..=most, problems) {
                layer.terms.push((*place, weight));
            }
        }
        for (length, raw) in &raw.tuples {
            let key = format!("{path}.{}", length.name());
            if let Some(weights) = tuples(raw, *length, &key, problems) {
                layer.tuples.push((*length, weights));
            }
        }
        layer
    }

    fn apply(&self, weights: &mut OthelloWeights) {
        weights.squares = self.squares.unwrap_or(weights.squares);
        weights.discs = self.discs.unwrap_or(weights.discs);
        for &(place, weight) in &self.terms {
            weights.terms.set_number(place, weight);
        }
        for (length, said) in &self.tuples {
            let weights = weights.tuples.of_mut(*length);
            for (weight, &said) in weights.iter_mut().zip(said) {
                *weight = said;
            }
        }
    }
}

/// A row of patterns for each class of tuples.
fn tuples(
    raw: &RawSquares,
    length: Length,
    key: &str,
    problems: &mut Vec<Problem>,
) -> Option<Vec<i32>> {
    let rows = raw.get_ref();
    let (classes, patterns) = (length.classes(), length.patterns());
    if rows.len() != classes {
        problems.push(
            Problem::error(raw.span(), format!("`{key}` must have {classes} rows"))
                .label(format!("{} rows", rows.len()))
                .help(format!(
                    "one row of {patterns} numbers for each class of tuples: they are listed in \
                     docs/evaluation.md"
                )),
        );
        return None;
    }
    let mut weights = Vec::with_capacity(length.weights());
    let mut whole = true;
    for (class, row) in rows.iter().enumerate() {
        let key = format!("{key}[{class}]");
        let numbers = patterns_of(row, length, class, &key, problems);
        whole &= numbers.is_some();
        weights.extend(numbers.unwrap_or_default());
    }
    whole.then_some(weights)
}

fn patterns_of(
    row: &Spanned<Vec<Number>>,
    length: Length,
    class: usize,
    key: &str,
    problems: &mut Vec<Problem>,
) -> Option<Vec<i32>> {
    let (found, patterns) = (row.get_ref().len(), length.patterns());
    if found != patterns {
        let squares = length.shape().name(length, class);
        problems.push(
            Problem::error(row.span(), format!("`{key}` must have {patterns} numbers"))
                .label(format!("{found} numbers"))
                .help(format!(
                    "one for each pattern of {squares}: empty 0, own 1, enemy 2, read in base 3 \
                     from the first square"
                )),
        );
        return None;
    }
    let numbers = row.get_ref().iter().map(|raw| number(raw, key, problems));
    // All of them are looked at, so that all that is wrong is said.
    let numbers: Vec<Option<i32>> = numbers.collect();
    numbers.into_iter().collect()
}
