//! `eval` of an Othello variant as typed. The keys are those of squares and discs,
//! the terms that the evaluation has, and its tuples.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::config::eval::names::{Group, Name};
use crate::config::raw::{Number, RawSquares, Text};
use crate::games::othello::eval::{Length, Stage, Terms};
use crate::settings::{Setting, Settings};

/// `eval` of an Othello variant, and a preset of it
#[derive(Debug, Default)]
pub(in crate::config) struct RawOthelloEval {
    pub(super) preset: Option<Text>,
    pub(super) all: RawWeights,
    /// What is said of single stages, in the order of the text.
    pub(super) stages: Vec<(Stage, RawWeights)>,
}

/// The numbers of a stage.
#[derive(Debug, Default)]
pub(super) struct RawWeights {
    pub(super) squares: Option<Spanned<Vec<Spanned<Cell>>>>,
    pub(super) discs: Option<Number>,
    /// Terms by their place in the list of all.
    pub(super) terms: Vec<(usize, Number)>,
    pub(super) tuples: Vec<(Length, RawSquares)>,
}

/// A number of a list, or a row of a table.
#[derive(Debug)]
pub(super) enum Cell {
    Number(i64),
    Row(Vec<Number>),
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellReader)
    }
}

struct CellReader;

impl<'de> Visitor<'de> for CellReader {
    type Value = Cell;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number or a row of them")
    }

    fn visit_i64<E>(self, number: i64) -> Result<Cell, E> {
        Ok(Cell::Number(number))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<Cell, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = row.next_element()? {
            numbers.push(number);
        }
        Ok(Cell::Row(numbers))
    }
}

/// What a key stands for.
enum Key {
    Preset,
    Stage(Stage),
    Squares,
    Discs,
    /// A term by its place.
    Term(usize),
    /// A group of terms: the place of its first one, and its list.
    Group(usize, &'static [Setting]),
    Tuples(Length),
}

/// The keys with their names; those of a stage alone, unless `whole`.
fn keys(whole: bool) -> Vec<(&'static str, Key)> {
    let mut keys = Vec::new();
    if whole {
        keys.push(("preset", Key::Preset));
    }
    keys.extend([("squares", Key::Squares), ("discs", Key::Discs)]);
    let none = Terms::default();
    let alone = Settings::list(&none);
    let terms = alone.iter().zip(0..);
    keys.extend(terms.map(|(term, place)| (term.name, Key::Term(place))));
    let mut first = alone.len();
    for (name, group) in none.groups() {
        keys.push((name, Key::Group(first, group.list())));
        first += group.list().len();
    }
    keys.extend(Length::ALL.map(|length| (length.name(), Key::Tuples(length))));
    if whole {
        let named = |stage: Stage| Some((stage.name()?, Key::Stage(stage)));
        keys.extend(Stage::ALL.into_iter().filter_map(named));
    }
    keys
}

/// Reads a table of weights, which is the whole `eval` or one of a stage in it.
struct Table {
    whole: bool,
}

impl<'de> DeserializeSeed<'de> for Table {
    type Value = RawOthelloEval;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Table {
    type Value = RawOthelloEval;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawOthelloEval, A::Error> {
        let mut raw = RawOthelloEval::default();
        while let Some(key) = map.next_key_seed(Name(keys(self.whole)))? {
            match key {
                Key::Preset => raw.preset = Some(map.next_value()?),
                Key::Stage(stage) => {
                    let weights = map.next_value_seed(Table { whole: false })?.all;
                    raw.stages.push((stage, weights));
                }
                Key::Squares => raw.all.squares = Some(map.next_value()?),
                Key::Discs => raw.all.discs = Some(map.next_value()?),
                Key::Term(place) => raw.all.terms.push((place, map.next_value()?)),
                Key::Group(first, list) => map.next_value_seed(Group {
                    first,
                    list,
                    into: &mut raw.all.terms,
                })?,
                Key::Tuples(length) => raw.all.tuples.push((length, map.next_value()?)),
            }
        }
        Ok(raw)
    }
}

impl<'de> Deserialize<'de> for RawOthelloEval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Table { whole: true }.deserialize(deserializer)
    }
}
