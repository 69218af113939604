//! Numbers of this report as text.

use leitai_runs::figures::number::{grouped, or_dash};

/// Seconds as milliseconds with three significant digits.
pub(super) fn milliseconds(seconds: f64) -> String {
    digits(1000.0 * seconds)
}

/// A number with three significant digits, or all digits of a larger one.
pub(super) fn digits(number: f64) -> String {
    match number.abs() {
        size if size < 0.000_5 && size > 0.0 => format!("{number:.1e}"),
        size if size < 1.0 => format!("{number:.3}"),
        size if size < 10.0 => format!("{number:.2}"),
        size if size < 1000.0 => format!("{number:.1}"),
        _ => grouped(number),
    }
}

/// Milliseconds, or `-`.
pub(super) fn time(seconds: Option<f64>) -> String {
    or_dash(seconds, milliseconds)
}

/// A mean count, or `-`.
pub(super) fn count(mean: Option<f64>) -> String {
    or_dash(mean, |mean| {
        if mean < 100.0 {
            format!("{mean:.1}")
        } else {
            grouped(mean)
        }
    })
}

/// A probability with two significant digits.
pub(super) fn p_value(p: f64) -> String {
    match p {
        p if p < 0.000_1 => "<.0001".to_owned(),
        p if p < 0.01 => format!("{p:.4}"),
        p => format!("{p:.3}"),
    }
}

pub(super) fn ratio(ratio: f64) -> String {
    format!("{ratio:.3}")
}

/// A time limit: `10 ms`, `1 s`.
pub(super) fn limit(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{} ms", (seconds * 1e6).round() / 1e3)
    } else {
        format!("{seconds} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size() {
        let told = [0.0, 0.000_000_12, 0.000_5, 0.04, 2.345, 123.4].map(milliseconds);
        assert_eq!(
            told,
            ["0.000", "1.2e-4", "0.500", "40.0", "2 345", "123 400"]
        );
        assert_eq!(
            [0.000_2, 0.001, 0.5, 1.0, 10.0].map(limit),
            ["0.2 ms", "1 ms", "500 ms", "1 s", "10 s"]
        );
        assert_eq!(
            [1.0, 0.05, 0.0051, 1e-9].map(p_value),
            ["1.000", "0.050", "0.0051", "<.0001"]
        );
        assert_eq!(count(Some(12.345)), "12.3");
    }
}
