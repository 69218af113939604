//! Durations with units: `100ms`, `1.5s`, `2min`.

use std::time::Duration;

use thiserror::Error;

/// Maximum duration, longer than any game.
pub(super) const LONGEST: Duration = Duration::from_hours(24);

/// A text that is not a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum DurationError {
    /// The number has no digits.
    #[error("expected a number such as `100` or `0.1`")]
    Number,
    /// The text after the number is no unit.
    #[error("expected a unit after the number: `ms`, `s`, `min` or `h`")]
    Unit,
    /// The text after the number is no unit, where a number without a unit means seconds.
    #[error("expected seconds, or a unit after the number: `ms`, `s`, `min` or `h`")]
    UnitOrSeconds,
    /// A colon that other programs use as the `+` of an increment.
    #[error("either {} in all, or {base:?} and {} more after each move", in_minutes(*.time), time_text(*.increment))]
    Ambiguous {
        /// The time in minutes and seconds.
        time: Duration,
        /// The same numbers as seconds,
        base: Duration,
        /// and as an increment.
        increment: Duration,
    },
    /// The parts around a colon are not minutes and seconds.
    #[error("expected minutes and seconds such as `1:30+0`, or hours as well: `1:00:00+30`")]
    Minutes,
    /// The text before a slash is no number of moves.
    #[error("expected a number of moves up to 10000 before the `/`; 0 is the whole game")]
    Moves,
    /// Several periods without a comma.
    #[error("expected a comma between two stages: `40/60, 20/30`")]
    Periods,
    /// A stage after one that lasts for the rest of the game.
    #[error("expected a number of moves and `/` in each stage before the last: `40/60, 20/30, 15`")]
    Endless,
    /// Too many stages.
    #[error("expected at most 4 stages")]
    Stages,
    /// An hourglass with periods or an increment.
    #[error("expected only a time after `hourglass`: it has neither moves nor an increment")]
    Hourglass,
    /// Byoyomi with periods, stages or an increment.
    #[error("expected only a time before and after `byoyomi`, such as `10min byoyomi 30s`")]
    Byoyomi,
    /// The number has digits below a millisecond.
    #[error("must be a whole number of milliseconds")]
    TooFine,
    /// Longer than [`LONGEST`].
    #[error("must be at most 24h")]
    TooLong,
    /// Zero, where a positive duration is required.
    #[error("must be at least 1ms")]
    Zero,
}

/// A time in minutes and seconds.
fn in_minutes(time: Duration) -> String {
    let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
    let rest = Duration::new(seconds, time.subsec_nanos());
    if rest.is_zero() {
        return format!("{minutes} min");
    }
    format!("{minutes} min {rest:?}")
}

/// A time in a config's notation.
pub(super) fn time_text(time: Duration) -> String {
    match time {
        Duration::ZERO => "0s".to_owned(),
        time => format!("{time:?}"),
    }
}

/// The maximum time limit of a session.
const LONGEST_SPAN: Duration = Duration::from_hours(24 * 365);

/// Reads the time limit of a session, in the notation of a config's durations: `8h`.
///
/// # Errors
/// The text is no duration; the message names the units.
pub fn read_time_limit(text: &str) -> Result<Duration, String> {
    match read(text, None, LONGEST_SPAN) {
        Ok(Duration::ZERO) => Err(DurationError::Zero.to_string()),
        Err(DurationError::TooLong) => Err("must be at most a year".to_owned()),
        other => other.map_err(|error| error.to_string()),
    }
}

/// Reads `100ms`, `1.5s`, `2min` or `1h`: a whole number of milliseconds. A number without a unit is
/// in units of `bare` milliseconds, if given.
pub(super) fn read(
    text: &str,
    bare: Option<u64>,
    longest: Duration,
) -> Result<Duration, DurationError> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (whole, rest) = text.split_at(digits);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            rest.split_at(digits)
        }
        None => ("", rest),
    };
    if whole.is_empty() || (fraction.is_empty() && text[digits..].starts_with('.')) {
        return Err(DurationError::Number);
    }
    let unit: u64 = match rest.trim_start() {
        "ms" => 1,
        "s" => 1_000,
        "min" => 60_000,
        "h" => 3_600_000,
        "" => bare.ok_or(DurationError::Unit)?,
        _ => return Err(DurationError::Unit),
    };
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 9 {
        return Err(DurationError::TooFine);
    }
    // Both parts are digits, so the only possible error is too many of them.
    let whole: u64 = whole.parse().map_err(|_| DurationError::TooLong)?;
    let parts: u64 = format!("0{fraction}")
        .parse()
        .map_err(|_| DurationError::TooFine)?;
    let scale = 10u64.pow(fraction.len() as u32);
    if !(parts * unit).is_multiple_of(scale) {
        return Err(DurationError::TooFine);
    }
    whole
        .checked_mul(unit)
        .and_then(|millis| millis.checked_add(parts * unit / scale))
        .map(Duration::from_millis)
        .filter(|duration| *duration <= longest)
        .ok_or(DurationError::TooLong)
}

/// Reads a duration of at least a millisecond, at most 24 hours.
pub(super) fn positive(text: &str) -> Result<Duration, DurationError> {
    match read(text, None, LONGEST)? {
        Duration::ZERO => Err(DurationError::Zero),
        time => Ok(time),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn millis(text: &str) -> Result<u128, DurationError> {
        read(text, None, LONGEST).map(|duration| duration.as_millis())
    }

    #[test]
    fn units_and_fractions() {
        assert_eq!(millis("100ms"), Ok(100));
        assert_eq!(millis("0.1s"), Ok(100));
        assert_eq!(millis("1.50 s"), Ok(1_500));
        assert_eq!(millis("2min"), Ok(120_000));
        assert_eq!(millis("0.5h"), Ok(1_800_000));
        assert_eq!(millis("24h"), Ok(86_400_000));
    }

    #[test]
    fn other_texts_are_no_durations() {
        for text in ["", "ms", ".5s", "1.s", "-1s", "s10"] {
            assert_eq!(millis(text), Err(DurationError::Number), "{text}");
        }
        for text in ["10", "10sec", "10 m", "1s2", "1_000ms", "1.2.3s"] {
            assert_eq!(millis(text), Err(DurationError::Unit), "{text}");
        }
        assert_eq!(millis("0.5ms"), Err(DurationError::TooFine));
        assert_eq!(millis("0.0000000001h"), Err(DurationError::TooFine));
        assert_eq!(millis("25h"), Err(DurationError::TooLong));
        assert_eq!(
            millis("99999999999999999999ms"),
            Err(DurationError::TooLong)
        );
        assert_eq!(millis("9999999999999999999h"), Err(DurationError::TooLong));
        assert_eq!(positive("0ms"), Err(DurationError::Zero));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[0-9]{0,25}[.]?[0-9]{0,25} ?[a-z+é]{0,4}") {
            let _ = positive(&text);
        }
    }
}
