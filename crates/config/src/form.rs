//! Typed values: each with its place in the file, and in a form that both the checks and the schema
//! use.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Range, RangeInclusive};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Visitor};

use leitai_base::settings::{self, Kind};

/// A value and its byte range in the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct Spanned<T>(toml::Spanned<T>);

impl<T> Spanned<T> {
    pub(super) fn new(place: Range<usize>, value: T) -> Self {
        Self(toml::Spanned::new(place, value))
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.0.span()
    }

    pub(super) fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    pub(super) fn into_inner(self) -> T {
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
pub(super) trait Form {
    /// The type after reading.
    type Value;

    /// Its description in the schema.
    fn schema() -> Schema;
}

/// A value of that form.
pub(super) struct Of<F: Form>(Spanned<F::Value>);

impl<F: Form> Of<F> {
    pub(super) fn new(place: Range<usize>, value: F::Value) -> Self {
        Self(Spanned::new(place, value))
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

impl<F: Form<Value: fmt::Debug>> fmt::Debug for Of<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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

/// A whole number in a range.
pub(super) struct Whole<const LEAST: i64, const MOST: i64>;

impl<const LEAST: i64, const MOST: i64> Form for Whole<LEAST, MOST> {
    type Value = i64;

    fn schema() -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}

/// An even number, 2 or more.
pub(super) struct Even<const MOST: i64>;

impl<const MOST: i64> Form for Even<MOST> {
    type Value = i64;

    fn schema() -> Schema {
        json_schema!({ "type": "integer", "minimum": 2, "maximum": MOST, "multipleOf": 2 })
    }
}

/// The name of one of the values of a type.
pub(super) struct Name<T>(PhantomData<T>);

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
pub(super) struct Real<R>(PhantomData<R>);

/// The range of a number.
pub(super) trait Bounds {
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

/// Text types, each with the type that its error message names.
macro_rules! typed_texts {
    ($($(#[doc = $meaning:literal])+ $name:ident: $expected:literal;)*) => {$(
        $(#[doc = $meaning])+
        #[derive(Clone, Debug)]
        pub(super) struct $name(String);

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl Visitor<'_> for Reader {
                    type Value = $name;

                    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                        out.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$name, E> {
                        Ok($name(text.to_owned()))
                    }
                }
                deserializer.deserialize_str(Reader)
            }
        }
    )*};
}

typed_texts! {
    /// A time as text.
    TimeText: "a time with its unit, such as `\"100ms\"`";
    /// A share as text.
    PercentText: "a share in percent, such as `\"1 %\"`";
}

/// A number above 0, in a pattern.
pub(super) const POSITIVE: &str = r"(?:[0-9]*[1-9][0-9]*(?:\.[0-9]+)?|0+\.[0-9]*[1-9][0-9]*)";

/// A text that matches a pattern.
macro_rules! texts {
    ($($(#[doc = $meaning:literal])+ $name:ident($value:ty): $pattern:expr, $($example:literal),+;)*) => {$(
        $(#[doc = $meaning])+
        pub(super) struct $name;

        impl Form for $name {
            type Value = $value;

            fn schema() -> Schema {
                json_schema!({
                    "type": "string",
                    "pattern": $pattern,
                    "examples": [$($example),+],
                })
            }
        }
    )*};
}

texts! {
    /// A duration with a unit.
    Time(TimeText): &format!(r"^\s*{POSITIVE}\s*(ms|s|min|h)\s*$"), "100ms", "1.5s", "2min";
    /// A share in percent.
    Percent(PercentText): r"^[0-9]+(\.[0-9]{1,2})?\s*%$", "1 %", "0.25 %";
    /// A text with at least one visible character.
    Text(String): r"\S", "mobility";
}
