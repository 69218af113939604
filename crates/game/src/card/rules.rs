//! The rules of any game: named settings with their values.

use serde::{Serialize, Serializer};

use leitai_base::settings::{Setting, SettingValue, Settings};

/// Maximum number of configurable rules in one game.
const MAX: usize = 16;

/// The configurable rules of a game and their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    list: &'static [Setting],
    values: [i64; MAX],
}

impl Rules {
    /// Converts the game's own `rules` type. A game has at most 16.
    pub fn of(rules: &impl Settings) -> Self {
        let list = rules.list();
        let list = &list[..list.len().min(MAX)];
        let values = std::array::from_fn(|place| rules.get(place));
        Self { list, values }
    }

    /// Converts to the game's own type; the default rules if these are of another game.
    pub fn typed<R: Settings + Default>(&self) -> R {
        let mut rules = R::default();
        if !rules.list().starts_with(self.list) {
            return rules;
        }
        for (place, &value) in self.values.iter().enumerate().take(self.list.len()) {
            rules.set(place, value);
        }
        rules
    }
}

impl Settings for Rules {
    fn list(&self) -> &'static [Setting] {
        self.list
    }

    fn get(&self, place: usize) -> i64 {
        self.values.get(place).copied().unwrap_or(0)
    }

    fn set(&mut self, place: usize, number: i64) {
        if let (Some(setting), Some(value)) = (self.list.get(place), self.values.get_mut(place))
            && setting.kind.holds(number)
        {
            *value = number;
        }
    }
}

impl Serialize for Rules {
    /// Writes the rules by name: numbers, `true` or `false`, and names of choices.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = self.list.iter().zip(&self.values);
        serializer.collect_map(
            rules.map(|(setting, &value)| (setting.name, SettingValue(setting.kind, value))),
        )
    }
}
