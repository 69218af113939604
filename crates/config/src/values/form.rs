//! Typed values: each with its place in the file, and in a form that both the checks and the schema
//! use.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Range, RangeInclusive};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Unexpected, Visitor};

use leitai_base::settings::{self, Kind};

/// A value and its byte range in the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Spanned<T>(toml::Spanned<T>);

pub(crate) type Text = Spanned<String>;
pub(crate) type Number = Spanned<i64>;

impl<T> Spanned<T> {
    pub(crate) fn new(place: Range<usize>, value: T) -> Self {
        Self(toml::Spanned::new(place, value))
    }

    pub(crate) fn span(&self) -> Range<usize> {
        self.0.span()
    }

    pub(crate) fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// The set of values that a type allows.
pub(crate) trait Form {
    /// The type after reading.
    type Value;

    /// Its description in the schema.
    fn schema() -> Schema;
}

/// A value of that form.
pub(crate) struct Of<F: Form>(Spanned<F::Value>);

impl<F: Form> Of<F> {
    pub(crate) fn span(&self) -> Range<usize> {
        self.0.span()
    }
}

impl<F: Form> Deref for Of<F> {
    type Target = Spanned<F::Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<F: Form<Value: Clone>> Clone for Of<F> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'de, F: Form<Value: DeserializeOwned>> Deserialize<'de> for Of<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Spanned::deserialize(deserializer).map(Self)
    }
}

impl<F: Form> JsonSchema for Of<F> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "value".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        F::schema()
    }
}

/// Maximum number of plies in a key.
pub(crate) const MAX_PLIES: i64 = 10_000;

/// A whole number in a range.
pub(crate) struct Whole<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Form for Whole<MIN, MAX> {
    type Value = i64;

    fn schema() -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

/// An even number, 2 or more.
pub(crate) struct Even<const MAX: i64>;

impl<const MAX: i64> Form for Even<MAX> {
    type Value = i64;

    fn schema() -> Schema {
        json_schema!({ "type": "integer", "minimum": 2, "maximum": MAX, "multipleOf": 2 })
    }
}

/// The name of one of the values of a type.
pub(crate) struct Name<T>(PhantomData<T>);

impl<T: settings::Value> Form for Name<T> {
    type Value = String;

    fn schema() -> Schema {
        let Kind::Choice(names) = T::KIND else {
            return Schema::default();
        };
        json_schema!({ "type": "string", "enum": names })
    }
}

/// A number in a range, optionally with a decimal point.
pub(crate) struct Real<R>(PhantomData<R>);

/// The range of a number.
pub(crate) trait Bounds {
    /// The minimum and the maximum, both included.
    const RANGE: RangeInclusive<f64>;
}

impl<R: Bounds> Form for Real<R> {
    type Value = f64;

    fn schema() -> Schema {
        let range = R::RANGE;
        let mut schema = json_schema!({ "type": "number", "minimum": range.start() });
        if *range.end() < f64::MAX {
            schema.insert("maximum".to_owned(), (*range.end()).into());
        }
        schema
    }
}

/// A text that matches a pattern.
pub(crate) trait TextForm {
    /// The expected type in error messages.
    const EXPECTED: &'static str;
    const EXAMPLES: &'static [&'static str];
    /// The maximum of a number, if a number may replace the text.
    const MAX: Option<u64> = None;

    fn pattern() -> String;
}

impl<F: TextForm> Form for F {
    type Value = FormText<F>;

    fn schema() -> Schema {
        let (pattern, examples) = (F::pattern(), F::EXAMPLES);
        match F::MAX {
            Some(most) => json_schema!({
                "type": ["string", "number"],
                "pattern": pattern,
                "exclusiveMinimum": 0,
                "maximum": most,
                "examples": examples,
            }),
            None => json_schema!({ "type": "string", "pattern": pattern, "examples": examples }),
        }
    }
}

/// The text of that form, or a number as text.
#[derive(Clone)]
pub(crate) struct FormText<F>(String, PhantomData<F>);

impl<F> Deref for FormText<F> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de, F: TextForm> Deserialize<'de> for FormText<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self(String::new(), PhantomData))
    }
}

impl<F: TextForm> Visitor<'_> for FormText<F> {
    type Value = Self;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(F::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self, E> {
        Ok(Self(text.to_owned(), PhantomData))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self, E> {
        match F::MAX {
            Some(_) => self.visit_str(&number.to_string()),
            None => Err(E::invalid_type(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self, E> {
        match F::MAX {
            Some(_) => self.visit_str(&number.to_string()),
            None => Err(E::invalid_type(Unexpected::Float(number), &self)),
        }
    }
}

/// A duration with a unit.
#[derive(Clone)]
pub(crate) struct Time;

impl TextForm for Time {
    const EXPECTED: &'static str = "a time with its unit, such as `\"100ms\"`";
    const EXAMPLES: &'static [&'static str] = &["100ms", "1.5s", "2min"];

    fn pattern() -> String {
        const POSITIVE: &str = r"(?:[0-9]*[1-9][0-9]*(?:\.[0-9]+)?|0+\.[0-9]*[1-9][0-9]*)";
        format!(r"^\s*{POSITIVE}\s*(ms|s|min|h)\s*$")
    }
}

/// A share in percent.
pub(crate) struct Percent;

impl TextForm for Percent {
    const EXPECTED: &'static str = "a share in percent, such as `\"1 %\"`";
    const EXAMPLES: &'static [&'static str] = &["1 %", "0.25 %"];

    fn pattern() -> String {
        r"^[0-9]+(\.[0-9]{1,2})?\s*%$".to_owned()
    }
}

/// A text with at least one visible character.
pub(crate) struct VisibleText;

impl Form for VisibleText {
    type Value = String;

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": r"\S", "examples": ["mobility"] })
    }
}
