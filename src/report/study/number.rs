//! Numbers as people read them.

use crate::count::with_sign;
use crate::stats::Ranged;

/// A whole number with a space between each three digits.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// What `write` makes of a value, or `-`.
pub(crate) fn or_dash<T>(value: Option<T>, write: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), write)
}

/// A share in per cent.
pub(crate) fn percent(share: Option<f64>) -> String {
    or_dash(share, |share| format!("{:.1}%", 100.0 * share))
}

/// How much less than 1 a ratio is, in per cent with the sign of the change.
pub(crate) fn change(ratio: f64) -> String {
    // Adding 0 turns a negative zero into a positive one.
    format!("{}%", with_sign((1000.0 * (ratio - 1.0)).round() / 10.0, 1))
}

/// The limits of an interval, each as `write` makes it.
pub(crate) fn interval(range: &Ranged, write: impl Fn(f64) -> String) -> String {
    match (range.low, range.high) {
        (Some(low), Some(high)) => format!("{} .. {}", write(low), write(high)),
        (Some(low), None) => format!("at least {}", write(low)),
        (None, Some(high)) => format!("at most {}", write(high)),
        (None, None) => "-".to_owned(),
    }
}
