//! One number of the evaluation, by name: what a tuner walks over.

use std::fmt;
use std::str::FromStr;

use super::params::OthelloParams;
use super::stage::Stage;
use super::terms::Terms;
use super::tuples::{Length, reversed};

/// One number of [`OthelloParams`].
///
/// Its text is that of the config without `eval.`: `squares[0]`, `discs`,
/// `mobility`, `edges.wedges`, `tuples2[3][8]` (class and pattern), and for a later
/// stage the same after its name: `late.mobility`. While a config's `mobility` speaks
/// of all stages unless one is said too, that of a parameter is the first stage's
/// number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// What a disc is worth on the squares of this class, 0 to 9.
    Squares(Stage, u8),
    /// What a disc is worth anywhere.
    Discs(Stage),
    /// What a term is worth, by its place in [`Terms::all`].
    Term(Stage, u8),
    /// What a pattern of a tuple is worth, by its place: that of the class times
    /// [`Length::patterns`], plus the pattern.
    Tuple(Stage, Length, u16),
}

const CLASSES: usize = OthelloParams::SQUARE_NAMES.len();

/// Numbers of one stage before the tuples of each length, and after the last.
const STARTS: [usize; 4] = {
    let mut starts = [CLASSES + 1 + Terms::COUNT; 4];
    let mut place = 0;
    while place < 3 {
        starts[place + 1] = starts[place] + Length::ALL[place].weights();
        place += 1;
    }
    starts
};

impl Parameter {
    /// How many there are in one stage.
    pub const OF_STAGE: usize = STARTS[3];

    /// How many there are.
    pub const COUNT: usize = Stage::COUNT * Self::OF_STAGE;

    /// All of them: stage by stage, each by squares, discs, terms and tuples.
    pub fn all() -> impl Iterator<Item = Parameter> {
        Stage::ALL.into_iter().flat_map(|stage| {
            let squares = (0..CLASSES as u8).map(move |class| Parameter::Squares(stage, class));
            let terms = (0..Terms::COUNT as u8).map(move |place| Parameter::Term(stage, place));
            let tuples = Length::ALL.into_iter().flat_map(move |length| {
                let places = 0..length.weights() as u16;
                places.map(move |place| Parameter::Tuple(stage, length, place))
            });
            let discs = [Parameter::Discs(stage)];
            squares.chain(discs).chain(terms).chain(tuples)
        })
    }

    /// Its place among all.
    pub const fn index(self) -> usize {
        let (stage, place) = match self {
            Parameter::Squares(stage, class) => (stage, class as usize),
            Parameter::Discs(stage) => (stage, CLASSES),
            Parameter::Term(stage, place) => (stage, CLASSES + 1 + place as usize),
            Parameter::Tuple(stage, length, place) => {
                (stage, STARTS[length as usize] + place as usize)
            }
        };
        stage as usize * Self::OF_STAGE + place
    }

    /// The stage that it belongs to.
    pub const fn stage(self) -> Stage {
        match self {
            Parameter::Squares(stage, _)
            | Parameter::Discs(stage)
            | Parameter::Term(stage, _)
            | Parameter::Tuple(stage, ..) => stage,
        }
    }

    /// The same number of another stage.
    #[must_use]
    pub const fn in_stage(self, stage: Stage) -> Parameter {
        match self {
            Parameter::Squares(_, class) => Parameter::Squares(stage, class),
            Parameter::Discs(_) => Parameter::Discs(stage),
            Parameter::Term(_, place) => Parameter::Term(stage, place),
            Parameter::Tuple(_, length, place) => Parameter::Tuple(stage, length, place),
        }
    }

    /// The number that always counts as often: of a tuple that is its own mirror image
    /// the reversed pattern's, which may be itself. `None` for all others.
    pub fn mirrored(self) -> Option<Parameter> {
        let Parameter::Tuple(stage, length, place) = self else {
            return None;
        };
        let (class, pattern) = split(length, place);
        length.shape().is_mirrored(class).then(|| {
            let place = class * length.patterns() + reversed(length, pattern);
            Parameter::Tuple(stage, length, place as u16)
        })
    }

    /// The least and the greatest value.
    pub const fn range(self) -> (i64, i64) {
        (-(OthelloParams::LIMIT as i64), OthelloParams::LIMIT as i64)
    }
}

/// The class and the pattern of a place.
pub(super) fn split(length: Length, place: u16) -> (usize, usize) {
    let place = usize::from(place);
    (place / length.patterns(), place % length.patterns())
}

impl OthelloParams {
    /// The value of a parameter; 0 for a place that is none.
    pub fn get(&self, parameter: Parameter) -> i32 {
        let weights = self.stage(parameter.stage());
        match parameter {
            Parameter::Squares(_, class) => {
                let value = weights.squares.get(usize::from(class));
                value.copied().unwrap_or(0)
            }
            Parameter::Discs(_) => weights.discs,
            Parameter::Term(_, place) => weights.terms.number(usize::from(place)),
            Parameter::Tuple(_, length, place) => {
                let weight = weights.tuples.of(length).get(usize::from(place));
                weight.copied().unwrap_or(0)
            }
        }
    }

    /// Gives a parameter another value. A place that is none changes nothing, nor
    /// does a term's weight beyond the term's range.
    pub fn set(&mut self, parameter: Parameter, value: i32) {
        let weights = self.stage_mut(parameter.stage());
        match parameter {
            Parameter::Squares(_, class) => {
                if let Some(number) = weights.squares.get_mut(usize::from(class)) {
                    *number = value;
                }
            }
            Parameter::Discs(_) => weights.discs = value,
            Parameter::Term(_, place) => weights.terms.set_number(usize::from(place), value),
            Parameter::Tuple(_, length, place) => {
                if let Some(number) = weights.tuples.of_mut(length).get_mut(usize::from(place)) {
                    *number = value;
                }
            }
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(stage) = self.stage().name() {
            write!(f, "{stage}.")?;
        }
        match *self {
            Parameter::Squares(_, class) => write!(f, "squares[{class}]"),
            Parameter::Discs(_) => f.write_str("discs"),
            Parameter::Term(_, place) => match Terms::all().get(usize::from(place)) {
                Some(term) => write!(f, "{term}"),
                None => write!(f, "terms[{place}]"),
            },
            Parameter::Tuple(_, length, place) => {
                let (class, pattern) = split(length, place);
                write!(f, "{}[{class}][{pattern}]", length.name())
            }
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
    let staged = text.split_once('.').and_then(|(name, rest)| {
        let mut stages = Stage::ALL.into_iter();
        let stage = stages.find(|stage| stage.name() == Some(name))?;
        Some((stage, rest))
    });
    let (stage, text) = staged.unwrap_or((Stage::Opening, text));
    if text == "discs" {
        return Some(Parameter::Discs(stage));
    }
    if let Some((table, places)) = text.strip_suffix(']').and_then(|it| it.split_once('[')) {
        if table == "squares" {
            let class = place(places, CLASSES)?;
            return Some(Parameter::Squares(stage, class as u8));
        }
        let mut lengths = Length::ALL.into_iter();
        let length = lengths.find(|length| length.name() == table)?;
        let (class, pattern) = places.split_once("][")?;
        let class = place(class, length.classes())?;
        let pattern = place(pattern, length.patterns())?;
        let place = (class * length.patterns() + pattern) as u16;
        return Some(Parameter::Tuple(stage, length, place));
    }
    let place = Terms::all()
        .iter()
        .position(|term| match (term.group, text.split_once('.')) {
            (None, None) => term.setting.name == text,
            (Some(group), Some(parts)) => (group, term.setting.name) == parts,
            _ => false,
        })?;
    Some(Parameter::Term(stage, place as u8))
}

/// A place below `end`, written without anything that could be left out.
fn place(text: &str, end: usize) -> Option<usize> {
    let place: usize = text.parse().ok()?;
    (place < end && place.to_string() == text).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_places_and_values_belong_together() {
        let mut params = OthelloParams::default();
        let all: Vec<Parameter> = Parameter::all().collect();
        assert_eq!(all.len(), Parameter::COUNT);
        for (index, &parameter) in all.iter().enumerate() {
            assert_eq!(parameter.index(), index);
            assert_eq!(parameter.to_string().parse(), Ok(parameter), "{parameter}");
            assert_eq!(parameter.in_stage(parameter.stage()), parameter);
            params.set(parameter, index as i32 % 9000);
        }
        for (index, &parameter) in all.iter().enumerate() {
            assert_eq!(params.get(parameter), index as i32 % 9000, "{parameter}");
        }
    }

    #[test]
    fn the_names_are_those_of_the_config() {
        let named = |text: &str| text.parse::<Parameter>().ok();
        for (text, parameter) in [
            ("squares[9]", Parameter::Squares(Stage::Opening, 9)),
            ("late.squares[0]", Parameter::Squares(Stage::Late, 0)),
            ("end.discs", Parameter::Discs(Stage::End)),
            ("mobility", Parameter::Term(Stage::Opening, 0)),
            ("middle.edges.wedges", Parameter::Term(Stage::Middle, 11)),
            (
                "tuples2[1][8]",
                Parameter::Tuple(Stage::Opening, Length::Two, 17),
            ),
            (
                "end.tuples4[20][80]",
                Parameter::Tuple(Stage::End, Length::Four, 1700),
            ),
        ] {
            assert_eq!(named(text), Some(parameter), "{text}");
        }
        for text in [
            "",
            "squares",
            "squares[]",
            "squares[10]",
            "squares[+1]",
            "squares[01]",
            "opening.discs",
            "late",
            "late.",
            "late.end.discs",
            "balanced",
            "edges",
            "edges.mobility",
            "edges.wedge",
            "tuples2[32][0]",
            "tuples2[0][9]",
            "tuples2[0]",
            "tuples5[0][0]",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn patterns_of_a_mirrored_tuple_have_an_image() {
        let named = |text: &str| text.parse::<Parameter>().unwrap();
        // d1 e1 is its own mirror image: find its class.
        let two = Length::Two.shape();
        let mut classes = 0..Length::Two.classes();
        let class = classes.find(|&class| two.name(Length::Two, class) == "d1 e1");
        let class = class.unwrap();
        let of = |pattern| named(&format!("late.tuples2[{class}][{pattern}]"));
        assert_eq!(of(1).mirrored(), Some(of(3)));
        assert_eq!(of(4).mirrored(), Some(of(4)));
        assert_eq!(named("tuples2[0][1]").mirrored(), None);
        assert_eq!(named("squares[0]").mirrored(), None);
    }
}
