//! One variant's own words on its evaluation, checked.

mod go;
mod names;
mod othello;
mod weights;

use super::presets;
use super::problem::Problem;
use super::raw::Number;
use super::value::ranged;
use crate::eval::MAX_EVAL;
use crate::games::xiangqi::eval::XiangqiParams;
use weights::Layer;

pub(super) use go::{CaptureLayer, RawCaptureEval};
pub(super) use othello::{OthelloLayer, RawOthelloEval};
pub(super) use weights::RawXiangqiEval;

/// No single number may be worth more than the greatest evaluation.
const MOST: i64 = MAX_EVAL as i64;

fn number(raw: &Number, key: &str, problems: &mut Vec<Problem>) -> Option<i32> {
    ranged(raw, key, -MOST..=MOST, problems)
}

/// The words of a Xiangqi variant: first the preset, then single numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct XiangqiLayer {
    preset: Option<XiangqiParams>,
    tempo: Option<i32>,
    both: Layer,
    end: Layer,
}

impl XiangqiLayer {
    pub(super) fn check(raw: &RawXiangqiEval, problems: &mut Vec<Problem>) -> Self {
        Self {
            preset: raw
                .preset
                .as_ref()
                .and_then(|name| presets::named(name, presets::xiangqi, problems)),
            tempo: raw
                .tempo
                .as_ref()
                .and_then(|raw| number(raw, "eval.tempo", problems)),
            both: Layer::check(&raw.both, "eval", problems),
            end: Layer::check(&raw.end, "eval.end", problems),
        }
    }

    /// What is said without `end` holds in both phases, unless `end` says
    /// otherwise beside it.
    pub(super) fn apply(&self, params: &mut XiangqiParams) {
        if let Some(preset) = &self.preset {
            params.clone_from(preset);
        }
        params.tempo = self.tempo.unwrap_or(params.tempo);
        self.both.apply(&mut params.middle);
        self.both.apply(&mut params.end);
        self.end.apply(&mut params.end);
    }
}
