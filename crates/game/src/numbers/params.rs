//! Values of a table's numbers, and their form when written resolved.

use std::fmt;

use serde::{Serialize, Serializer};

use super::declaration::{Key, Shape, Spelling};
use super::entry::Entry;
use super::table::{NumberTable, TableKey};
use leitai_base::settings::SettingValue;

/// The numbers of an evaluation: a value for each entry of the game's table.
#[derive(Clone, PartialEq, Eq)]
pub struct EvalParams {
    table: &'static NumberTable,
    values: Box<[i64]>,
}

impl EvalParams {
    /// The default values of the keys: all 0 in a game whose values are in presets, as those of
    /// Leitai are (`config::eval_preset` reads presets).
    pub fn defaults(table: &'static NumberTable) -> Self {
        let values = table.entries().map(|entry| entry.key().usual);
        Self {
            table,
            values: values.collect(),
        }
    }

    /// These values in the order of the table, each moved into its range; the remaining numbers keep
    /// their default values.
    pub fn new(table: &'static NumberTable, values: impl IntoIterator<Item = i64>) -> Self {
        let mut params = Self::defaults(table);
        let entries = table.entries().zip(params.values.iter_mut());
        for ((entry, value), given) in entries.zip(values) {
            let (least, most) = entry.range();
            *value = given.clamp(least, most);
        }
        params
    }

    /// The table of the values.
    pub const fn table(&self) -> &'static NumberTable {
        self.table
    }

    /// The values in the order of the table; `None` if they belong to another table.
    pub fn values_of(&self, table: &'static NumberTable) -> Option<&[i64]> {
        (self.table == table).then_some(&*self.values)
    }

    /// The values in the order of the table.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The value of a number; `None` if it belongs to another table.
    pub fn get(&self, entry: Entry) -> Option<i64> {
        self.values_of(entry.table())?.get(entry.index()).copied()
    }

    /// Sets the value of a number. Returns false without a change if the number belongs to another
    /// table or the value is out of its range.
    pub fn set(&mut self, entry: Entry, value: i64) -> bool {
        let fits = self.get(entry).is_some() && entry.key().setting.kind.holds(value);
        if fits && let Some(own) = self.values.get_mut(entry.index()) {
            *own = value;
        }
        fits
    }

    /// The values of a key in a stage, by place.
    ///
    /// # Panics
    /// The table has no such stage or key.
    pub fn values_at(&self, stage: usize, key: usize) -> &[i64] {
        &self.values[self.table.indices(stage, key)]
    }
}

impl fmt::Debug for EvalParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).unwrap_or_default();
        f.write_str(&text)
    }
}

impl Serialize for EvalParams {
    /// Writes the values under the game's name, in the table's spelling.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = self.written(0);
        for (stage, it) in self.table.stages.iter().enumerate() {
            let is_same = |key: usize| self.values_at(0, key) == self.values_at(stage, key);
            let is_left_out = self.is_sparse() && (0..self.table.keys.len()).all(is_same);
            if let Some(name) = it.name
                && !is_left_out
            {
                all.push((name.to_owned(), Written::Table(self.written(stage))));
            }
        }
        let all = Written::Table(all);
        serializer.serialize_newtype_variant("EvalParams", 0, self.table.game, &all)
    }
}

/// A part of the written values.
enum Written {
    Table(Vec<(String, Written)>),
    List(Vec<Written>),
    One(SettingValue),
}

impl EvalParams {
    fn is_sparse(&self) -> bool {
        self.table.spelling == Spelling::Sparse
    }

    /// The written values of a stage; the first stage includes the numbers that are the same in
    /// all.
    fn written(&self, stage: usize) -> Vec<(String, Written)> {
        let mut written = Vec::new();
        for group in &self.table.groups {
            let keys = group.keys.clone();
            let keys = keys.map(|key| (&self.table.keys[key], self.values_at(stage, key)));
            let name = group.name.filter(|_| !self.is_sparse()).map(str::to_owned);
            match (name, group.per) {
                (Some(name), Some(_)) => {
                    let list = keys.map(|(key, values)| of_key(&key.key, values));
                    written.push((name, Written::List(list.collect())));
                }
                (Some(name), None) => {
                    let own = |key: &TableKey| key.key.setting.name.to_owned();
                    let table = keys.map(|(key, values)| (own(key), of_key(&key.key, values)));
                    written.push((name, Written::Table(table.collect())));
                }
                (None, _) => {
                    let said = keys.filter(|(key, values)| {
                        let is_usual = values.iter().all(|value| *value == key.key.usual);
                        let is_left_out =
                            self.is_sparse() && is_usual && !key.key.is_always_written;
                        (key.is_staged || stage == 0) && !is_left_out
                    });
                    let said = said.map(|(key, values)| (key.path(), of_key(&key.key, values)));
                    written.extend(said);
                }
            }
        }
        written
    }
}

fn of_key(key: &Key, values: &[i64]) -> Written {
    let one = |value: &i64| Written::One(SettingValue(key.setting.kind, *value));
    let row = |values: &[i64]| Written::List(values.iter().map(one).collect());
    match key.shape {
        Shape::One => one(values.first().unwrap_or(&key.usual)),
        Shape::List(_) => row(values),
        Shape::Grid { columns, .. } => Written::List(values.chunks(columns).map(row).collect()),
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Written::Table(entries) => {
                serializer.collect_map(entries.iter().map(|(name, value)| (name, value)))
            }
            Written::List(list) => serializer.collect_seq(list),
            Written::One(value) => value.serialize(serializer),
        }
    }
}
