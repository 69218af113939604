//! One variant's own words on its evaluation, checked.

use toml::Spanned;

use super::presets;
use super::problem::Problem;
use super::raw::{Number, RawKinds, RawOthelloEval, RawSquares, RawXiangqiEval};
use super::value::ranged;
use crate::eval::MAX_EVAL;
use crate::eval::othello::OthelloParams;
use crate::eval::xiangqi::XiangqiParams;
use crate::game::xiangqi::Kind;

/// No single number may be worth more than the greatest evaluation.
const MOST: i64 = MAX_EVAL as i64;

type Squares = [[i32; 9]; 10];

fn number(raw: &Number, key: &str, problems: &mut Vec<Problem>) -> Option<i32> {
    ranged(raw, key, -MOST..=MOST, problems)
}

/// The words of a Xiangqi variant: first the preset, then single numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct XiangqiLayer {
    preset: Option<XiangqiParams>,
    tempo: Option<i32>,
    material: [Option<i32>; 7],
    pst: [Option<Squares>; 7],
}

impl XiangqiLayer {
    pub(super) fn check(raw: &RawXiangqiEval, problems: &mut Vec<Problem>) -> Self {
        let mut layer = Self {
            preset: raw
                .preset
                .as_ref()
                .and_then(|name| presets::named(name, presets::xiangqi, problems)),
            tempo: raw
                .tempo
                .as_ref()
                .and_then(|raw| number(raw, "eval.tempo", problems)),
            ..Self::default()
        };
        for kind in Kind::ALL {
            if let Some(raw) = raw.material.as_ref().and_then(|kinds| kinds.get(kind)) {
                let key = format!("eval.material.{}", kind.name());
                layer.material[kind.index()] = number(raw, &key, problems);
            }
            if let Some(raw) = raw.pst.as_ref().and_then(|kinds| kinds.get(kind)) {
                layer.pst[kind.index()] = squares(raw, kind, problems);
            }
        }
        layer
    }

    pub(super) fn apply(&self, params: &mut XiangqiParams) {
        if let Some(preset) = &self.preset {
            params.clone_from(preset);
        }
        params.tempo = self.tempo.unwrap_or(params.tempo);
        for kind in 0..7 {
            params.material[kind] = self.material[kind].unwrap_or(params.material[kind]);
            params.pst[kind] = self.pst[kind].unwrap_or(params.pst[kind]);
        }
    }
}

impl<T> RawKinds<T> {
    fn get(&self, kind: Kind) -> Option<&T> {
        match kind {
            Kind::King => self.king.as_ref(),
            Kind::Advisor => self.advisor.as_ref(),
            Kind::Elephant => self.elephant.as_ref(),
            Kind::Horse => self.horse.as_ref(),
            Kind::Rook => self.rook.as_ref(),
            Kind::Cannon => self.cannon.as_ref(),
            Kind::Pawn => self.pawn.as_ref(),
        }
    }
}

/// Ten rows of nine numbers; warns where the left half is not the mirror image
/// of the right one.
fn squares(raw: &RawSquares, kind: Kind, problems: &mut Vec<Problem>) -> Option<Squares> {
    let key = format!("eval.pst.{}", kind.name());
    let rows = raw.get_ref();
    if rows.len() != 10 {
        problems.push(
            Problem::error(raw.span(), format!("`{key}` must have 10 rows"))
                .label(format!("{} rows", rows.len()))
                .help("rows go from rank 9 (the far side, as Red sees it) to rank 0 (home)"),
        );
        return None;
    }
    let mut squares = [[0; 9]; 10];
    let mut whole = true;
    for (rank, (row, out)) in rows.iter().zip(&mut squares).enumerate() {
        match squares_row(row, &format!("{key}[{rank}]"), problems) {
            Some(row) => *out = row,
            None => whole = false,
        }
    }
    whole.then_some(squares)
}

fn squares_row(
    row: &Spanned<Vec<Number>>,
    key: &str,
    problems: &mut Vec<Problem>,
) -> Option<[i32; 9]> {
    let numbers: Vec<Option<i32>> = row
        .get_ref()
        .iter()
        .map(|raw| number(raw, key, problems))
        .collect();
    let found = numbers.len();
    let Ok(numbers) = <[Option<i32>; 9]>::try_from(numbers) else {
        problems.push(
            Problem::error(
                row.span(),
                format!("`{key}` must have 9 numbers, files a to i"),
            )
            .label(format!("{found} numbers")),
        );
        return None;
    };
    let mut out = [0; 9];
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = number?;
    }
    if out.iter().ne(out.iter().rev()) {
        problems.push(
            Problem::warning(row.span(), format!("`{key}` is not its own mirror image")).help(
                "the board is symmetric: openings that are mirror images of each other\n\
                     count as one",
            ),
        );
    }
    Some(out)
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
