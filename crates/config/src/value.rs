//! Checks of single values: ranges and names.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};

use super::Variant;
use super::form::{Bounds, Name, Of, Real, Whole};
use super::problem::{Problem, Problems};
use super::raw::{Number, Text};
use leitai_base::count::grouped;
use leitai_base::settings::{self, Kind};

/// The number, if it is in its range.
pub(super) fn ranged<T: TryFrom<i64>, const LEAST: i64, const MOST: i64>(
    number: &Of<Whole<LEAST, MOST>>,
    key: &str,
    problems: &mut Problems,
) -> Option<T> {
    in_range(number, key, LEAST..=MOST, problems)
}

/// The number, if it is in `range`.
pub(super) fn in_range<T: TryFrom<i64>>(
    number: &Number,
    key: &str,
    range: RangeInclusive<i64>,
    problems: &mut Problems,
) -> Option<T> {
    let value = *number.get_ref();
    if let (true, Ok(value)) = (range.contains(&value), T::try_from(value)) {
        return Some(value);
    }
    let [low, high] = [range.start(), range.end()].map(|end| grouped(*end, ' '));
    out_of_range(number.span(), key, low, high).refuse(problems)
}

/// The number, if it is present and in its range.
pub(super) fn optional<T: TryFrom<i64>, const LEAST: i64, const MOST: i64>(
    number: Option<&Of<Whole<LEAST, MOST>>>,
    key: &str,
    problems: &mut Problems,
) -> Option<T> {
    number.and_then(|number| ranged(number, key, problems))
}

/// The number, if it is in its range; the default if it is absent.
pub(super) fn ranged_or<T: TryFrom<i64>, const LEAST: i64, const MOST: i64>(
    number: Option<&Of<Whole<LEAST, MOST>>>,
    usual: T,
    key: &str,
    problems: &mut Problems,
) -> Option<T> {
    number.map_or(Some(usual), |number| ranged(number, key, problems))
}

/// The number, if it is in its range; the default if it is absent.
pub(super) fn real<R: Bounds>(
    number: Option<&Of<Real<R>>>,
    usual: f64,
    key: &str,
    problems: &mut Problems,
) -> Option<f64> {
    let Some(number) = number else {
        return Some(usual);
    };
    let (value, range) = (*number.get_ref(), R::RANGE);
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

/// The choice named by the text, if there is one.
pub(super) fn choice<T: Copy>(
    text: &Text,
    what: &str,
    choices: &[(&str, T)],
    problems: &mut Problems,
) -> Option<T> {
    let name = text.get_ref().as_str();
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).or_else(|| {
        Problem::error(text.span(), format!("unknown {what} `{name}`"))
            .alternatives(name, choices.iter().map(|(known, _)| *known))
            .refuse(problems)
    })
}

/// The choice of a setting named by the text; the default if the text is absent.
pub(super) fn setting_or<T: settings::Value>(
    text: Option<&Of<Name<T>>>,
    usual: T,
    what: &str,
    problems: &mut Problems,
) -> Option<T> {
    let Some(text) = text else {
        return Some(usual);
    };
    let names: &[&str] = match T::KIND {
        Kind::Choice(names) => names,
        Kind::Number { .. } | Kind::Flag => &[],
    };
    let values = (0..).map(T::from_number);
    let choices: Vec<(&str, T)> = names.iter().copied().zip(values).collect();
    choice(text, what, &choices, problems)
}

/// The index of the variant named by the text.
pub(super) fn variant(text: &Text, variants: &[Variant], problems: &mut Problems) -> Option<usize> {
    let names = variants.iter().map(|variant| variant.name.as_str());
    let choices: Vec<(&str, usize)> = names.zip(0..).collect();
    choice(text, "variant", &choices, problems)
}
