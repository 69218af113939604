//! Clocks in common notation: `10s+0.1s`, `10+0.1`, `1:30+0.5`, `40/60s+0.6s`.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::duration::{self, DurationError, LONGEST};
use super::values::TextForm;

/// A clock: time for a game, or for each period of a number of moves.
///
/// Its text (`Display`) reads back as the same clock if its times are whole milliseconds;
/// `first_increment` is a key of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Clock {
    /// Time at the start, and added by every further period; at least 1 ms.
    pub base: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Moves of a period, 1 to [`MAX_MOVES`]: after this number of moves by a player, its clock
    /// gets the base again and keeps the remaining time. `None` for one period for the whole game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// True if the increment is also added before the first move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub first_increment: bool,
}

/// Maximum number of moves in a period.
pub const MAX_MOVES: u32 = 10_000;

impl Clock {
    /// A clock for the whole game that starts with `base`.
    pub fn new(base: Duration, increment: Duration) -> Self {
        Self {
            base,
            increment,
            moves: None,
            first_increment: false,
        }
    }

    /// The time on the clock at the start.
    pub fn at_the_start(&self) -> Duration {
        if self.first_increment {
            self.base + self.increment
        } else {
            self.base
        }
    }

    /// The clock with each time mapped by `change`.
    pub(super) fn map(self, change: impl Fn(Duration) -> Duration) -> Self {
        Self {
            base: change(self.base),
            increment: change(self.increment),
            ..self
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(out, "{moves}/")?;
        }
        write!(out, "{:?}", self.base)?;
        if self.increment.is_zero() {
            return Ok(());
        }
        write!(out, "+{:?}", self.increment)
    }
}

/// The form of `clock`, which may be just a number of seconds.
pub(super) struct ClockForm;

impl TextForm for ClockForm {
    const EXPECTED: &'static str = "a text such as `\"10s+0.1s\"` or `\"40/60+0.6\"`";
    const EXAMPLES: &'static [&'static str] = &["10s+0.1s", "10+0.1", "1:30+0.5", "40/60+0.6"];
    const MAX: Option<u64> = Some(LONGEST.as_secs());

    fn pattern() -> String {
        const PLAIN: &str = r"[0-9]+(?:\.[0-9]+)?\s*(?:ms|s|min|h)?";
        const COLON: &str = r"[0-9]+(?:\.[0-9]+)?\s*:\s*[0-9]+(?:\.[0-9]+)?\s*s?";
        // With a colon the increment is required.
        format!(
            r"^\s*(?:[0-9]*[1-9][0-9]*\s*/\s*)?(?:{PLAIN}|(?:{PLAIN}|{COLON})\s*\+\s*(?:{PLAIN}|{COLON}))\s*$"
        )
    }
}

/// Reads the value of `clock`: optionally the moves of a period and `/`, a time, and optionally `+`
/// and an increment per move. A time has a unit, or is minutes and seconds separated by a colon, or
/// a number of seconds. With a colon the increment is required, even if it is `+0`: `10:0.1` often
/// means `10+0.1`.
pub(super) fn clock(text: &str) -> Result<Clock, DurationError> {
    let (period, increment) = text
        .split_once('+')
        .map_or((text, None), |(period, increment)| {
            (period, Some(increment))
        });
    let (moves, base) = match period.split_once('/') {
        Some((_, base)) if base.contains('/') => return Err(DurationError::Periods),
        Some((moves, base)) => (Some(number_of_moves(moves)?), base),
        None => (None, period),
    };
    let numbers = base.split_once(':').filter(|_| increment.is_none());
    let base = time(base)?;
    if base.is_zero() {
        return Err(DurationError::Zero);
    }
    if let Some((base_seconds, increment)) = numbers {
        let seconds = |text| duration::read(text, Some(1_000), LONGEST);
        return Err(DurationError::Ambiguous {
            time: base,
            base: seconds(base_seconds)?,
            increment: seconds(increment)?,
        });
    }
    let increment = increment.map_or(Ok(Duration::ZERO), time)?;
    Ok(Clock {
        moves,
        ..Clock::new(base, increment)
    })
}

fn number_of_moves(text: &str) -> Result<u32, DurationError> {
    let text = text.trim();
    // A sign is no digit.
    let are_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let moves = text.parse().ok().filter(|_| are_digits);
    let moves = moves.filter(|moves| (1..=MAX_MOVES).contains(moves));
    moves.ok_or(DurationError::Moves)
}

/// Reads a time of a clock.
fn time(text: &str) -> Result<Duration, DurationError> {
    let Some((minutes, seconds)) = text.split_once(':') else {
        let read = duration::read(text, Some(1_000), LONGEST);
        return read.map_err(|error| match error {
            DurationError::Unit => DurationError::UnitOrSeconds,
            error => error,
        });
    };
    let seconds = seconds.trim();
    let seconds = seconds.strip_suffix('s').unwrap_or(seconds);
    let bare = |text: &str| {
        text.trim()
            .bytes()
            .all(|it| it.is_ascii_digit() || it == b'.')
    };
    if !bare(minutes) || !bare(seconds) {
        return Err(DurationError::Minutes);
    }
    let minutes = duration::read(minutes, Some(60_000), LONGEST)?;
    let seconds = duration::read(seconds, Some(1_000), LONGEST)?;
    let time = minutes + seconds;
    if time > LONGEST {
        return Err(DurationError::TooLong);
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(moves: Option<u32>, base: u64, increment: u64) -> Clock {
        Clock {
            moves,
            ..Clock::new(
                Duration::from_millis(base),
                Duration::from_millis(increment),
            )
        }
    }

    #[test]
    fn common_notations_are_read() {
        for (text, moves, base, increment) in [
            ("10s+0.1s", None, 10_000, 100),
            ("10s + 100ms", None, 10_000, 100),
            ("1min", None, 60_000, 0),
            ("10+0.1", None, 10_000, 100),
            ("60", None, 60_000, 0),
            ("0.25+0.005", None, 250, 5),
            ("10s+0.1", None, 10_000, 100),
            ("40/60s+0.6s", Some(40), 60_000, 600),
            ("40/60", Some(40), 60_000, 0),
            ("40/60+0.6", Some(40), 60_000, 600),
            (" 40 / 1h + 0 ", Some(40), 3_600_000, 0),
            ("1/1ms", Some(1), 1, 0),
            ("10000/1", Some(10_000), 1_000, 0),
            ("1:30+0.5", None, 90_000, 500),
            ("1:30s + 0", None, 90_000, 0),
            ("0:90.5+0", None, 90_500, 0),
            ("1.5:0+0s", None, 90_000, 0),
            ("40/1:30+0:01", Some(40), 90_000, 1_000),
            ("24h", None, 86_400_000, 0),
        ] {
            assert_eq!(clock(text), Ok(of(moves, base, increment)), "{text}");
        }
    }

    #[test]
    fn invalid_clocks_are_refused_with_the_reason() {
        use DurationError as E;
        let ambiguous = |time, base, increment| E::Ambiguous {
            time: Duration::from_millis(time),
            base: Duration::from_millis(base),
            increment: Duration::from_millis(increment),
        };
        for (text, error) in [
            ("0/60", E::Moves),
            ("-1/60", E::Moves),
            ("/60", E::Moves),
            ("4.5/60", E::Moves),
            ("+40/60", E::Number),
            ("10001/60", E::Moves),
            ("99999999999999999999/60", E::Moves),
            ("nan/60", E::Moves),
            ("inf/60", E::Moves),
            ("40/90/30", E::Periods),
            ("", E::Number),
            ("40/", E::Number),
            ("10s+", E::Number),
            ("-10+0.1", E::Number),
            ("10+-0.1", E::Number),
            ("nan", E::Number),
            ("inf", E::Number),
            ("hg60", E::Number),
            (".5", E::Number),
            ("1.", E::Number),
            ("1e400", E::UnitOrSeconds),
            ("10+0.1+0.1", E::UnitOrSeconds),
            ("10 moves", E::UnitOrSeconds),
            ("1:30:00", E::Minutes),
            ("1min:30", E::Minutes),
            ("1:30ms", E::Minutes),
            ("1:-30", E::Minutes),
            (":30", E::Number),
            ("1:", E::Number),
            ("10:0.1", ambiguous(600_100, 10_000, 100)),
            ("1:30", ambiguous(90_000, 1_000, 30_000)),
            ("1:30s", ambiguous(90_000, 1_000, 30_000)),
            ("40/5:0.05", ambiguous(300_050, 5_000, 50)),
            ("0", E::Zero),
            ("0s+1s", E::Zero),
            ("40/0+1", E::Zero),
            ("0:0", E::Zero),
            ("10+0.0001", E::TooFine),
            ("86401", E::TooLong),
            ("1439:61", E::TooLong),
            ("1441:0", E::TooLong),
            ("10+86401", E::TooLong),
            ("99999999999999999999", E::TooLong),
        ] {
            assert_eq!(clock(text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_clock_without_the_new_keys_is_recorded_as_it_was() {
        let json = |clock: &Clock| serde_json::to_string(clock).unwrap();
        let mut clock = of(None, 10_000, 100);
        let before = r#"{"base":{"secs":10,"nanos":0},"increment":{"secs":0,"nanos":100000000}}"#;
        assert_eq!(json(&clock), before);
        clock.first_increment = true;
        assert!(json(&clock).ends_with(r#","first_increment":true}"#));
        clock.moves = Some(40);
        assert!(json(&clock).contains(r#","moves":40,"#));
        assert_eq!(clock.at_the_start(), Duration::from_millis(10_100));
    }

    proptest! {
        #[test]
        fn written_clocks_read_back(
            moves in proptest::option::of(1..=MAX_MOVES),
            base in 1..=86_400_000u64,
            increment in 0..=86_400_000u64,
        ) {
            let written = of(moves, base, increment);
            prop_assert_eq!(clock(&written.to_string()), Ok(written), "{}", written);
            // In seconds, as in other programs.
            let prefix = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
            let [seconds, more] = [base, increment].map(|millis| millis as f64 / 1e3);
            prop_assert_eq!(clock(&format!("{prefix}{seconds}+{more}")), Ok(written));
            let (minutes, rest) = (base / 60_000, (base % 60_000) as f64 / 1e3);
            prop_assert_eq!(clock(&format!("{prefix}{minutes}:{rest}+{more}")), Ok(written));
        }

        #[test]
        fn no_text_panics(text in "[0-9]{0,25}[/:.]?[0-9]{0,25}[/:.+ ]?[0-9]{0,9} ?[a-z+é]{0,4}") {
            let _ = clock(&text);
        }

        #[test]
        fn nor_does_any_other(text in ".{0,40}") {
            let _ = clock(&text);
        }
    }
}
