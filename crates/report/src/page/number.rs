//! Numbers on a page: the minus is as wide as the plus.

use leitai_base::count;
use leitai_config::Decimal;

/// A number.
pub(crate) fn plain(value: impl Into<Decimal>) -> String {
    with_minus(&value.into().to_string())
}

/// A difference with its sign.
pub(crate) fn signed(value: impl Into<Decimal>) -> String {
    let value = value.into();
    if value.units > 0 {
        format!("+{value}")
    } else {
        plain(value)
    }
}

/// A number with one decimal.
pub(crate) fn decimal(value: f64) -> String {
    with_decimals(value, 1)
}

/// A number with that many decimals.
pub(crate) fn with_decimals(value: f64, decimals: u8) -> String {
    let (scale, shown) = (10_f64.powi(decimals.into()), usize::from(decimals));
    let rounded = (scale * value).round() / scale + 0.0;
    with_minus(&format!("{rounded:.shown$}"))
}

/// A count with a narrow space between groups of three digits.
pub(crate) fn grouped(count: u64) -> String {
    count::grouped(count, '\u{202f}')
}

/// A duration in units that suit its length.
pub(crate) fn time(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "-".to_owned();
    }
    if seconds < 59.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    let (hours, minutes) = (whole / 3600, whole / 60 % 60);
    if hours == 0 {
        format!("{minutes} min {:02} s", whole % 60)
    } else {
        format!("{} h {minutes:02} min", grouped(hours))
    }
}

fn with_minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_people_write_them() {
        let told = [0, 7, -7].map(|value| (plain(value), signed(value)));
        let want = [("0", "0"), ("7", "+7"), ("−7", "−7")];
        assert_eq!(
            told,
            want.map(|(one, two)| (one.to_owned(), two.to_owned()))
        );
        assert_eq!([-0.04, 2.25, -3.0].map(decimal), ["0.0", "2.3", "−3.0"]);
        assert_eq!(
            [7, 1234, 1_234_567].map(grouped).join(" "),
            "7 1\u{202f}234 1\u{202f}234\u{202f}567"
        );
        let times = [0.04, 59.94, 59.96, 3599.9, 7262.0, f64::NAN].map(time);
        let want = [
            "0.0 s",
            "59.9 s",
            "1 min 00 s",
            "1 h 00 min",
            "2 h 01 min",
            "-",
        ];
        assert_eq!(times, want);
    }
}
