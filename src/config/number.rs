//! One number of a variant, by its path: what a tuner moves.

mod search;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::{EvalParams, Variant};
use crate::eval::MAX_EVAL;
use crate::eval::othello::OthelloParams;
use crate::eval::xiangqi::{Parameter, Phase, Terms};
use crate::settings::Kind;

pub use search::SearchNumber;

/// One number of a resolved [`Variant`].
///
/// Its path is that of a config, within the variant: `eval.material.rook`,
/// `eval.end.pst.horse[3][4]`, `eval.squares[0]`, `search.null_move.reduction`,
/// `options.Skill Level`. A number is one place in memory: while a config's
/// `eval.material.rook` speaks of both phases unless `end` is said too, the
/// number of that path is the middlegame's alone. `[tune]` ties the two; see
/// [`Tuned`](super::Tuned).
///
/// Flags and choices are no numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// Of the evaluation of Xiangqi.
    Xiangqi(Parameter),
    /// Of the evaluation of Othello: what a disc is worth on the squares of this
    /// class, 0 to 9.
    Squares(u8),
    /// Of the evaluation of Othello: what a disc is worth anywhere.
    Discs,
    /// Of the search.
    Search(SearchNumber),
    /// An option of an external program that the config sets to a whole number.
    Option(String),
}

/// A text that is no path of a number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no number of a variant is called `{0}`")]
pub struct UnknownNumber(pub String);

/// The letters before the name of an option.
pub(super) const OPTIONS: &str = "options.";

impl Number {
    /// All numbers that `variant` has, each once, in a fixed order: evaluation and
    /// search of one that plays in this process, those options of a program that
    /// its config sets to whole numbers.
    pub fn all(variant: &Variant) -> Vec<Number> {
        if let Some(program) = &variant.program {
            let options = program.profile.options.keys();
            let numbers = options.map(|name| Number::Option(name.clone()));
            return numbers
                .filter(|number| number.get(variant).is_some())
                .collect();
        }
        let mut all: Vec<Number> = match &variant.eval {
            EvalParams::Xiangqi(_) => Parameter::all().map(Number::Xiangqi).collect(),
            EvalParams::Othello(_) => (0..OthelloParams::SQUARE_NAMES.len() as u8)
                .map(Number::Squares)
                .chain([Number::Discs])
                .collect(),
        };
        let search = SearchNumber::all().into_iter().map(Number::Search);
        all.extend(search.filter(|number| number.get(variant).is_some()));
        all
    }

    /// The path; the same as the text.
    pub fn path(&self) -> String {
        self.to_string()
    }

    /// The value; `None` if the variant has no such number: it belongs to the
    /// other game, to a switch that is off, to an option that is not set to a
    /// whole number, or to the wrong kind of player.
    pub fn get(&self, variant: &Variant) -> Option<i64> {
        match (self, &variant.program, &variant.eval) {
            (Number::Option(name), Some(program), _) => {
                program.profile.options.get(name)?.parse().ok()
            }
            (Number::Xiangqi(parameter), None, EvalParams::Xiangqi(params)) => {
                Some(params.get(*parameter).into())
            }
            (Number::Squares(class), None, EvalParams::Othello(params)) => params
                .squares
                .get(usize::from(*class))
                .map(|&value| value.into()),
            (Number::Discs, None, EvalParams::Othello(params)) => Some(params.discs.into()),
            (Number::Search(number), None, _) => number.get(&variant.search),
            _ => None,
        }
    }

    /// Gives it another value. False, and nothing has changed, if the variant has
    /// no such number or the value is out of [`range`](Number::range).
    pub fn set(&self, variant: &mut Variant, value: i64) -> bool {
        let (least, most) = self.range();
        if self.get(variant).is_none() || !(least..=most).contains(&value) {
            return false;
        }
        match (self, &mut variant.program, &mut variant.eval) {
            (Number::Option(name), Some(program), _) => {
                let options = &mut program.profile.options;
                options.insert(name.clone(), value.to_string());
            }
            (Number::Xiangqi(parameter), _, EvalParams::Xiangqi(params)) => {
                params.set(*parameter, value as i32);
            }
            (Number::Squares(class), _, EvalParams::Othello(params)) => {
                if let Some(square) = params.squares.get_mut(usize::from(*class)) {
                    *square = value as i32;
                }
            }
            (Number::Discs, _, EvalParams::Othello(params)) => params.discs = value as i32,
            (Number::Search(number), ..) => number.set(&mut variant.search, value),
            _ => return false,
        }
        true
    }

    /// The least and the greatest value. What a program takes is not known before
    /// it is started: an option can be anything of 32 bits.
    pub fn range(&self) -> (i64, i64) {
        const MOST: i64 = MAX_EVAL as i64;
        match self {
            Number::Xiangqi(Parameter::Term(_, place)) => {
                let list = Terms::list();
                let term = list.get(usize::from(*place));
                term.map_or((0, 0), |term| range_of(term.setting.kind))
            }
            Number::Xiangqi(_) | Number::Squares(_) | Number::Discs => (-MOST, MOST),
            Number::Search(number) => range_of(number.setting().kind),
            Number::Option(_) => (i32::MIN.into(), i32::MAX.into()),
        }
    }

    /// Whether it belongs to the evaluation: a value in evaluation units.
    pub fn is_eval(&self) -> bool {
        !matches!(self, Number::Search(_) | Number::Option(_))
    }

    /// The endgame's number, of a middlegame's.
    pub(super) fn in_the_end(&self) -> Option<Number> {
        let Number::Xiangqi(parameter) = self else {
            return None;
        };
        let end = match *parameter {
            Parameter::Material(Phase::Middle, kind) => Parameter::Material(Phase::End, kind),
            Parameter::Square(Phase::Middle, kind, place) => {
                Parameter::Square(Phase::End, kind, place)
            }
            Parameter::Term(Phase::Middle, place) => Parameter::Term(Phase::End, place),
            _ => return None,
        };
        Some(Number::Xiangqi(end))
    }

    /// The number of the same rank on the mirrored file, of a square's; the same
    /// one in the middle.
    pub(super) fn mirrored(&self) -> Option<Number> {
        let Number::Xiangqi(Parameter::Square(phase, kind, place)) = *self else {
            return None;
        };
        let place = place / 9 * 9 + 8 - place % 9;
        Some(Number::Xiangqi(Parameter::Square(phase, kind, place)))
    }
}

fn range_of(kind: Kind) -> (i64, i64) {
    match kind {
        Kind::Number { least, most } => (least, most),
        Kind::Flag => (0, 1),
        Kind::Choice(names) => (0, names.len() as i64 - 1),
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Xiangqi(parameter) => write!(f, "eval.{parameter}"),
            Number::Squares(class) => write!(f, "eval.squares[{class}]"),
            Number::Discs => f.write_str("eval.discs"),
            Number::Search(number) => write!(f, "search.{number}"),
            Number::Option(name) => write!(f, "{OPTIONS}{name}"),
        }
    }
}

impl FromStr for Number {
    type Err = UnknownNumber;

    fn from_str(text: &str) -> Result<Self, UnknownNumber> {
        parse(text).ok_or_else(|| UnknownNumber(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Number> {
    if let Some(name) = text.strip_prefix(OPTIONS) {
        return (!name.is_empty()).then(|| Number::Option(name.to_owned()));
    }
    if let Some(name) = text.strip_prefix("search.") {
        return SearchNumber::parse(name).map(Number::Search);
    }
    let name = text.strip_prefix("eval.")?;
    if name == "discs" {
        return Some(Number::Discs);
    }
    if let Some(class) = name.strip_prefix("squares[") {
        let digit = class.strip_suffix(']')?.as_bytes();
        let [digit @ b'0'..=b'9'] = digit else {
            return None;
        };
        return Some(Number::Squares(digit - b'0'));
    }
    name.parse().ok().map(Number::Xiangqi)
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests;
