//! Reads the text of the file into raw tables, one at a time, so that an error in one table does
//! not hide those in the others.

use std::ops::Range;

use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::de::{DeTable, DeValue};

use super::problem::{Problem, Problems, of_toml, unknown_key};
use super::values::{RawTable, Text};
use leitai_game::numbers::Preset;

/// The result of looking up a key.
#[derive(Debug)]
pub(super) enum KeyLookup<T> {
    /// The key is absent.
    Absent,
    /// The value has the wrong type; the problem has been reported.
    Broken,
    /// A value.
    Value(T),
}

impl<T> KeyLookup<T> {
    /// The value, if any.
    pub(super) fn value(self) -> Option<T> {
        match self {
            KeyLookup::Value(value) => Some(value),
            KeyLookup::Absent | KeyLookup::Broken => None,
        }
    }

    pub(super) fn is_absent(&self) -> bool {
        matches!(self, KeyLookup::Absent)
    }
}

/// A table whose keys are taken out one by one.
pub(super) struct Fields<'i> {
    table: DeTable<'i>,
    span: Range<usize>,
    /// The name of the table in messages.
    place: &'static str,
    known: Vec<&'static str>,
}

impl<'i> Fields<'i> {
    /// The whole document.
    pub(super) fn parse(text: &'i str) -> Result<Self, Problem> {
        let table = DeTable::parse(text).map_err(|error| of_toml(&error, 0..0, "the config"))?;
        Ok(Self {
            span: first_line(text),
            table: table.into_inner(),
            place: "the config",
            known: Vec::new(),
        })
    }

    /// The range that represents the whole table.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Takes the value of `key`; messages call it `place`.
    pub(super) fn take<T: DeserializeOwned>(
        &mut self,
        key: &'static str,
        place: &'static str,
        problems: &mut Problems,
    ) -> KeyLookup<T> {
        let Some(value) = self.raw(key) else {
            return KeyLookup::Absent;
        };
        let span = value.span();
        match T::deserialize(value.into_deserializer()) {
            Ok(value) => KeyLookup::Value(value),
            Err(error) => {
                of_toml(&error, span, place).report(problems);
                KeyLookup::Broken
            }
        }
    }

    /// Returns whether the value of `key` is a text.
    pub(super) fn is_text(&self, key: &str) -> bool {
        let value = self.table.get(key);
        value.is_some_and(|value| matches!(value.get_ref(), DeValue::String(_)))
    }

    /// Takes an array of tables.
    pub(super) fn tables(
        &mut self,
        key: &'static str,
        place: &'static str,
        problems: &mut Problems,
    ) -> KeyLookup<Vec<Fields<'i>>> {
        let Some(value) = self.raw(key) else {
            return KeyLookup::Absent;
        };
        let wrong = |span| {
            Problem::error(span, format!("`{key}` must be a list of tables"))
                .help(format!("write each one under a line of its own, {place}"))
        };
        let span = value.span();
        let DeValue::Array(values) = value.into_inner() else {
            problems.push(wrong(span));
            return KeyLookup::Broken;
        };
        let mut tables = Vec::new();
        for value in values {
            let span = value.span();
            match value.into_inner() {
                DeValue::Table(table) => tables.push(Fields {
                    table,
                    span,
                    place,
                    known: Vec::new(),
                }),
                _ => problems.push(wrong(span)),
            }
        }
        KeyLookup::Value(tables)
    }

    /// Discards the value of `key` unread.
    pub(super) fn skip(&mut self, key: &'static str) {
        self.raw(key);
    }

    /// Reports the remaining keys as unknown.
    pub(super) fn finish(self, problems: &mut Problems) {
        for key in self.table.keys() {
            unknown_key(key.span(), key.get_ref(), self.place, &self.known).report(problems);
        }
    }

    fn raw(&mut self, key: &'static str) -> Option<toml::Spanned<DeValue<'i>>> {
        self.known.push(key);
        self.table.remove(key)
    }
}

/// Reads the text of a preset.
pub(super) fn read_table(text: &str) -> Result<RawTable, Problem> {
    toml::from_str(text).map_err(|error| of_toml(&error, 0..0, "the preset"))
}

/// The first line with content.
fn first_line(text: &str) -> Range<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if !words.is_empty() && !words.starts_with('#') {
            return start..start + line.trim_end().len();
        }
        start += line.len();
    }
    0..0
}

/// Reads the named preset; reports a problem and returns `None` if it does not exist.
pub(super) fn named_preset<T>(
    name: &Text,
    presets: &[Preset],
    read: impl Fn(&str) -> Result<T, Problem>,
    problems: &mut Problems,
) -> Option<T> {
    let Some(preset) = Preset::find(presets, name.get_ref()) else {
        return Problem::error(name.span(), format!("unknown preset `{}`", name.get_ref()))
            .alternatives(name.get_ref(), presets.iter().map(|preset| preset.name))
            .refuse(problems);
    };
    read(preset.text)
        .map_err(|problem| {
            let message = format!("the preset is broken: {}", problem.message);
            Problem::error(name.span(), message).report(problems);
        })
        .ok()
}
