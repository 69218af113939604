//! Checks of single values: ranges and names.

use std::ops::RangeInclusive;

use toml::Spanned;

use super::problem::Problem;
use super::raw::{Number, Text};

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
    problems.push(
        Problem::error(number.span(), format!("`{key}` is out of range"))
            .label(format!("must be from {low} to {high}"))
            .help(format!("give `{key}` a number from {low} to {high}")),
    );
    None
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
    let (low, high) = (range.start(), range.end());
    problems.push(
        Problem::error(number.span(), format!("`{key}` is out of range"))
            .label(format!("must be from {low} to {high}"))
            .help(format!("give `{key}` a number from {low} to {high}")),
    );
    None
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
        problems.push(
            Problem::error(text.span(), format!("unknown {what} `{name}`"))
                .alternatives(name, choices.iter().map(|(known, _)| *known)),
        );
    }
    found.map(|(_, value)| *value)
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
