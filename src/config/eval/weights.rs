//! The numbers of one phase of Xiangqi, as typed and checked. Which terms there
//! are is read off the evaluation's own list.

mod raw;

use toml::Spanned;

use super::number;
use crate::config::problem::Problem;
use crate::config::raw::{Number, RawKinds, RawSquares};
use crate::config::value::ranged;
use crate::games::xiangqi::Kind;
use crate::games::xiangqi::eval::{Terms, Weights};
use crate::settings;

use raw::RawWeights;
pub(in crate::config) use raw::RawXiangqiEval;

type Squares = [[i32; 9]; 10];

/// Words on the numbers of a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    material: [Option<i32>; 7],
    pst: [Option<Squares>; 7],
    /// Terms by their place in the list of all.
    terms: Vec<(usize, i32)>,
}

impl Layer {
    pub(super) fn check(raw: &RawWeights, path: &str, problems: &mut Vec<Problem>) -> Self {
        let mut layer = Self::default();
        for kind in Kind::ALL {
            if let Some(raw) = raw.material.as_ref().and_then(|kinds| kinds.get(kind)) {
                let key = format!("{path}.material.{}", kind.name());
                layer.material[kind.index()] = number(raw, &key, problems);
            }
            if let Some(raw) = raw.pst.as_ref().and_then(|kinds| kinds.get(kind)) {
                let key = format!("{path}.pst.{}", kind.name());
                layer.pst[kind.index()] = squares(raw, &key, problems);
            }
        }
        let list = Terms::list();
        for (place, raw) in &raw.terms {
            let Some(term) = list.get(*place) else {
                continue;
            };
            let settings::Kind::Number { least, most } = term.setting.kind else {
                continue;
            };
            let key = format!("{path}.{}.{}", term.group, term.setting.name);
            if let Some(weight) = ranged(raw, &key, least..=most, problems) {
                layer.terms.push((*place, weight));
            }
        }
        layer
    }

    pub(super) fn apply(&self, weights: &mut Weights) {
        for kind in 0..7 {
            weights.material[kind] = self.material[kind].unwrap_or(weights.material[kind]);
            weights.pst[kind] = self.pst[kind].unwrap_or(weights.pst[kind]);
        }
        for &(place, weight) in &self.terms {
            weights.terms.set(place, weight);
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
fn squares(raw: &RawSquares, key: &str, problems: &mut Vec<Problem>) -> Option<Squares> {
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
