//! Reading of tables whose keys are known from lists of settings.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::config::raw::Number;
use crate::settings::Setting;

/// Reads a name that must be one of those given.
pub(super) struct Name<T>(pub(super) Vec<(&'static str, T)>);

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
pub(super) struct Group<'a> {
    pub(super) first: usize,
    pub(super) list: &'static [Setting],
    pub(super) into: &'a mut Vec<(usize, Number)>,
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
