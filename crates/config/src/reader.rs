//! Reads the text of the file into raw tables, one at a time, so that an error in one table does
//! not hide those in the others.

use std::marker::PhantomData;
use std::ops::Range;

use super::form::Spanned;
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer};
use toml::de::{DeTable, DeValue, Error};

use super::problem::{Problem, Problems};

/// The result of looking up a key.
#[derive(Debug)]
pub(super) enum Found<T> {
    /// The key is absent.
    Absent,
    /// The value has the wrong type; the problem has been reported.
    Broken,
    /// A value.
    Value(T),
}

impl<T> Found<T> {
    /// The value, if any.
    pub(super) fn value(self) -> Option<T> {
        match self {
            Found::Value(value) => Some(value),
            Found::Absent | Found::Broken => None,
        }
    }

    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Found::Absent)
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
        let table = DeTable::parse(text).map_err(|error| problem(&error, 0..0, "the config"))?;
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
    ) -> Found<T> {
        match self.take_by(PhantomData::<T>, key, place, problems) {
            Found::Value(value) => Found::Value(value.into_inner()),
            Found::Absent => Found::Absent,
            Found::Broken => Found::Broken,
        }
    }

    /// Takes the value of `key` with this deserializer.
    pub(super) fn take_by<T>(
        &mut self,
        way: impl for<'de> DeserializeSeed<'de, Value = T>,
        key: &'static str,
        place: &'static str,
        problems: &mut Problems,
    ) -> Found<Spanned<T>> {
        let Some(value) = self.raw(key) else {
            return Found::Absent;
        };
        let span = value.span();
        match way.deserialize(value.into_deserializer()) {
            Ok(value) => Found::Value(Spanned::new(span, value)),
            Err(error) => {
                problem(&error, span, place).report(problems);
                Found::Broken
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
    ) -> Found<Vec<Fields<'i>>> {
        let Some(value) = self.raw(key) else {
            return Found::Absent;
        };
        let wrong = |span| {
            Problem::error(span, format!("`{key}` must be a list of tables"))
                .help(format!("write each one under a line of its own, {place}"))
        };
        let span = value.span();
        let DeValue::Array(values) = value.into_inner() else {
            problems.push(wrong(span));
            return Found::Broken;
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
        Found::Value(tables)
    }

    /// Discards the value of `key` unread.
    pub(super) fn skip(&mut self, key: &'static str) {
        self.raw(key);
    }

    /// Removes a key of the table `table` unread; returns the position of its value.
    pub(super) fn remove_from(&mut self, table: &str, key: &str) -> Option<Range<usize>> {
        let DeValue::Table(table) = self.table.get_mut(table)?.get_mut() else {
            return None;
        };
        table.remove(key).map(|value| value.span())
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

/// Position of the value under these keys, or of the table that would contain it. A key after an
/// array of tables is the `name` of one of them.
pub(super) fn place(text: &str, keys: &[&str]) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let mut value = DeValue::Table(table.into_inner());
    let mut found = None;
    for key in keys {
        let next = match value {
            DeValue::Table(mut table) => table.remove(*key),
            DeValue::Array(tables) => tables.into_iter().find(|table| {
                let name = match table.get_ref() {
                    DeValue::Table(table) => table.get("name"),
                    _ => None,
                };
                let name = name.and_then(|name| name.get_ref().as_str());
                name == Some(*key)
            }),
            _ => None,
        };
        let Some(next) = next else { break };
        found = Some(next.span().start);
        value = next.into_inner();
    }
    found
}

/// Reads a whole text as one raw table.
pub(super) fn read_table<'i, W: DeserializeSeed<'i>>(
    text: &'i str,
    way: W,
) -> Result<W::Value, Problem> {
    let read = toml::Deserializer::parse(text).and_then(|table| way.deserialize(table));
    read.map_err(|error| problem(&error, 0..0, "the preset"))
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

pub(super) fn unknown_key(span: Range<usize>, key: &str, place: &str, known: &[&str]) -> Problem {
    Problem::error(span, format!("unknown key `{key}` in {place}"))
        .label("not a key here")
        .alternatives(key, known.iter().copied())
}

/// The error for a value of the wrong type.
pub(super) fn wrong_type(span: Range<usize>, place: &str, expected: &str, found: &str) -> Problem {
    Problem::error(span, format!("wrong type in {place}"))
        .label(format!("expected {expected}, found {found}"))
        .help(format!("put {expected} in its place"))
}

/// Rewords an error of the TOML reader.
fn problem(error: &Error, whole: Range<usize>, place: &str) -> Problem {
    let span = error.span().unwrap_or(whole);
    let message = error.message();
    if let Some(rest) = message.strip_prefix("unknown field ") {
        // "`key`, expected one of `a`, `b`": the names are between backticks.
        let names: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
        if let Some((key, known)) = names.split_first() {
            return unknown_key(span, key, place, known);
        }
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return Problem::error(span, format!("missing key {rest} in {place}"));
    }
    let wrong = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "));
    if let Some((found, expected)) = wrong.and_then(|rest| rest.rsplit_once(", expected ")) {
        let expected = match expected {
            "i64" => "a whole number",
            "f64" => "a number",
            "a boolean" => "`true` or `false`",
            "a sequence" => "a list `[...]`",
            other => other,
        };
        let found = found
            .trim_end_matches(" as i128")
            .trim_end_matches(" as u128");
        return wrong_type(span, place, expected, found);
    }
    Problem::error(span, message.replace('\n', "; "))
}
