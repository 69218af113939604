//! `eval` of a Xiangqi variant as typed. The keys are those of material and
//! squares, and the groups of terms that the evaluation has.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use crate::config::eval::names::{Group, Name};
use crate::config::raw::{Number, RawKinds, RawSquares, Text};
use crate::games::xiangqi::eval::Terms;
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
