//! A search as typed: later checks judge its keys and types.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::form::Spanned;
use crate::raw::Text;

/// `search` of a variant, and its preset: any keys.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a table")]
pub(crate) struct RawSearch(pub(crate) BTreeMap<Text, Spanned<Raw>>);

/// Any value. Values that are invalid in a search are read too, so that one of them does not hide
/// errors elsewhere in the table.
#[derive(Clone, Debug)]
pub(crate) enum Raw {
    Flag(bool),
    /// A number that is too large for the type becomes its maximum, which is out of every range.
    Number(i64),
    /// A number with a point or an exponent.
    Fraction(f64),
    Date,
    Text(String),
    List(Vec<Spanned<Raw>>),
    Table(BTreeMap<Text, Spanned<Raw>>),
}

impl Raw {
    /// The name of its type in messages.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Raw::Flag(_) => "`true` or `false`",
            Raw::Number(_) => "a number",
            Raw::Fraction(_) => "a number with a point",
            Raw::Date => "a date",
            Raw::Text(_) => "a text",
            Raw::List(_) => "a list",
            Raw::Table(_) => "a table",
        }
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

/// The key under which the TOML reader passes a date.
const DATE: &str = "$__toml_private_datetime";

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number, a name, `true`, `false`, a list of names or a table")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Flag(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Number(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Number(i64::try_from(value).unwrap_or(i64::MAX)))
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Raw, E> {
        let nearest = value.clamp(i64::MIN.into(), i64::MAX.into());
        Ok(Raw::Number(nearest as i64))
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Raw, E> {
        Ok(Raw::Number(i64::try_from(value).unwrap_or(i64::MAX)))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Fraction(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Raw, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Raw::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Raw, A::Error> {
        let table = BTreeMap::deserialize(de::value::MapAccessDeserializer::new(map));
        match table {
            Ok(table) => Ok(Raw::Table(table)),
            // A date arrives as a table with one key and without a position.
            Err(error) if error.to_string().contains(DATE) => Ok(Raw::Date),
            Err(error) => Err(error),
        }
    }
}
