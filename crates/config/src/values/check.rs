//! Checks of single values: ranges and names.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use super::form::{Bounds, Name, Number, Of, Real, Spanned, Text, Time, Whole};
use crate::Variant;
use crate::duration::{DurationError, positive};
use crate::problem::{Problem, Problems};
use leitai_base::count::grouped;
use leitai_base::settings::{self, Kind};

/// The number, if it is in `range`.
pub(crate) fn in_range<T: TryFrom<i64>>(
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
pub(crate) fn ranged<'r, T: TryFrom<i64>, const MIN: i64, const MAX: i64>(
    number: impl Into<Option<&'r Of<Whole<MIN, MAX>>>>,
    key: &str,
    problems: &mut Problems,
) -> Option<T> {
    in_range(number.into()?, key, MIN..=MAX, problems)
}

/// The number, if it is present and in its range; otherwise the default.
pub(crate) fn ranged_or<'r, T: TryFrom<i64>, const MIN: i64, const MAX: i64>(
    number: impl Into<Option<&'r Of<Whole<MIN, MAX>>>>,
    usual: T,
    key: &str,
    problems: &mut Problems,
) -> T {
    ranged(number, key, problems).unwrap_or(usual)
}

/// The number, if it is in its range; the default if it is absent.
pub(crate) fn real<'r, R: Bounds + 'r>(
    number: impl Into<Option<&'r Of<Real<R>>>>,
    usual: f64,
    key: &str,
    problems: &mut Problems,
) -> Option<f64> {
    let Some(number) = number.into() else {
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

/// The flag; the default if it is absent.
pub(crate) fn flag_or<'r>(flag: impl Into<Option<&'r Spanned<bool>>>, usual: bool) -> bool {
    flag.into().map_or(usual, |flag| *flag.get_ref())
}

/// The time in the text, at least a millisecond; `example` is for the message.
pub(crate) fn time<'r>(
    text: impl Into<Option<&'r Of<Time>>>,
    key: &str,
    example: &str,
    problems: &mut Problems,
) -> Option<Duration> {
    let text = text.into()?;
    let time = positive(text.get_ref()).map_err(|error| {
        no_time(text.span(), key, error)
            .help(format!("write it like this: `{key} = {example}`"))
            .report(problems);
    });
    time.ok()
}

/// The error for a text that is no time.
pub(crate) fn no_time(span: Range<usize>, key: &str, error: DurationError) -> Problem {
    Problem::error(span, format!("`{key}` is not a time")).label(error.to_string())
}

/// The choice named by the text, if there is one. `noun` names the choice in the message.
pub(crate) fn choice<T: Copy>(
    text: &Text,
    noun: &str,
    choices: &[(&str, T)],
    problems: &mut Problems,
) -> Option<T> {
    let name = text.get_ref().as_str();
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).or_else(|| {
        Problem::error(text.span(), format!("unknown {noun} `{name}`"))
            .alternatives(name, choices.iter().map(|(known, _)| *known))
            .refuse(problems)
    })
}

/// The choice of a setting named by the text, if it is present and valid; otherwise the default.
pub(crate) fn setting_or<'r, T: settings::Value + 'r>(
    text: impl Into<Option<&'r Of<Name<T>>>>,
    usual: T,
    noun: &str,
    problems: &mut Problems,
) -> T {
    let text = text.into();
    text.and_then(|text| setting(text, noun, problems))
        .unwrap_or(usual)
}

/// The choice of a setting named by the text, if there is one.
pub(crate) fn setting<T: settings::Value>(
    text: &Of<Name<T>>,
    noun: &str,
    problems: &mut Problems,
) -> Option<T> {
    let names: &[&str] = match T::KIND {
        Kind::Choice(names) => names,
        Kind::Number { .. } | Kind::Flag => &[],
    };
    let values = (0..).map(T::from_number);
    let choices: Vec<(&str, T)> = names.iter().copied().zip(values).collect();
    choice(text, noun, &choices, problems)
}

/// The index of the variant named by the text.
pub(crate) fn variant(text: &Text, variants: &[Variant], problems: &mut Problems) -> Option<usize> {
    let names = variants.iter().map(|variant| variant.name.as_str());
    let choices: Vec<(&str, usize)> = names.zip(0..).collect();
    choice(text, "variant", &choices, problems)
}
