//! Numbers with a fixed number of decimals.

use std::fmt;

use serde::{Serialize, Serializer};

/// A number as whole units of its last decimal: 1.75 is 175 units with two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// The units.
    pub units: i64,
    /// The number of decimals, 0 to [`Decimal::MAX_DECIMALS`].
    pub decimals: u8,
}

impl Decimal {
    /// Maximum number of decimals.
    pub const MAX_DECIMALS: u8 = 9;

    /// The number in a text such as `-1.75`, with the decimals of the text; `None` for another
    /// text, one with an exponent, or more than [`MAX_DECIMALS`](Self::MAX_DECIMALS) decimals.
    pub fn parse(text: &str) -> Option<Self> {
        let Some((whole, fraction)) = text.split_once('.') else {
            return text.parse::<i64>().ok().map(Self::from);
        };
        let decimals = u8::try_from(fraction.len()).ok()?;
        let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
        if !is_fraction || !(1..=Self::MAX_DECIMALS).contains(&decimals) {
            return None;
        }
        let units = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { units, decimals })
    }

    /// The number of decimals of a number's shortest text.
    pub(crate) fn decimals_of(number: f64) -> u8 {
        let text = format!("{number}");
        let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
        u8::try_from(fraction.len()).unwrap_or(u8::MAX)
    }

    /// The units with another number of decimals; `None` if that is not exact.
    pub fn units_with(self, decimals: u8) -> Option<i64> {
        let more = decimals.checked_sub(self.decimals)?;
        self.units.checked_mul(10_i64.checked_pow(more.into())?)
    }

    /// A number in units of the last of these decimals, exact if its shortest text has no more
    /// decimals.
    pub(crate) fn units_of(number: f64, decimals: u8) -> f64 {
        let exact = Self::parse(&format!("{number}")).and_then(|it| it.units_with(decimals));
        exact.map_or(number * per_whole(decimals), |units| units as f64)
    }

    /// The number.
    pub fn value(self) -> f64 {
        self.units as f64 / per_whole(self.decimals)
    }

    /// The nearest number with these decimals.
    pub fn nearest(value: f64, decimals: u8) -> Self {
        let units = (value * per_whole(decimals)).round() as i64;
        Self { units, decimals }
    }
}

/// Units per whole.
fn per_whole(decimals: u8) -> f64 {
    10_f64.powi(decimals.into())
}

impl From<i64> for Decimal {
    fn from(units: i64) -> Self {
        Self { units, decimals: 0 }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { units, decimals } = *self;
        if decimals == 0 {
            return fmt::Display::fmt(&units, f);
        }
        let (size, sign) = (units.unsigned_abs(), if units < 0 { "-" } else { "" });
        let scale = 10_u64.pow(decimals.min(Self::MAX_DECIMALS).into());
        let digits = usize::from(decimals);
        let text = format!("{sign}{}.{:0digits$}", size / scale, size % scale);
        f.pad(&text)
    }
}

impl Serialize for Decimal {
    /// Writes a whole number for 0 decimals.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.decimals {
            0 => serializer.serialize_i64(self.units),
            _ => serializer.serialize_f64(self.value()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_agree() {
        for (text, units, decimals) in [
            ("7", 7, 0),
            ("-12", -12, 0),
            ("1.75", 175, 2),
            ("-0.5", -5, 1),
            ("0.050", 50, 3),
            ("-0.000000001", -1, 9),
        ] {
            let decimal = Decimal { units, decimals };
            assert_eq!(Decimal::parse(text), Some(decimal));
            assert_eq!(decimal.to_string(), text);
            let value: f64 = text.parse().unwrap();
            assert!((decimal.value() - value).abs() < 1e-15);
            assert_eq!(Decimal::nearest(value, decimals), decimal);
        }
        for text in [
            "",
            "x",
            "1.",
            ".",
            "1e5",
            "1.5e3",
            "1.2.3",
            "1.-5",
            "1.0000000001",
            "1_0.5",
            "nan",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        let half = Decimal::parse("0.5").unwrap();
        assert_eq!(half.units_with(3), Some(500));
        assert_eq!(half.units_with(0), None);
        assert_eq!(format!("{half:>6}"), "   0.5");
        assert_eq!(Decimal::decimals_of(0.05), 2);
        assert_eq!(Decimal::decimals_of(15.0), 0);
        for (number, decimals) in [(1e-5, 5), (1e-9, 9), (2.5, 0)] {
            let units = if decimals == 0 { 2.5 } else { 1.0 };
            assert_eq!(
                Decimal::units_of(number, decimals).to_bits(),
                f64::to_bits(units)
            );
        }
        assert_eq!(serde_json::to_string(&half).unwrap(), "0.5");
        assert_eq!(serde_json::to_string(&Decimal::from(3)).unwrap(), "3");
    }
}
