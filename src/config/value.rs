//! Checks of single values: ranges and names.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;

use super::Variant;
use super::problem::Problem;
use super::raw::{Number, Text};
use crate::settings::{self, Kind};

/// The number, if it lies in `range`.
pub(super) fn ranged<T: TryFrom<i64>>(
    number: &Number,
    key: &str,
    range: RangeInclusive<i64>,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let value = *number.get_ref();
    if let (true, Ok(value)) = (range.contains(&value), T::try_from(value)) {
        return Some(value);
    }
    let (low, high) = (grouped(*range.start()), grouped(*range.end()));
    out_of_range(number.span(), key, low, high).refuse(problems)
}

/// The number, if there is one and it lies in `range`.
pub(super) fn optional<T: TryFrom<i64>>(
    number: Option<&Number>,
    key: &str,
    range: RangeInclusive<i64>,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    number.and_then(|number| ranged(number, key, range, problems))
}

/// The number, if it lies in `range`; the usual one if there is none.
pub(super) fn ranged_or<T: TryFrom<i64>>(
    number: Option<&Number>,
    usual: T,
    key: &str,
    range: RangeInclusive<i64>,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    number.map_or(Some(usual), |number| ranged(number, key, range, problems))
}

/// The number, if it lies in `range`; the usual one if there is none.
pub(super) fn real(
    number: Option<&Spanned<f64>>,
    usual: f64,
    key: &str,
    range: &RangeInclusive<f64>,
    problems: &mut Vec<Problem>,
) -> Option<f64> {
    let Some(number) = number else {
        return Some(usual);
    };
    let value = *number.get_ref();
    if range.contains(&value) {
        // Turns a negative zero into a positive one.
        return Some(value + 0.0);
    }
    out_of_range(number.span(), key, range.start(), range.end()).refuse(problems)
}

fn out_of_range(span: Range<usize>, key: &str, low: impl Display, high: impl Display) -> Problem {
    Problem::error(span, format!("`{key}` is out of range"))
        .label(format!("must be from {low} to {high}"))
        .help(format!("give `{key}` a number from {low} to {high}"))
}

/// What the text names, if it is one of `choices`.
pub(super) fn choice<T: Copy>(
    text: &Text,
    what: &str,
    choices: &[(&str, T)],
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let name = text.get_ref().as_str();
    let found = choices.iter().find(|(known, _)| *known == name);
    if found.is_none() {
        Problem::error(text.span(), format!("unknown {what} `{name}`"))
            .alternatives(name, choices.iter().map(|(known, _)| *known))
            .report(problems);
    }
    found.map(|(_, value)| *value)
}

/// What the text names, if it is one of `choices`; the usual one if there is none.
pub(super) fn choice_or<T: Copy>(
    text: Option<&Text>,
    usual: T,
    what: &str,
    choices: &[(&str, T)],
    problems: &mut Vec<Problem>,
) -> Option<T> {
    text.map_or(Some(usual), |text| choice(text, what, choices, problems))
}

/// What the text names of a setting's choices; the usual one if there is none.
pub(super) fn setting_or<T: settings::Value>(
    text: Option<&Text>,
    usual: T,
    what: &str,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let names: &[&str] = match T::KIND {
        Kind::Choice(names) => names,
        Kind::Number { .. } | Kind::Flag => &[],
    };
    let values = (0..).map(T::from_number);
    let choices: Vec<(&str, T)> = names.iter().copied().zip(values).collect();
    choice_or(text, usual, what, &choices, problems)
}

/// The index of the variant that the text names.
pub(super) fn variant(
    text: &Text,
    variants: &[Variant],
    problems: &mut Vec<Problem>,
) -> Option<usize> {
    let names = variants.iter().map(|variant| variant.name.as_str());
    let choices: Vec<(&str, usize)> = names.zip(0..).collect();
    choice(text, "variant", &choices, problems)
}

/// The number with a space between each three digits.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn long_numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(-999), "-999");
        assert_eq!(grouped(4_294_967_295), "4 294 967 295");
        assert_eq!(grouped(i64::MIN), "-9 223 372 036 854 775 808");
    }
}
