//! One number of the evaluation, by name: what a tuner walks over.

use std::fmt;
use std::str::FromStr;

use super::params::{Phase, XiangqiParams};
use super::terms::Terms;
use crate::eval::MAX_EVAL;
use crate::games::xiangqi::{Kind, Square};
use crate::settings;

/// One number of [`XiangqiParams`].
///
/// Its text is that of the config without `eval.`: `material.rook`,
/// `pst.horse[3][4]` (row and file of the table), `mobility.cannon`, and for the
/// endgame the same after `end.`. While a config's `material.rook` speaks of
/// both phases unless `end` is said too, that of a parameter is the middlegame's
/// number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// The bonus for the side to move.
    Tempo,
    /// What a kind of piece is worth.
    Material(Phase, Kind),
    /// What a square adds, by its place in the kind's table: 9 times the row,
    /// plus the file.
    Square(Phase, Kind, u8),
    /// What a term is worth, by its place in [`Terms::list`].
    Term(Phase, u8),
}

/// Numbers of one phase.
const OF_PHASE: usize = 7 + 7 * Square::COUNT + Terms::COUNT;

impl Parameter {
    /// How many there are.
    pub const COUNT: usize = 1 + 2 * OF_PHASE;

    /// All of them: the tempo, then the middlegame's and the endgame's, each by
    /// material, squares and terms.
    pub fn all() -> impl Iterator<Item = Parameter> {
        let of_phase = |phase| {
            let material = Kind::ALL.map(|kind| Parameter::Material(phase, kind));
            let squares = Kind::ALL.into_iter().flat_map(move |kind| {
                (0..Square::COUNT as u8).map(move |place| Parameter::Square(phase, kind, place))
            });
            let terms = (0..Terms::COUNT as u8).map(move |place| Parameter::Term(phase, place));
            material.into_iter().chain(squares).chain(terms)
        };
        std::iter::once(Parameter::Tempo).chain(Phase::BOTH.into_iter().flat_map(of_phase))
    }

    /// Its place among all.
    pub const fn index(self) -> usize {
        let (phase, place) = match self {
            Parameter::Tempo => return 0,
            Parameter::Material(phase, kind) => (phase, kind.index()),
            Parameter::Square(phase, kind, place) => {
                (phase, 7 + kind.index() * Square::COUNT + place as usize)
            }
            Parameter::Term(phase, place) => (phase, 7 + 7 * Square::COUNT + place as usize),
        };
        1 + phase as usize * OF_PHASE + place
    }
}

impl Parameter {
    /// The least and the greatest value.
    pub fn range(self) -> (i64, i64) {
        const MOST: i64 = MAX_EVAL as i64;
        let Parameter::Term(_, place) = self else {
            return (-MOST, MOST);
        };
        let terms = Terms::list();
        let term = terms.get(usize::from(place));
        match term.map(|term| term.setting.kind) {
            Some(settings::Kind::Number { least, most }) => (least, most),
            Some(settings::Kind::Flag) => (0, 1),
            Some(settings::Kind::Choice(_)) | None => (0, 0),
        }
    }
}

impl XiangqiParams {
    /// The value of a parameter; 0 for a place that is none.
    pub fn get(&self, parameter: Parameter) -> i32 {
        match parameter {
            Parameter::Tempo => self.tempo,
            Parameter::Material(phase, kind) => self.phase(phase).material[kind.index()],
            Parameter::Square(phase, kind, place) => {
                let table = self.phase(phase).pst[kind.index()].as_flattened();
                table.get(usize::from(place)).copied().unwrap_or(0)
            }
            Parameter::Term(phase, place) => self.phase(phase).terms.get(usize::from(place)),
        }
    }

    /// Gives a parameter another value. A place that is none changes nothing,
    /// nor does a term's weight beyond the term's range.
    pub fn set(&mut self, parameter: Parameter, value: i32) {
        match parameter {
            Parameter::Tempo => self.tempo = value,
            Parameter::Material(phase, kind) => {
                self.phase_mut(phase).material[kind.index()] = value;
            }
            Parameter::Square(phase, kind, place) => {
                let table = self.phase_mut(phase).pst[kind.index()].as_flattened_mut();
                if let Some(number) = table.get_mut(usize::from(place)) {
                    *number = value;
                }
            }
            Parameter::Term(phase, place) => {
                self.phase_mut(phase).terms.set(usize::from(place), value);
            }
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |phase| match phase {
            Phase::Middle => "",
            Phase::End => "end.",
        };
        match *self {
            Parameter::Tempo => f.write_str("tempo"),
            Parameter::Material(phase, kind) => {
                write!(f, "{}material.{}", end(phase), kind.name())
            }
            Parameter::Square(phase, kind, place) => {
                let (row, file) = (place / 9, place % 9);
                write!(f, "{}pst.{}[{row}][{file}]", end(phase), kind.name())
            }
            Parameter::Term(phase, place) => match Terms::list().get(usize::from(place)) {
                Some(term) => write!(f, "{}{}.{}", end(phase), term.group, term.setting.name),
                None => write!(f, "{}terms[{place}]", end(phase)),
            },
        }
    }
}

/// A text that names no parameter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no number of the evaluation is called `{0}`")]
pub struct UnknownParameter(pub String);

impl FromStr for Parameter {
    type Err = UnknownParameter;

    fn from_str(text: &str) -> Result<Self, UnknownParameter> {
        parse(text).ok_or_else(|| UnknownParameter(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Parameter> {
    if text == "tempo" {
        return Some(Parameter::Tempo);
    }
    let (phase, text) = match text.strip_prefix("end.") {
        Some(rest) => (Phase::End, rest),
        None => (Phase::Middle, text),
    };
    let (group, name) = text.split_once('.')?;
    let kind = |name| Kind::ALL.into_iter().find(|kind| kind.name() == name);
    match group {
        "material" => Some(Parameter::Material(phase, kind(name)?)),
        "pst" => {
            let (name, place) = name.strip_suffix(']')?.split_once('[')?;
            let (row, file) = place.split_once("][")?;
            let digit = |text: &str, most: u8| {
                let digit = text.as_bytes().first()?.checked_sub(b'0')?;
                (text.len() == 1 && digit <= most).then_some(digit)
            };
            let place = digit(row, 9)? * 9 + digit(file, 8)?;
            Some(Parameter::Square(phase, kind(name)?, place))
        }
        _ => {
            let is_it = |term: &super::Term| term.group == group && term.setting.name == name;
            let place = Terms::list().iter().position(is_it)?;
            Some(Parameter::Term(phase, place as u8))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_places_and_values_belong_together() {
        let mut params = XiangqiParams::default();
        let all: Vec<Parameter> = Parameter::all().collect();
        assert_eq!(all.len(), Parameter::COUNT);
        for (index, &parameter) in all.iter().enumerate() {
            assert_eq!(parameter.index(), index);
            assert_eq!(parameter.to_string().parse(), Ok(parameter), "{parameter}");
            params.set(parameter, index as i32 % 199);
        }
        for (index, &parameter) in all.iter().enumerate() {
            assert_eq!(params.get(parameter), index as i32 % 199, "{parameter}");
        }
    }

    #[test]
    fn the_names_are_those_of_the_config() {
        let named = |text: &str| text.parse::<Parameter>().ok();
        let mut params = XiangqiParams::default();
        params.end.pst[Kind::Horse.index()][3][4] = 7;
        params.middle.terms.mobility.rook = 5;
        params.tempo = 3;
        for (text, value) in [
            ("end.pst.horse[3][4]", 7),
            ("pst.horse[3][4]", 0),
            ("mobility.rook", 5),
            ("end.mobility.rook", 0),
            ("tempo", 3),
        ] {
            assert_eq!(
                named(text).map(|named| params.get(named)),
                Some(value),
                "{text}"
            );
        }
        for text in [
            "",
            "rook",
            "end",
            "end.tempo",
            "material",
            "material.chariot",
            "pst.horse",
            "pst.horse[10][0]",
            "pst.horse[0][9]",
            "pst.horse[0]",
            "mobility.pawn",
            "x.rook",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}
