//! Formatting of numbers.

use leitai_base::count::{self, with_sign};
use leitai_stats::{Bound, Ranged};

/// Formats a whole number with a space between groups of three digits.
pub fn grouped(number: f64) -> String {
    count::grouped(number.round_ties_even() as i128, ' ')
}

/// Formats a value with `write`, or returns `-`.
pub fn or_dash<T>(value: Option<T>, write: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), write)
}

/// Formats a share in per cent.
pub fn percent(share: Option<f64>) -> String {
    or_dash(share, |share| format!("{:.1}%", 100.0 * share))
}

/// Formats a ratio as its difference from 1, in per cent with a sign.
pub fn change(ratio: f64) -> String {
    // Adding 0 turns a negative zero into a positive one.
    format!("{}%", with_sign((1000.0 * (ratio - 1.0)).round() / 10.0, 1))
}

/// Formats the limits of an interval with `write`.
pub fn interval_as(range: &Ranged, write: impl Fn(f64) -> String) -> String {
    match (range.low, range.high) {
        (Some(low), Some(high)) => format!("{} .. {}", write(low), write(high)),
        (Some(low), None) => format!("at least {}", write(low)),
        (None, Some(high)) => format!("at most {}", write(high)),
        (None, None) => "-".to_owned(),
    }
}

/// Formats a number with its sign and one decimal, or a dash.
pub fn signed(value: Option<f64>) -> String {
    or_dash(value, |value| with_sign(value, 1))
}

/// Formats the 95 % limits.
pub fn interval(range: &Ranged) -> String {
    match (range.bound, range.low, range.high) {
        (Bound::Both, Some(low), Some(high)) => {
            format!("{} .. {}", with_sign(low, 1), with_sign(high, 1))
        }
        (_, Some(low), _) => format!("at least {}", with_sign(low, 1)),
        (_, _, Some(high)) => format!("at most {}", with_sign(high, 1)),
        _ => "not estimable".to_owned(),
    }
}
