//! Numbers as text, before nouns and with signs, and lists of names.

use std::fmt::Display;
use std::time::Duration;

/// A number with the right form of its noun.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A number with a separator between groups of three digits.
pub fn grouped(number: impl Into<i128>, between: char) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(between);
        }
        text.push(digit);
    }
    text
}

/// Names in backticks, separated by commas: `` `a`, `b`, `c` ``.
pub fn quoted(names: impl IntoIterator<Item = impl Display>) -> String {
    let names = names.into_iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// Names in backticks, the last one after `or`: `` `a`, `b` or `c` ``.
pub fn alternatives(names: impl IntoIterator<Item = impl Display>) -> String {
    let mut names: Vec<_> = names.into_iter().map(|it| format!("`{it}`")).collect();
    let Some(last) = names.pop() else {
        return String::new();
    };
    match names.as_slice() {
        [] => last,
        _ => format!("{} or {last}", names.join(", ")),
    }
}

/// A number with its sign and a number of decimals; a result that rounds to zero is `+0`.
pub fn with_sign(number: f64, decimals: usize) -> String {
    let text = format!("{number:+.decimals$}");
    if text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) || !number.is_finite() {
        text
    } else {
        text.replacen('-', "+", 1)
    }
}

/// A number with a number of decimals; a result that rounds to zero has no sign.
pub fn rounded(number: f64, decimals: usize) -> String {
    let text = with_sign(number, decimals);
    text.strip_prefix('+').map(str::to_owned).unwrap_or(text)
}

/// A time in its largest unit.
pub fn rough_duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        0.0..100.0 => format!("{seconds:.0} s"),
        100.0..6_000.0 => format!("{:.0} min", seconds / 60.0),
        6_000.0..172_800.0 => format!("{:.1} h", seconds / 3_600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

/// A speed in the unit of time that gives at least 1, up to a day: `12.3 games/s`, `4.0 games/min`.
pub fn rate(per_second: f64, what: &str) -> String {
    if per_second <= 0.0 {
        return format!("0 {what}/s");
    }
    let units = [("s", 1.0), ("min", 60.0), ("h", 3_600.0)];
    let (unit, seconds) = units
        .into_iter()
        .find(|(_, seconds)| per_second * seconds >= 1.0)
        .unwrap_or(("day", 86_400.0));
    format!("{:.1} {what}/{unit}", per_second * seconds).replace(" /", "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_rates_have_larger_units() {
        for (per_second, text) in [
            (12.34, "12.3 games/s"),
            (1.0, "1.0 games/s"),
            (0.5, "30.0 games/min"),
            (0.01, "36.0 games/h"),
            (0.0002, "17.3 games/day"),
            (0.0, "0 games/s"),
        ] {
            assert_eq!(rate(per_second, "games"), text);
        }
    }

    #[test]
    fn zero_has_no_minus() {
        for (number, text) in [
            (-0.0, "+0.0"),
            (-0.04, "+0.0"),
            (-0.06, "-0.1"),
            (12.34, "+12.3"),
            (-10.0, "-10.0"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(with_sign(number, 1), text);
            assert_eq!(rounded(number, 1), text.trim_start_matches('+'));
        }
    }

    #[test]
    fn long_numbers_are_grouped() {
        assert_eq!(grouped(0_i64, ' '), "0");
        assert_eq!(grouped(-999_i64, ' '), "-999");
        assert_eq!(grouped(4_294_967_295_i64, ' '), "4 294 967 295");
        assert_eq!(grouped(i64::MIN, ' '), "-9 223 372 036 854 775 808");
    }

    #[test]
    fn one_is_no_plural() {
        let told = [0, 1, 2].map(|number| count(number, "game", "games"));
        assert_eq!(told, ["0 games", "1 game", "2 games"]);
    }

    #[test]
    fn times_are_printed_in_their_largest_unit() {
        let told = [3, 99, 100, 5_999, 7_200, 864_000]
            .map(Duration::from_secs)
            .map(rough_duration);
        assert_eq!(
            told,
            ["3 s", "99 s", "2 min", "100 min", "2.0 h", "10.0 days"]
        );
    }
}
