//! Clocks in common notation: `10s+0.1s`, `10+0.1`, `1:30+0.5`, `40/60s+0.6s`, `40/60, 20/30`,
//! `hourglass 60s`, `10min byoyomi 30s`.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::duration::{self, DurationError, LONGEST, time_text};
use super::values::TextForm;

/// A clock: time for a game, or for each period of a number of moves.
///
/// Its text (`Display`) reads back as the same clock if its times are whole milliseconds;
/// `first_increment` is a key of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Clock {
    /// Time at the start, and added by every further period; 0 only with an increment or byoyomi.
    pub base: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Moves of a period, 1 to [`MAX_MOVES`]: after this number of moves by a player, its clock
    /// keeps the remaining time and gets the time of the next stage, or the base again if there is
    /// no next stage. `None` if one period lasts for the whole game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// True if the increment is also added before the first move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub first_increment: bool,
    /// True if the time that a player uses is added to the opponent's clock, if that is an
    /// hourglass too. An hourglass has neither periods nor an increment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hourglass: bool,
    /// Time for each move once the base is used up; unused byoyomi is lost. Such a clock has neither
    /// periods nor an increment.
    #[serde(skip_serializing_if = "Duration::is_zero")]
    pub byoyomi: Duration,
    /// The stages after the first.
    #[serde(skip_serializing_if = "LaterStages::is_empty")]
    pub later: LaterStages,
}

/// Maximum number of moves in a period.
pub const MAX_MOVES: u32 = 10_000;

/// Maximum number of stages of a clock.
pub const MAX_STAGES: usize = 4;

/// A stage of a clock. The last one repeats, or lasts for the rest of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// Time added at the start of the stage, and of each repetition; 0 only with an increment.
    pub base: Duration,
    /// Added after every move of the stage.
    pub increment: Duration,
    /// Moves of the stage, 1 to [`MAX_MOVES`]; `None` for the rest of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// The stages of a clock after its first one, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaterStages([Option<Stage>; MAX_STAGES - 1]);

impl LaterStages {
    /// Up to `MAX_STAGES - 1` stages; `None` if there are more.
    pub fn new(stages: &[Stage]) -> Option<Self> {
        let mut later = Self::default();
        let places = later.0.get_mut(..stages.len())?;
        for (place, stage) in places.iter_mut().zip(stages) {
            *place = Some(*stage);
        }
        Some(later)
    }

    fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }
}

impl Serialize for LaterStages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flatten())
    }
}

impl Clock {
    /// A clock for the whole game that starts with `base`.
    pub fn new(base: Duration, increment: Duration) -> Self {
        Self {
            base,
            increment,
            moves: None,
            first_increment: false,
            hourglass: false,
            byoyomi: Duration::ZERO,
            later: LaterStages::default(),
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

    /// The stages in order: at least one.
    pub fn stages(&self) -> impl Iterator<Item = Stage> {
        let first = Stage {
            base: self.base,
            increment: self.increment,
            moves: self.moves,
        };
        std::iter::once(first).chain(self.later.0.into_iter().flatten())
    }

    /// The index of the stage after the one with this index, from 0: the last one repeats.
    pub fn next_stage(&self, stage: usize) -> usize {
        (stage + 1).min(self.stages().count() - 1)
    }

    /// The time that a player gets for this number of moves, in seconds. An incomplete last period
    /// counts in proportion to its moves.
    pub fn seconds_for(&self, moves: u32) -> f64 {
        let mut left = f64::from(moves);
        let mut seconds = left * self.byoyomi.as_secs_f64();
        let mut stages = self.stages().peekable();
        while let Some(stage) = stages.next() {
            let is_last = stages.peek().is_none();
            let of = stage.moves.map(f64::from);
            let played = of.filter(|_| !is_last).map_or(left, |of| of.min(left));
            let periods = of.map_or(1.0, |of| played / of);
            seconds += periods * stage.base.as_secs_f64() + played * stage.increment.as_secs_f64();
            left -= played;
        }
        seconds
    }

    /// The clock with each time mapped by `change`.
    pub(super) fn map(mut self, change: impl Fn(Duration) -> Duration) -> Self {
        for stage in self.later.0.iter_mut().flatten() {
            stage.base = change(stage.base);
            stage.increment = change(stage.increment);
        }
        Self {
            base: change(self.base),
            increment: change(self.increment),
            byoyomi: change(self.byoyomi),
            ..self
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        if self.hourglass {
            write!(out, "{HOURGLASS} ")?;
        }
        for (index, stage) in self.stages().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(out, "{comma}{stage}")?;
        }
        if !self.byoyomi.is_zero() {
            write!(out, " {BYOYOMI} {}", time_text(self.byoyomi))?;
        }
        Ok(())
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(out, "{moves}/")?;
        }
        write!(out, "{}", time_text(self.base))?;
        if self.increment.is_zero() {
            return Ok(());
        }
        write!(out, "+{}", time_text(self.increment))
    }
}

/// The word before the time of an hourglass.
const HOURGLASS: &str = "hourglass";

/// The keyword before the time per move.
pub(super) const BYOYOMI: &str = "byoyomi";

/// The form of `clock`, which may be just a number of seconds.
pub(super) struct ClockForm;

impl TextForm for ClockForm {
    const EXPECTED: &'static str = "a text such as `\"10s+0.1s\"` or `\"40/60+0.6\"`";
    const EXAMPLES: &'static [&'static str] = &[
        "10s+0.1s",
        "10+0.1",
        "1:30+0.5",
        "40/60+0.6",
        "40/60, 20/30, 15+0.5",
        "hourglass 60s",
        "10min byoyomi 30s",
    ];
    const MAX: Option<u64> = Some(LONGEST.as_secs());

    fn pattern() -> String {
        const PLAIN: &str = r"[0-9]+(?:\.[0-9]+)?\s*(?:ms|s|min|h)?";
        const NUMBER: &str = r"[0-9]+(?:\.[0-9]+)?";
        // With one colon the increment is required.
        let short = format!(r"{NUMBER}\s*:\s*{NUMBER}\s*s?");
        let long = format!(r"{NUMBER}\s*:\s*{short}");
        let time = format!("(?:{PLAIN}|{short}|{long})");
        let times = format!(r"(?:{PLAIN}|{long}|{time}\s*\+\s*{time})");
        format!(
            r"^\s*(?:(?:[0-9]*[1-9][0-9]*\s*/\s*{times}\s*,\s*){{0,{}}}(?:[0-9]+\s*/\s*)?{times}|{HOURGLASS}\s+(?:{PLAIN}|{long})|(?:{PLAIN}|{long})?\s*{BYOYOMI}\s+(?:{PLAIN}|{long}))\s*$",
            MAX_STAGES - 1
        )
    }
}

/// Reads the value of `clock`: stages separated by commas, each of them optionally the moves of a
/// period and `/`, a time, and optionally `+` and an increment per move; or `hourglass` and a time;
/// or optionally a time, then `byoyomi` and a time.
/// A time has a unit, or is minutes and seconds, or hours, minutes and seconds, separated by colons,
/// or a number of seconds. With one colon the increment is required, even if it is `+0`: `10:0.1`
/// often means `10+0.1`.
pub(super) fn clock(text: &str) -> Result<Clock, DurationError> {
    if let Some(text) = text.trim().strip_prefix(HOURGLASS) {
        let only = stage(text)?;
        let is_plain = only.moves.is_none() && only.increment.is_zero();
        let clock = Clock {
            hourglass: true,
            ..Clock::new(only.base, Duration::ZERO)
        };
        return Some(clock)
            .filter(|_| is_plain)
            .ok_or(DurationError::Hourglass);
    }
    if let Some((base, byoyomi)) = text.split_once(BYOYOMI) {
        let [base, byoyomi] = [if base.trim().is_empty() { "0" } else { base }, byoyomi];
        if [base, byoyomi]
            .iter()
            .any(|it| it.contains(['/', '+', ',']))
        {
            return Err(DurationError::Byoyomi);
        }
        let (base, byoyomi) = (time(base)?, time(byoyomi)?);
        return match byoyomi {
            Duration::ZERO => Err(DurationError::Zero),
            byoyomi => Ok(Clock {
                byoyomi,
                ..Clock::new(base, Duration::ZERO)
            }),
        };
    }
    let stages: Result<Vec<Stage>, _> = text.split(',').map(stage).collect();
    let stages = stages?;
    let Some((&first, later)) = stages.split_first() else {
        return Err(DurationError::Number);
    };
    let mut ended = stages.iter().rev().skip(1);
    if ended.any(|stage| stage.moves.is_none()) {
        return Err(DurationError::Endless);
    }
    Ok(Clock {
        moves: first.moves,
        later: LaterStages::new(later).ok_or(DurationError::Stages)?,
        ..Clock::new(first.base, first.increment)
    })
}

/// Reads one stage of a clock.
fn stage(text: &str) -> Result<Stage, DurationError> {
    let (period, increment) = text
        .split_once('+')
        .map_or((text, None), |(period, increment)| {
            (period, Some(increment))
        });
    let (moves, base) = match period.split_once('/') {
        Some((_, base)) if base.contains('/') => return Err(DurationError::Periods),
        Some((moves, base)) => (number_of_moves(moves)?, base),
        None => (None, period),
    };
    if increment.is_some_and(|increment| increment.contains(':') && increment.contains(['/', '+']))
    {
        return Err(DurationError::Periods);
    }
    let numbers = base.split_once(':').filter(|_| increment.is_none());
    let base = time(base)?;
    let numbers = numbers.filter(|(_, seconds)| !seconds.contains(':'));
    if let Some((base_seconds, increment)) = numbers.filter(|_| !base.is_zero()) {
        let seconds = |text| duration::read(text, Some(1_000), LONGEST);
        return Err(DurationError::Ambiguous {
            time: base,
            base: seconds(base_seconds)?,
            increment: seconds(increment)?,
        });
    }
    let increment = increment.map_or(Ok(Duration::ZERO), time)?;
    if base.is_zero() && increment.is_zero() {
        return Err(DurationError::Zero);
    }
    Ok(Stage {
        base,
        increment,
        moves,
    })
}

/// Reads the moves of a stage; `None` for 0, the rest of the game.
fn number_of_moves(text: &str) -> Result<Option<u32>, DurationError> {
    let text = text.trim();
    // `parse` accepts a leading `+`.
    let are_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let moves: Option<u32> = text.parse().ok().filter(|_| are_digits);
    let moves = moves.filter(|&moves| moves <= MAX_MOVES);
    let moves = moves.ok_or(DurationError::Moves)?;
    Ok((moves > 0).then_some(moves))
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
    let (hours, minutes, seconds) = match seconds.split_once(':') {
        Some((middle, seconds)) => (minutes, middle, seconds),
        None => ("0", minutes, seconds),
    };
    let seconds = seconds.trim();
    let seconds = seconds.strip_suffix('s').unwrap_or(seconds);
    let parts = [(hours, 3_600_000), (minutes, 60_000), (seconds, 1_000)];
    let is_bare = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    if !parts
        .iter()
        .all(|(text, _)| text.trim().bytes().all(is_bare))
    {
        return Err(DurationError::Minutes);
    }
    let mut time = Duration::ZERO;
    for (text, unit) in parts {
        time += duration::read(text, Some(unit), LONGEST)?;
    }
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
            ("1:00:00+30", None, 3_600_000, 30_000),
            ("1:30:00", None, 5_400_000, 0),
            ("40/1:00:30.5s", Some(40), 3_630_500, 0),
            ("0+0.1", None, 0, 100),
            ("0/10+0.1", None, 10_000, 100),
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
            ("hourglass", E::Number),
            ("hourglass 60+1", E::Hourglass),
            ("hourglass 40/60", E::Hourglass),
            ("hourglass 0", E::Zero),
            ("byoyomi", E::Number),
            ("byoyomi 0", E::Zero),
            ("10+1 byoyomi 5", E::Byoyomi),
            ("40/60 byoyomi 5", E::Byoyomi),
            ("60 byoyomi 5, 30", E::Byoyomi),
            ("60 byoyomi 5 byoyomi 5", E::UnitOrSeconds),
            ("60, 20/30", E::Endless),
            ("40/60, 0/30, 15", E::Endless),
            ("4/1, 3/1, 2/1, 1/1, 1", E::Stages),
            ("40/60,", E::Number),
            ("40/60, 0", E::Zero),
            ("40/60:20/30", E::Periods),
            ("40/10+0.1:20+0.2", E::Periods),
            ("40/10+0.1:20/5", E::Periods),
            (".5", E::Number),
            ("1.", E::Number),
            ("1e400", E::UnitOrSeconds),
            ("10+0.1+0.1", E::UnitOrSeconds),
            ("10 moves", E::UnitOrSeconds),
            ("1:2:3:4", E::Minutes),
            ("1::30", E::Number),
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
            ("0s+0s", E::Zero),
            ("40/0", E::Zero),
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

    #[test]
    fn stages_and_hourglasses_are_read() {
        let ms = Duration::from_millis;
        let stage = |moves, base, increment| Stage {
            base: ms(base),
            increment: ms(increment),
            moves,
        };
        for (text, written, stages) in [
            (
                "40/60+0.6, 20/30 ,15+1",
                "40/60s+600ms, 20/30s, 15s+1s",
                &[
                    stage(Some(40), 60_000, 600),
                    stage(Some(20), 30_000, 0),
                    stage(None, 15_000, 1_000),
                ][..],
            ),
            (
                "40/1:30+0, 20/0+0.5",
                "40/90s, 20/0s+500ms",
                &[stage(Some(40), 90_000, 0), stage(Some(20), 0, 500)],
            ),
            (
                " hourglass  1min ",
                "hourglass 60s",
                &[stage(None, 60_000, 0)],
            ),
        ] {
            let read = clock(text).unwrap();
            assert_eq!(read.stages().collect::<Vec<_>>(), stages, "{text}");
            assert_eq!(read.to_string(), written);
            assert_eq!(read.hourglass, text.contains("hourglass"));
            assert!(!read.first_increment);
        }
    }

    #[test]
    fn stages_are_recorded_as_a_list_and_an_hourglass_as_a_flag() {
        let json = |text: &str| serde_json::to_value(clock(text).unwrap()).unwrap();
        let stages = json("40/60, 20/30+1, 15");
        let seconds = |secs: u32| serde_json::json!({ "secs": secs, "nanos": 0 });
        let later = serde_json::json!([
            { "base": seconds(30), "increment": seconds(1), "moves": 20 },
            { "base": seconds(15), "increment": seconds(0) },
        ]);
        assert_eq!(stages["later"], later);
        assert_eq!(stages.get("hourglass"), None);
        assert_eq!(json("hourglass 60")["hourglass"], true);
    }

    #[test]
    fn the_last_stage_repeats_and_each_gives_its_time() {
        let read = |text: &str| clock(text).unwrap();
        let stages = read("40/60, 20/30");
        assert_eq!([0, 1].map(|stage| stages.next_stage(stage)), [1, 1]);
        assert_eq!(read("40/60").next_stage(0), 0);
        let close = |given: f64, seconds: f64| assert!((given - seconds).abs() < 1e-9, "{given}");
        // Two periods of 20 moves after the first.
        close(stages.seconds_for(80), 60.0 + 2.0 * 30.0);
        close(stages.seconds_for(10), 15.0);
        close(
            read("40/60+1, 15+2").seconds_for(60),
            60.0 + 40.0 + 15.0 + 40.0,
        );
        close(read("10+0.1").seconds_for(60), 16.0);
        close(read("40/60").seconds_for(60), 90.0);
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
            let (hours, minutes) = (minutes / 60, minutes % 60);
            prop_assert_eq!(clock(&format!("{prefix}{hours}:{minutes}:{rest}+{more}")), Ok(written));
        }

        #[test]
        fn written_stages_read_back(
            stages in proptest::collection::vec((1..=MAX_MOVES, 0..=86_400_000_u64, 1..=9_999_u64), 1..=MAX_STAGES),
            is_last_endless in proptest::bool::ANY,
            is_hourglass in proptest::bool::ANY,
        ) {
            let mut stages: Vec<Stage> = stages.into_iter().map(|(moves, base, increment)| Stage {
                base: Duration::from_millis(base),
                increment: Duration::from_millis(increment),
                moves: Some(moves),
            }).collect();
            if is_last_endless {
                stages.last_mut().unwrap().moves = None;
            }
            let mut written = Clock {
                moves: stages[0].moves,
                later: LaterStages::new(&stages[1..]).unwrap(),
                ..Clock::new(stages[0].base, stages[0].increment)
            };
            if is_hourglass {
                written = Clock { hourglass: true, ..Clock::new(stages[0].increment, Duration::ZERO) };
            }
            prop_assert_eq!(clock(&written.to_string()), Ok(written), "{}", written);
        }

        #[test]
        fn no_text_panics(text in "(hourglass ?)?[0-9]{0,25}[/:.,]?[0-9]{0,25}[/:.+, ]?[0-9]{0,9} ?[a-z+é]{0,4}") {
            let _ = clock(&text);
        }

        #[test]
        fn nor_does_any_other(text in ".{0,40}") {
            let _ = clock(&text);
        }
    }
}
