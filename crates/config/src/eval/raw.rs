//! `eval` of a variant as typed. The valid keys are those of the game's table.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::form::Spanned;
use crate::raw::{Number, Text};
use crate::search::Raw;
use leitai_base::count::quoted;
use leitai_base::settings::Kind;
use leitai_game::numbers::{KeyGroup, NumberTable, Shape, Spelling};

/// `eval` of a variant, and its preset.
#[derive(Debug)]
pub(crate) enum RawEval {
    /// Any keys, checked one by one later.
    Settings(Settings),
    /// Keys of the game's table.
    Keys {
        preset: Option<Text>,
        said: Vec<Said>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a table")]
pub(crate) struct Settings(pub(super) BTreeMap<Text, Spanned<Raw>>);

/// A typed setting.
#[derive(Debug)]
pub(crate) struct Said {
    /// `None` for all stages.
    pub(super) stage: Option<usize>,
    pub(super) key: usize,
    pub(super) value: Value,
}

pub(super) type RawSquares = Spanned<Vec<Spanned<Vec<Number>>>>;

/// A value in the form of the key.
#[derive(Debug)]
pub(super) enum Value {
    One(Number),
    /// A flag or a choice.
    Setting(Spanned<Raw>),
    List(Spanned<Vec<Spanned<Cell>>>),
    Grid(RawSquares),
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

/// Reads the `eval` of the game with this table.
#[derive(Clone, Copy)]
pub(crate) struct EvalReader(pub(crate) &'static NumberTable);

impl<'de> DeserializeSeed<'de> for EvalReader {
    type Value = RawEval;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawEval, D::Error> {
        if self.0.is_plain() {
            return Settings::deserialize(deserializer).map(RawEval::Settings);
        }
        let mut words = Words {
            table: self.0,
            stage: None,
            preset: None,
            said: Vec::new(),
        };
        words.table(None).deserialize(deserializer)?;
        let Words { preset, said, .. } = words;
        Ok(RawEval::Keys { preset, said })
    }
}

/// The settings read so far, and the stage being read.
struct Words {
    table: &'static NumberTable,
    stage: Option<usize>,
    preset: Option<Text>,
    said: Vec<Said>,
}

/// The meaning of a name.
#[derive(Clone, Copy)]
enum Name {
    Preset,
    Stage(usize),
    Key(usize),
    Group(&'static KeyGroup),
}

impl Words {
    /// The names of the whole `eval`, or of a stage in it.
    fn names(&self) -> Vec<(&'static str, Name)> {
        let table = self.table;
        let (constant, staged) = table.groups.split_at(1);
        let of = |group: &'static KeyGroup| match group.name {
            Some(name) => vec![(name, Name::Group(group))],
            None => keys(table, &group.keys),
        };
        let staged = staged.iter().flat_map(of);
        if self.stage.is_some() {
            return staged.collect();
        }
        let stages = table.stages.iter().enumerate();
        let stages = stages.filter_map(|(place, stage)| Some((stage.name?, Name::Stage(place))));
        let first = std::iter::once(("preset", Name::Preset)).chain(constant.iter().flat_map(of));
        match table.spelling {
            Spelling::Whole => first.chain(stages).chain(staged).collect(),
            Spelling::Sparse => first.chain(staged).chain(stages).collect(),
        }
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, name: Name, map: &mut A) -> Result<(), A::Error> {
        match name {
            Name::Preset => self.preset = Some(map.next_value()?),
            Name::Stage(stage) => {
                self.stage = Some(stage);
                map.next_value_seed(self.table(None))?;
                self.stage = None;
            }
            Name::Group(group) => map.next_value_seed(self.table(Some(group)))?,
            Name::Key(key) => self.said.push(Said {
                stage: self.stage,
                key,
                value: map.next_value_seed(self.shape(key))?,
            }),
        }
        Ok(())
    }

    fn table(&mut self, group: Option<&'static KeyGroup>) -> Table<'_> {
        Table { words: self, group }
    }

    fn shape(&self, key: usize) -> Form {
        let key = &self.table.keys[key].key;
        Form {
            shape: &key.shape,
            kind: key.setting.kind,
        }
    }
}

/// The names of keys.
fn keys(table: &'static NumberTable, keys: &Range<usize>) -> Vec<(&'static str, Name)> {
    let names = keys.clone();
    let names = names.map(|key| (table.keys[key].key.setting.name, Name::Key(key)));
    names.collect()
}

/// Reads a group of keys, or the whole `eval` or a stage in it.
struct Table<'w> {
    pub words: &'w mut Words,
    group: Option<&'static KeyGroup>,
}

impl<'de> DeserializeSeed<'de> for Table<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.group {
            Some(_) => deserializer.deserialize_any(self),
            None => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for Table<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group.map(|group| group.per) {
            Some(Some(per)) => write!(formatter, "a table with the names of {per} as keys"),
            Some(None) => formatter.write_str("a table of weights"),
            None => formatter.write_str("a table"),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let names = match self.group {
            Some(group) => keys(self.words.table, &group.keys),
            None => self.words.names(),
        };
        while let Some(name) = map.next_key_seed(OneOf(names.clone()))? {
            self.words.read(name, &mut map)?;
        }
        Ok(())
    }

    /// Reads the keys' values in order, as the resolved form has them.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some(group) = self.group.filter(|group| group.per.is_some()) else {
            let found = serde::de::Unexpected::Seq;
            return Err(A::Error::invalid_type(found, &self));
        };
        for (count, key) in group.keys.clone().enumerate() {
            let form = self.words.shape(key);
            let Some(value) = list.next_element_seed(form)? else {
                return Err(A::Error::invalid_length(count, &self));
            };
            let stage = self.words.stage;
            self.words.said.push(Said { stage, key, value });
        }
        Ok(())
    }
}

/// Reads a value in the form of a key.
#[derive(Clone, Copy)]
struct Form {
    shape: &'static Shape,
    kind: Kind,
}

impl<'de> DeserializeSeed<'de> for Form {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match (self.shape, self.kind) {
            (Shape::One, Kind::Number { .. }) => Number::deserialize(deserializer).map(Value::One),
            (Shape::One, _) => Spanned::deserialize(deserializer).map(Value::Setting),
            (Shape::List(_), _) => Spanned::deserialize(deserializer).map(Value::List),
            (Shape::Grid { .. }, _) => Spanned::deserialize(deserializer).map(Value::Grid),
        }
    }
}

/// Reads one of these names.
struct OneOf(Vec<(&'static str, Name)>);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = Name;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Name, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = Name;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    /// Uses the wording of serde's derived readers.
    fn visit_str<E: Error>(self, text: &str) -> Result<Name, E> {
        let names = quoted(self.0.iter().map(|(name, _)| name));
        let found = self.0.into_iter().find(|(name, _)| *name == text);
        found
            .map(|(_, value)| value)
            .ok_or_else(|| E::custom(format!("unknown field `{text}`, expected one of {names}")))
    }
}
