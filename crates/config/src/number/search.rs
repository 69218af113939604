//! The numbers of a search.

use std::fmt;

use leitai_base::settings::{Kind, Setting, Settings};
use leitai_game::numbers::{NumberTable, Useless};
use leitai_game::search::SearchParams;

/// A numeric setting of the search or of one of its groups, identified by indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchNumber {
    /// The index and the name of its group.
    pub group: Option<(usize, &'static str)>,
    place: usize,
    /// The setting.
    pub setting: Setting,
}

impl SearchNumber {
    /// All numbers of all groups, including disabled ones.
    pub(crate) fn all() -> Vec<SearchNumber> {
        let settings = Self::settings().into_iter();
        settings.filter(Self::is_number).collect()
    }

    fn is_number(&self) -> bool {
        matches!(self.setting.kind, Kind::Number { .. })
    }

    /// Returns whether a search can use the number in the game with this evaluation table.
    pub fn is_used_with(&self, table: &NumberTable) -> bool {
        let is_order = |(_, group)| SearchParams::ORDER_VALUES.contains(&group);
        table.has_order_values || !self.group.is_some_and(is_order)
    }

    /// The reason why it has no effect with the other settings; `None` if it may have one.
    pub(crate) fn useless_in(&self, params: &SearchParams) -> Option<Useless> {
        params.useless_group(self.group?.1)
    }

    /// All settings, including flags and choices.
    pub fn settings() -> Vec<SearchNumber> {
        let mut usual = SearchParams::default();
        let of = |group, list: &'static [Setting]| {
            list.iter()
                .enumerate()
                .map(move |(place, &setting)| SearchNumber {
                    group,
                    place,
                    setting,
                })
        };
        let mut all: Vec<SearchNumber> = of(None, usual.list()).collect();
        for (at, (name, group)) in usual.groups().iter().enumerate() {
            all.extend(of(Some((at, *name)), group.list()));
        }
        all
    }

    /// The setting of that name in the search itself, or in the group with that index.
    pub(crate) fn find(group: Option<usize>, name: &str) -> Option<SearchNumber> {
        let is_there = |it: &SearchNumber| it.group.map(|(at, _)| at) == group;
        let mut all = Self::settings().into_iter().filter(is_there);
        all.find(|it| it.setting.name == name)
    }

    /// The number of that name, such as `null_move.reduction`.
    pub(super) fn parse(name: &str) -> Option<SearchNumber> {
        let mut all = Self::all().into_iter();
        all.find(|number| number.to_string() == name)
    }

    /// Returns whether that name is a flag or a choice.
    pub(crate) fn is_other(name: &str) -> bool {
        let mut all = Self::settings().into_iter();
        all.any(|number| number.to_string() == name && !number.is_number())
    }

    /// The minimum and the maximum.
    pub(super) const fn range(&self) -> (i64, i64) {
        self.setting.kind.range()
    }

    /// The value; `None` if its group is off.
    pub fn get(&self, params: &SearchParams) -> Option<i64> {
        let Some((at, _)) = self.group else {
            return Some(params.get(self.place));
        };
        let mut params = params.clone();
        let mut groups = params.groups();
        let settings = groups.get_mut(at)?.1.settings()?;
        Some(settings.get(self.place))
    }

    /// Sets the value, unless its group is off.
    pub fn set(&self, params: &mut SearchParams, value: i64) {
        let Some((at, _)) = self.group else {
            params.set(self.place, value);
            return;
        };
        let mut groups = params.groups();
        if let Some(settings) = groups.get_mut(at).and_then(|(_, it)| it.settings()) {
            settings.set(self.place, value);
        }
    }
}

impl fmt::Display for SearchNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, group)) = self.group {
            write!(f, "{group}.")?;
        }
        f.write_str(self.setting.name)
    }
}
