//! One number of a table.

use std::fmt;

use super::declaration::{Key, Shape, Useless};
use super::table::{NumberTable, TableKey};
use leitai_base::settings::Kind;

/// One number, flag or choice of a table. Entries of two tables are never equal.
///
/// Its path is the path of the config key within `eval`: `material.rook`, `squares[0]`,
/// `end.pst.horse[3][4]` (row and column). In a config, `material.rook` sets all stages that have
/// no value of their own; as the path of an entry, it means the number of the first stage only.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    table: &'static NumberTable,
    index: usize,
}

impl Entry {
    /// `index` is below the table's length.
    pub(super) const fn new(table: &'static NumberTable, index: usize) -> Self {
        Self { table, index }
    }

    /// The table that contains it.
    pub const fn table(self) -> &'static NumberTable {
        self.table
    }

    /// Its index among all numbers of the table.
    pub const fn index(self) -> usize {
        self.index
    }

    /// The index of its stage (0 for a number that is the same in all) and the index of its key in
    /// the table.
    pub fn stage_and_key(self) -> (usize, usize) {
        let (stage, key, _) = self.table.spot(self.index);
        (stage, key)
    }

    fn table_key(self) -> (&'static TableKey, usize) {
        let (_, key, place) = self.table.spot(self.index);
        (&self.table.keys[key], place)
    }

    /// The key that it belongs to, with all other numbers of its list or table.
    pub fn key(self) -> &'static Key {
        &self.table_key().0.key
    }

    /// Its path.
    pub fn path(self) -> String {
        self.to_string()
    }

    /// Returns whether it can be tuned; flags and choices cannot.
    pub fn is_number(&self) -> bool {
        matches!(self.key().setting.kind, Kind::Number { .. })
    }

    /// The lowest and highest allowed value.
    pub fn range(self) -> (i64, i64) {
        self.key().setting.kind.range()
    }

    /// The name of its place in a list or table; `None` for a single number.
    pub fn place_name(self) -> Option<&'static str> {
        let (key, place) = self.table_key();
        key.key.place_name(place)
    }

    /// The number that should be equal by a symmetry of the board; may be the number itself.
    pub fn mirrored(self) -> Option<Entry> {
        let (key, place) = self.table_key();
        let image = key.key.mirror.get(place).copied().flatten()?;
        self.table.entry(self.index - place + image)
    }

    /// The same number in each later stage of the game, in order. Empty for a number of a later
    /// stage, or one without stages.
    pub fn in_later_stages(self) -> Vec<Entry> {
        let (stage, key, place) = self.table.spot(self.index);
        if stage > 0 || !self.table.keys[key].is_staged {
            return Vec::new();
        }
        let later = (1..self.table.stages.len()).map(|stage| self.table.index(stage, key, place));
        later.map(|index| Entry::new(self.table, index)).collect()
    }

    /// The same number in the first stage.
    pub fn first_stage(self) -> Option<Entry> {
        let (stage, key, place) = self.table.spot(self.index);
        let first = self.table.index(0, key, place);
        (stage > 0).then(|| Entry::new(self.table, first))
    }

    /// The reason why it can never matter, if there is one.
    pub fn useless(self) -> Option<Useless> {
        let (key, place) = self.table_key();
        let (why, places) = key.key.useless.as_ref()?;
        places.contains(&place).then_some(*why)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stage, key, place) = self.table.spot(self.index);
        let key = &self.table.keys[key];
        if let Some(stage) = self.table.stages.get(stage).and_then(|stage| stage.name) {
            write!(f, "{stage}.")?;
        }
        f.write_str(&key.path())?;
        match key.key.shape {
            Shape::One => Ok(()),
            Shape::List(_) => write!(f, "[{place}]"),
            Shape::Grid { columns, .. } => write!(f, "[{}][{}]", place / columns, place % columns),
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({}: {self})", self.table.game)
    }
}
