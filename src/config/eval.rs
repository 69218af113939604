//! One variant's own words on its evaluation, checked.

mod weights;

use toml::Spanned;

use super::presets;
use super::problem::Problem;
use super::raw::{Number, RawOthelloEval};
use super::value::ranged;
use crate::eval::MAX_EVAL;
use crate::eval::othello::OthelloParams;
use crate::eval::xiangqi::XiangqiParams;
use weights::Layer;

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

/// The words of an Othello variant: first the preset, then single numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct OthelloLayer {
    preset: Option<OthelloParams>,
    squares: Option<[i32; 10]>,
    discs: Option<i32>,
}

impl OthelloLayer {
    pub(super) fn check(raw: &RawOthelloEval, problems: &mut Vec<Problem>) -> Self {
        Self {
            preset: raw
                .preset
                .as_ref()
                .and_then(|name| presets::named(name, presets::othello, problems)),
            squares: raw.squares.as_ref().and_then(|raw| classes(raw, problems)),
            discs: raw
                .discs
                .as_ref()
                .and_then(|raw| number(raw, "eval.discs", problems)),
        }
    }

    pub(super) fn apply(&self, params: &mut OthelloParams) {
        *params = self.preset.unwrap_or(*params);
        params.squares = self.squares.unwrap_or(params.squares);
        params.discs = self.discs.unwrap_or(params.discs);
    }
}

/// The ten classes of squares under the symmetries of the board.
fn classes(raw: &Spanned<Vec<Number>>, problems: &mut Vec<Problem>) -> Option<[i32; 10]> {
    let numbers: Vec<Option<i32>> = raw
        .get_ref()
        .iter()
        .map(|raw| number(raw, "eval.squares", problems))
        .collect();
    let found = numbers.len();
    let numbers: Option<Vec<i32>> = numbers.into_iter().collect();
    let classes = numbers?.try_into().ok();
    if classes.is_none() {
        problems.push(
            Problem::error(raw.span(), "`eval.squares` must have 10 numbers")
                .label(format!("{found} numbers"))
                .help("one for each class of squares: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4"),
        );
    }
    classes
}
