//! One number of a variant, by its path: what a tuner moves.

mod go;
mod search;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::{EvalParams, Variant};
use crate::eval::MAX_EVAL;
use crate::games::othello::eval::{self as othello, Stage};
use crate::games::xiangqi::eval::{Parameter, Phase, Terms};
use crate::settings::Kind;

pub use go::CaptureNumber;
pub use search::SearchNumber;

/// One number of a resolved [`Variant`].
///
/// Its path is that of a config, within the variant: `eval.material.rook`,
/// `eval.end.pst.horse[3][4]`, `eval.squares[0]`, `eval.late.mobility`,
/// `search.null_move.reduction`, `options.Skill Level`. A number is one place in
/// memory: while a config's `eval.material.rook` speaks of both phases unless `end` is
/// said too, the number of that path is the middlegame's alone, and that of Othello's
/// `eval.mobility` the first stage's. `[tune]` ties it to those of the later stages;
/// see [`Tuned`](super::Tuned).
///
/// Flags and choices are no numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// Of the evaluation of Xiangqi.
    Xiangqi(Parameter),
    /// Of the evaluation of Othello.
    Othello(othello::Parameter),
    /// Of the knowledge of Go blocks.
    Go(CaptureNumber),
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
            EvalParams::Othello(_) => othello::Parameter::all().map(Number::Othello).collect(),
            EvalParams::Go(_) => CaptureNumber::all().into_iter().map(Number::Go).collect(),
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
    /// another game, to a switch that is off, to an option that is not set to a
    /// whole number, or to the wrong kind of player.
    pub fn get(&self, variant: &Variant) -> Option<i64> {
        match (self, &variant.program, &variant.eval) {
            (Number::Option(name), Some(program), _) => {
                program.profile.options.get(name)?.parse().ok()
            }
            (Number::Xiangqi(parameter), None, EvalParams::Xiangqi(params)) => {
                Some(params.get(*parameter).into())
            }
            (Number::Othello(parameter), None, EvalParams::Othello(params)) => {
                Some(params.get(*parameter).into())
            }
            (Number::Go(number), None, EvalParams::Go(params)) => Some(number.get(params)),
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
            (Number::Othello(parameter), _, EvalParams::Othello(params)) => {
                params.set(*parameter, value as i32);
            }
            (Number::Go(number), _, EvalParams::Go(params)) => number.set(params, value),
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
            Number::Xiangqi(_) => (-MOST, MOST),
            Number::Othello(parameter) => parameter.range(),
            Number::Go(number) => range_of(number.setting().kind),
            Number::Search(number) => range_of(number.setting().kind),
            Number::Option(_) => (i32::MIN.into(), i32::MAX.into()),
        }
    }

    /// Whether it is a value in evaluation units that adds up with others to what a
    /// position is worth: a number of the evaluation of Xiangqi or Othello. What is known
    /// of Go blocks multiplies, limits and counts.
    pub fn is_eval(&self) -> bool {
        matches!(self, Number::Xiangqi(_) | Number::Othello(_))
    }

    /// Those that a config speaks of along with this one, unless it says them too: the
    /// same number in each later stage of the game, in order, of one in the first; none
    /// of one in a later stage, or of one that has no stages.
    pub(super) fn in_later_stages(&self) -> Vec<Number> {
        match *self {
            Number::Xiangqi(parameter) => {
                let end = match parameter {
                    Parameter::Material(Phase::Middle, kind) => {
                        Parameter::Material(Phase::End, kind)
                    }
                    Parameter::Square(Phase::Middle, kind, place) => {
                        Parameter::Square(Phase::End, kind, place)
                    }
                    Parameter::Term(Phase::Middle, place) => Parameter::Term(Phase::End, place),
                    _ => return Vec::new(),
                };
                vec![Number::Xiangqi(end)]
            }
            Number::Othello(parameter) if parameter.stage() == Stage::Opening => {
                let later = Stage::ALL.into_iter().skip(1);
                let number = |stage| Number::Othello(parameter.in_stage(stage));
                later.map(number).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The number that the symmetry of the board makes the same: that of the same rank
    /// on the mirrored file, of a square of Xiangqi, which is the same one in the
    /// middle; that of the reversed pattern, of a tuple of Othello that is its own
    /// mirror image.
    pub(super) fn mirrored(&self) -> Option<Number> {
        match *self {
            Number::Xiangqi(Parameter::Square(phase, kind, place)) => {
                let place = place / 9 * 9 + 8 - place % 9;
                Some(Number::Xiangqi(Parameter::Square(phase, kind, place)))
            }
            Number::Othello(parameter) => parameter.mirrored().map(Number::Othello),
            _ => None,
        }
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
            Number::Othello(parameter) => write!(f, "eval.{parameter}"),
            Number::Go(number) => write!(f, "eval.{number}"),
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
    let xiangqi = name.parse().ok().map(Number::Xiangqi);
    xiangqi
        .or_else(|| name.parse().ok().map(Number::Othello))
        .or_else(|| CaptureNumber::parse(name).map(Number::Go))
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests;
