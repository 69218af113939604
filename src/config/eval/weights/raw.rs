//! `eval` of a Xiangqi variant as typed. The keys are those of material and
//! squares, and the groups of terms that the evaluation has.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::config::raw::{Number, RawKinds, RawSquares, Text};
use crate::eval::xiangqi::Terms;
use crate::settings::Setting;

/// `eval` of a Xiangqi variant, and a preset of it
#[derive(Debug, Default)]
pub(in crate::config) struct RawXiangqiEval {
    pub(in crate::config::eval) preset: Option<Text>,
    pub(in crate::config::eval) tempo: Option<Number>,
    pub(in crate::config::eval) both: RawWeights,
    pub(in crate::config::eval) end: RawWeights,
}

/// The numbers of a phase.
#[derive(Debug, Default)]
pub(in crate::config::eval) struct RawWeights {
    pub(super) material: Option<RawKinds<Number>>,
    pub(super) pst: Option<RawKinds<RawSquares>>,
    /// Terms by their place in the list of all.
    pub(super) terms: Vec<(usize, Number)>,
}

/// What a key stands for.
enum Key {
    Preset,
    Tempo,
    End,
    Material,
    Pst,
    /// A group of terms: the place of its first one, and its list.
    Group(usize, &'static [Setting]),
}

/// The keys with their names; those of a phase alone, unless `whole`.
fn keys(whole: bool) -> Vec<(&'static str, Key)> {
    let mut keys = Vec::new();
    if whole {
        keys.extend([
            ("preset", Key::Preset),
            ("tempo", Key::Tempo),
            ("end", Key::End),
        ]);
    }
    keys.extend([("material", Key::Material), ("pst", Key::Pst)]);
    let mut first = 0;
    for (name, group) in Terms::default().groups() {
        keys.push((name, Key::Group(first, group.list())));
        first += group.list().len();
    }
    keys
}

/// Reads a name that must be one of those given.
struct Name<T>(Vec<(&'static str, T)>);

impl<'de, T> DeserializeSeed<'de> for Name<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<T> Visitor<'_> for Name<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    /// In the words in which derived readers complain.
    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let names: Vec<String> = self.0.iter().map(|(name, _)| format!("`{name}`")).collect();
        let found = self.0.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| value).ok_or_else(|| {
            let names = names.join(", ");
            E::custom(format!("unknown field `{text}`, expected one of {names}"))
        })
    }
}

/// Reads the weights of a group into a list.
struct Group<'a> {
    first: usize,
    list: &'static [Setting],
    into: &'a mut Vec<(usize, Number)>,
}

impl<'de> DeserializeSeed<'de> for Group<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Group<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a table of weights")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let names = || {
            Name(
                self.list
                    .iter()
                    .map(|term| term.name)
                    .zip(self.first..)
                    .collect(),
            )
        };
        while let Some(place) = map.next_key_seed(names())? {
            self.into.push((place, map.next_value()?));
        }
        Ok(())
    }
}

/// Reads a table of weights, which is the whole `eval` or `end` in it.
struct Table {
    whole: bool,
}

impl<'de> DeserializeSeed<'de> for Table {
    type Value = RawXiangqiEval;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Table {
    type Value = RawXiangqiEval;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawXiangqiEval, A::Error> {
        let mut raw = RawXiangqiEval::default();
        while let Some(key) = map.next_key_seed(Name(keys(self.whole)))? {
            match key {
                Key::Preset => raw.preset = Some(map.next_value()?),
                Key::Tempo => raw.tempo = Some(map.next_value()?),
                Key::End => raw.end = map.next_value_seed(Table { whole: false })?.both,
                Key::Material => raw.both.material = Some(map.next_value()?),
                Key::Pst => raw.both.pst = Some(map.next_value()?),
                Key::Group(first, list) => map.next_value_seed(Group {
                    first,
                    list,
                    into: &mut raw.both.terms,
                })?,
            }
        }
        Ok(raw)
    }
}

impl<'de> Deserialize<'de> for RawXiangqiEval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Table { whole: true }.deserialize(deserializer)
    }
}
