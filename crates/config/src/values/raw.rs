//! A value of any type: later checks judge it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};

use super::form::{Spanned, Text};

/// A table with any keys, such as `search` of a variant and its presets.
pub(crate) type RawTable = BTreeMap<Text, Spanned<RawValue>>;

/// Any value. Values that are invalid in a search are read too, so that one of them does not hide
/// errors elsewhere in the table.
#[derive(Clone, Debug)]
pub(crate) enum RawValue {
    Flag(bool),
    /// A number that is too large for the type becomes its maximum, which is out of every range.
    Number(i64),
    /// A number with a point or an exponent.
    Fraction(f64),
    Date,
    Text(String),
    List(Vec<Spanned<RawValue>>),
    Table(RawTable),
}

impl RawValue {
    /// The value's type, as error messages name it.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Flag(_) => "`true` or `false`",
            Self::Number(_) => "a number",
            Self::Fraction(_) => "a number with a point",
            Self::Date => "a date",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

impl<'de> Deserialize<'de> for RawValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

/// The key under which the TOML reader passes a date.
const DATE: &str = "$__toml_private_datetime";

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = RawValue;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number, a name, `true`, `false`, a list of names or a table")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<RawValue, E> {
        Ok(RawValue::Flag(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<RawValue, E> {
        Ok(RawValue::Number(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<RawValue, E> {
        self.visit_i128(value.into())
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<RawValue, E> {
        let nearest = value.clamp(i64::MIN.into(), i64::MAX.into());
        Ok(RawValue::Number(nearest as i64))
    }

    fn visit_u128<E: de::Error>(self, _: u128) -> Result<RawValue, E> {
        Ok(RawValue::Number(i64::MAX))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<RawValue, E> {
        Ok(RawValue::Fraction(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<RawValue, E> {
        Ok(RawValue::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<RawValue, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(RawValue::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawValue, A::Error> {
        match BTreeMap::deserialize(MapAccessDeserializer::new(map)) {
            Ok(table) => Ok(RawValue::Table(table)),
            // A date arrives as a table with one key and without a position.
            Err(error) if error.to_string().contains(DATE) => Ok(RawValue::Date),
            Err(error) => Err(error),
        }
    }
}
