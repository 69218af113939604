//! A game's numbers in order, each with its path.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::declaration::{Declaration, Group, Key, Preset, Shape, Spelling, Stage};
use super::entry::Entry;

/// All numbers of a game's evaluation: first those that are the same in all stages, then the keys
/// of the groups stage by stage, each with its places in order.
#[derive(Debug)]
pub struct NumberTable {
    /// The game's name in configs.
    pub game: &'static str,
    /// The game's name in messages.
    pub title: &'static str,
    /// The name of the whole table in messages.
    pub subject: &'static str,
    /// True if the numbers of a search in
    /// [`SearchParams::ORDER_VALUES`](crate::search::SearchParams::ORDER_VALUES) have an effect.
    pub has_order_values: bool,
    /// The stages, the first one without a name.
    pub stages: Vec<Stage>,
    /// Parts that are omitted when values are written.
    pub spelling: Spelling,
    /// Values by name. A variant that names no preset starts from the first one.
    pub presets: &'static [Preset],
    /// The keys; those that are the same in all stages come first.
    pub keys: Vec<TableKey>,
    /// The groups; the first one holds all keys that are the same in all stages.
    pub groups: Vec<KeyGroup>,
    /// Count of numbers that are the same in all stages.
    constants: usize,
    /// Count of numbers in each stage.
    of_stage: usize,
}

/// A key of a table.
#[derive(Debug)]
pub struct TableKey {
    /// The declared key.
    pub key: Key,
    /// The name of its group.
    pub group: Option<&'static str>,
    /// True if it has its own numbers in every stage.
    pub is_staged: bool,
    /// The index of its first number, in the first stage.
    pub first: usize,
}

/// A group of keys of a table.
#[derive(Debug)]
pub struct KeyGroup {
    /// The name; `None` for keys without a group.
    pub name: Option<&'static str>,
    /// The things that each have one key in this group.
    pub per: Option<&'static str>,
    /// The indices of its keys.
    pub keys: Range<usize>,
}

/// A table is equal to itself alone.
impl PartialEq for NumberTable {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for NumberTable {}

impl Hash for NumberTable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.game.hash(state);
    }
}

impl TableKey {
    /// Its path without the stage, such as `material.rook`.
    pub fn path(&self) -> String {
        let name = self.key.setting.name;
        let path = self.group.map(|group| format!("{group}.{name}"));
        path.unwrap_or_else(|| name.to_owned())
    }
}

impl NumberTable {
    /// Builds the table that a game declares.
    pub fn new(declaration: Declaration) -> Self {
        let mut table = Self {
            game: declaration.game,
            title: declaration.title,
            subject: declaration.subject,
            has_order_values: declaration.has_order_values,
            stages: declaration.stages,
            spelling: declaration.spelling,
            presets: declaration.presets,
            keys: Vec::new(),
            groups: Vec::new(),
            constants: 0,
            of_stage: 0,
        };
        table.constants = table.add(Group::alone(declaration.constant), false);
        let groups = declaration.groups.into_iter();
        table.of_stage = groups.map(|group| table.add(group, true)).sum();
        table
    }

    /// The table of a game whose evaluation has these keys, each once for the whole game. A config
    /// gives their values or names a preset.
    pub fn from_keys(
        game: &'static str,
        title: &'static str,
        keys: Vec<Key>,
        presets: &'static [Preset],
    ) -> Self {
        Self::new(Declaration {
            game,
            title,
            subject: "the evaluation",
            has_order_values: false,
            stages: vec![Stage::first("game")],
            constant: Vec::new(),
            groups: vec![Group::alone(keys)],
            spelling: Spelling::Whole,
            presets,
        })
    }

    /// Adds a group and returns the count of its numbers.
    fn add(&mut self, group: Group, is_staged: bool) -> usize {
        let end = |keys: &[TableKey]| keys.last().map_or(0, |last| last.first + last.key.len());
        let (first_key, first) = (self.keys.len(), end(&self.keys));
        for key in group.keys {
            self.keys.push(TableKey {
                key,
                group: group.name,
                is_staged,
                first: end(&self.keys),
            });
        }
        self.groups.push(KeyGroup {
            name: group.name,
            per: group.per,
            keys: first_key..self.keys.len(),
        });
        end(&self.keys) - first
    }

    /// The count of numbers, including flags and choices.
    pub fn len(&self) -> usize {
        self.constants + self.stages.len() * self.of_stage
    }

    /// Returns whether there are no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether it is a plain list of independent settings: no groups, no later stages, no
    /// lists.
    pub fn is_plain(&self) -> bool {
        let is_one = |key: &TableKey| key.group.is_none() && matches!(key.key.shape, Shape::One);
        self.stages.len() == 1 && self.keys.iter().all(is_one)
    }

    /// All numbers in order, including flags and choices.
    pub fn entries(&'static self) -> impl Iterator<Item = Entry> {
        (0..self.len()).map(move |index| Entry::new(self, index))
    }

    /// All numbers that can be tuned, in order.
    pub fn numbers(&'static self) -> impl Iterator<Item = Entry> {
        self.entries().filter(Entry::is_number)
    }

    /// The number with this index; `None` from [`len`](NumberTable::len) on.
    pub fn entry(&'static self, index: usize) -> Option<Entry> {
        (index < self.len()).then(|| Entry::new(self, index))
    }

    /// The number with this path, such as `end.pst.horse[3][4]`.
    pub fn find(&'static self, path: &str) -> Option<Entry> {
        let later = path.split_once('.').and_then(|(name, rest)| {
            let mut stages = self.stages.iter();
            let stage = stages.position(|stage| stage.name == Some(name))?;
            Some((stage, rest))
        });
        let (stage, text) = later.unwrap_or((0, path));
        let at = text.find('[').unwrap_or(text.len());
        let (name, places) = text.split_at(at);
        let known = |key: &TableKey| (key.is_staged || stage == 0) && key.path() == name;
        let key = self.keys.iter().position(known)?;
        let place = place(&self.keys[key].key.shape, places)?;
        self.entry(self.index(stage, key, place))
    }

    /// The index of a number, given an existing stage, key and place.
    pub fn index(&self, stage: usize, key: usize, place: usize) -> usize {
        let key = &self.keys[key];
        let before = if key.is_staged {
            stage * self.of_stage
        } else {
            0
        };
        before + key.first + place
    }

    /// The indices of the numbers of a key in a stage.
    pub fn indices(&self, stage: usize, key: usize) -> Range<usize> {
        let first = self.index(stage, key, 0);
        first..first + self.keys[key].key.len()
    }

    /// Stage, key and place of an index.
    pub(super) fn spot(&self, index: usize) -> (usize, usize, usize) {
        let later = index.saturating_sub(self.constants);
        let stage = later.checked_div(self.of_stage).unwrap_or(0);
        let offset = index - stage * self.of_stage;
        let key = self.keys.partition_point(|key| key.first <= offset) - 1;
        (stage, key, offset - self.keys[key].first)
    }

    /// Returns whether the path names a flag or a choice.
    pub fn is_switch(&'static self, path: &str) -> bool {
        self.find(path).is_some_and(|entry| !entry.is_number())
    }

    /// Returns whether any number is summed with others to the value of a position.
    pub fn is_additive(&self) -> bool {
        self.keys.iter().any(|key| key.key.is_additive)
    }
}

/// The place that the last part of a path names.
fn place(shape: &Shape, text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    match (shape, inner) {
        (Shape::One, None) => text.is_empty().then_some(0),
        (Shape::List(names), Some(place)) => number(place, names.len()),
        (Shape::Grid { columns, names, .. }, Some(places)) => {
            let (row, column) = places.split_once("][")?;
            let row = number(row, names.len() / columns)?;
            Some(row * columns + number(column, *columns)?)
        }
        _ => None,
    }
}

/// Parses a number below `end` without redundant characters.
fn number(text: &str, end: usize) -> Option<usize> {
    let number: usize = text.parse().ok()?;
    (number < end && number.to_string() == text).then_some(number)
}
