//! One number of a table.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::declaration::{Key, Shape, Useless};
use super::table::{NumberTable, TableKey};
use leitai_base::settings::Kind;

/// One number of a table, or a flag or choice of it. Numbers of two tables are never
/// equal.
///
/// Its path is that of a config within `eval`: `material.rook`, `squares[0]`,
/// `end.pst.horse[3][4]` (row and column). While a config's `material.rook` speaks of all
/// stages unless one is said too, the number of that path is the first stage's alone.
#[derive(Clone, Copy)]
pub struct Entry {
    table: &'static NumberTable,
    index: usize,
}

impl Entry {
    /// `index` is below the table's length.
    pub(super) const fn new(table: &'static NumberTable, index: usize) -> Self {
        Self { table, index }
    }

    /// The table that it belongs to.
    pub const fn table(self) -> &'static NumberTable {
        self.table
    }

    /// Its place among all numbers of the table.
    pub const fn index(self) -> usize {
        self.index
    }

    /// The stage by its place, 0 of a number that is the same in all, and the key by its
    /// place in the table.
    pub fn stage_and_key(self) -> (usize, usize) {
        let (stage, key, _) = self.table.spot(self.index);
        (stage, key)
    }

    fn table_key(self) -> (&'static TableKey, usize) {
        let (_, key, place) = self.table.spot(self.index);
        (&self.table.keys[key], place)
    }

    /// What is said of it and of all others of its list or table.
    pub fn key(self) -> &'static Key {
        &self.table_key().0.key
    }

    /// The path.
    pub fn path(self) -> String {
        self.to_string()
    }

    /// Whether it is a number that can be tuned, and no flag or choice.
    pub fn is_number(&self) -> bool {
        matches!(self.key().setting.kind, Kind::Number { .. })
    }

    /// The least and the greatest value.
    pub fn range(self) -> (i64, i64) {
        self.key().setting.kind.range()
    }

    /// The name of its place in a list or table; `None` of a single number.
    pub fn place_name(self) -> Option<&'static str> {
        let (key, place) = self.table_key();
        key.key.place_name(place)
    }

    /// The number that a symmetry of the board makes the same, which may be itself.
    pub fn mirrored(self) -> Option<Entry> {
        let (key, place) = self.table_key();
        let image = key.key.mirror.get(place).copied().flatten()?;
        self.table.entry(self.index - place + image)
    }

    /// The same number in each later stage of the game, in order, of one in the first;
    /// none of one in a later stage, or of one that has no stages.
    pub fn later_stages(self) -> Vec<Entry> {
        let (stage, key, place) = self.table.spot(self.index);
        if stage > 0 || !self.table.keys[key].is_staged {
            return Vec::new();
        }
        let later = (1..self.table.stages.len()).map(|stage| self.table.index(stage, key, place));
        later.map(|index| Entry::new(self.table, index)).collect()
    }

    /// The first stage's number, of a later one's.
    pub fn in_the_first_stage(self) -> Option<Entry> {
        let (stage, key, place) = self.table.spot(self.index);
        let first = self.table.index(0, key, place);
        (stage > 0).then(|| Entry::new(self.table, first))
    }

    /// Why it can never matter, if so.
    pub fn useless(self) -> Option<Useless> {
        let (key, place) = self.table_key();
        let (why, places) = key.key.useless.as_ref()?;
        places.contains(&place).then_some(*why)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.table, other.table) && self.index == other.index
    }
}

impl Eq for Entry {}

impl Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
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
