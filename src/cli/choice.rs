//! Arguments with a fixed list of values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parses a number; `expected` describes the valid ones.
pub(super) fn number(
    expected: &str,
    text: &str,
    is_valid: impl Fn(f64) -> bool,
) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number| is_valid(number));
    number.ok_or_else(|| expected.to_owned())
}

/// A name on the command line, its help, and its value.
pub(super) type Choice<T> = (&'static str, &'static str, T);

/// A parser for the names of values; a name without help has an empty one.
pub(super) fn choice<T: Copy + Send + Sync + 'static>(
    choices: &'static [Choice<T>],
) -> impl TypedValueParser<Value = T> {
    let names = choices.iter().map(|(name, help, _)| {
        let value = PossibleValue::new(*name);
        if help.is_empty() {
            value
        } else {
            value.help(*help)
        }
    });
    PossibleValuesParser::new(names).try_map(|name| {
        let found = choices.iter().find(|(known, ..)| *known == name);
        found.map(|(.., value)| *value).ok_or("no such value")
    })
}
