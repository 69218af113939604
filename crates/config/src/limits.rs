//! Limits per move.

use std::ops::Range;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clock::{Clock, ClockForm, clock};
use super::duration::{DurationError, time_text};
use super::problem::{Problem, Problems};
use super::values::{Of, Spanned, Time, Whole, flag_or, no_time, ranged, time};

/// The limits of a player's move. At least one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Nodes per move, never overrun; 1 to 2^32 - 1.
    pub nodes: Option<u64>,
    /// Depth per move, in plies; 1 to 64.
    pub depth: Option<u32>,
    /// Time limit.
    pub time: Option<TimeControl>,
    /// Time by which a player may exceed its limit, at least 1 ms; `None` for the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Duration>,
    /// Speed of the machine that the times are meant for, in nodes per second of `leitai bench`; on
    /// other machines the times are scaled. `None` for unscaled times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_nps: Option<u64>,
    /// True if `nodes` applies to the first variant (in a gate to the baseline), and the others get
    /// as many nodes as they search in the same time: see
    /// [`Config::budgets`](super::Config::budgets). Only in the limits of a whole config.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub equal_time: bool,
}

/// Default time by which a player may exceed its limit: the delay that a busy machine can add
/// between the player's answer and the referee's clock.
const DEFAULT_MARGIN: Duration = Duration::from_millis(50);

impl Limits {
    /// A short description.
    pub fn words(&self) -> String {
        let nodes = self.nodes.map(|nodes| format!("{nodes} nodes"));
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let time = self.time.map(|time| match time {
            TimeControl::PerMove(time) => format!("{time:?} a move"),
            TimeControl::Clock(clock)
                if clock.moves.is_some() || clock.hourglass || !clock.byoyomi.is_zero() =>
            {
                clock.to_string()
            }
            TimeControl::Clock(clock) => {
                let [base, increment] = [clock.base, clock.increment].map(time_text);
                format!("{base}+{increment} a game")
            }
        });
        let equal = self.equal_time.then(|| "equal time".to_owned());
        let words: Vec<String> = [nodes, depth, time, equal].into_iter().flatten().collect();
        words.join(", ")
    }

    /// Time by which a player may exceed its limit.
    pub fn allowed_margin(&self) -> Duration {
        self.margin.unwrap_or(DEFAULT_MARGIN)
    }

    /// The clock, if any.
    pub fn clock(&self) -> Option<Clock> {
        match self.time {
            Some(TimeControl::Clock(clock)) => Some(clock),
            Some(TimeControl::PerMove(_)) | None => None,
        }
    }

    /// Returns whether all times, if any, are whole seconds.
    pub fn has_whole_seconds(&self) -> bool {
        let is_whole = |time: Duration| time.subsec_nanos() == 0;
        match self.time {
            None => true,
            Some(TimeControl::PerMove(time)) => is_whole(time),
            Some(TimeControl::Clock(clock)) => {
                let mut stages = clock.stages();
                is_whole(clock.byoyomi)
                    && stages.all(|stage| is_whole(stage.base) && is_whole(stage.increment))
            }
        }
    }

    /// The limits with times scaled to a machine with `nps` nodes per second; unchanged without a
    /// [`reference_nps`](Limits::reference_nps).
    #[must_use]
    pub fn scaled(mut self, nps: f64) -> Self {
        if let Some(reference) = self.reference_nps {
            let factor = reference as f64 / nps.max(1.0);
            self.time = self.time.map(|time| time.scaled(factor));
        }
        self
    }
}

/// Time limits: the only limits under which play in this process is not reproducible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// A fixed time per move.
    PerMove(Duration),
    /// A clock with an increment per move.
    Clock(Clock),
}

impl TimeControl {
    /// The time control with each time mapped by `change`.
    pub(super) fn map(self, change: impl Fn(Duration) -> Duration) -> Self {
        match self {
            TimeControl::PerMove(time) => TimeControl::PerMove(change(time)),
            TimeControl::Clock(clock) => TimeControl::Clock(clock.map(change)),
        }
    }

    /// Multiplies all times by `factor`; a positive time stays at least a millisecond.
    fn scaled(self, factor: f64) -> Self {
        self.map(|time| {
            if time.is_zero() {
                return time;
            }
            let scaled = Duration::try_from_secs_f64(time.as_secs_f64() * factor);
            scaled.unwrap_or(time).max(Duration::from_millis(1))
        })
    }
}

/// Records store the nodes of a move in 32 bits.
pub(super) const MAX_NODES: i64 = u32::MAX as i64;
/// More than a thread of any machine searches.
const MAX_NPS: i64 = 1_000_000_000;
/// Maximum depth of a search in plies.
pub(super) const MAX_DEPTH: i64 = 64;

/// `[limits]` as typed.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "limits")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawLimits {
    /// Nodes per move, never overrun; a node is a move made below the root.
    nodes: Option<Of<Whole<1, MAX_NODES>>>,
    /// Plies per move.
    depth: Option<Of<Whole<1, MAX_DEPTH>>>,
    /// Time per move; excludes `clock`.
    movetime: Option<Of<Time>>,
    /// Time per game or per number of moves, and increment per move, in up to four stages; or an
    /// hourglass or byoyomi; excludes `movetime`.
    clock: Option<Of<ClockForm>>,
    /// The clock starts with an additional increment, as in fastchess and cutechess.
    first_increment: Option<Spanned<bool>>,
    /// Time by which a player may exceed its limit; 50 ms if absent.
    margin: Option<Of<Time>>,
    /// Speed in nodes per second, as measured by `leitai bench`, of the machine that the times are
    /// meant for; on other machines the times are scaled.
    reference_nps: Option<Of<Whole<1_000, MAX_NPS>>>,
    /// `nodes` applies to the first variant, or in a gate to the baseline; the others get as many
    /// nodes as they search in the same time. The speeds are measured before the first game and
    /// kept in the record.
    equal_time: Option<Spanned<bool>>,
}

/// `[limits]`: at least one limit is required.
pub(super) fn limits(raw: &Spanned<RawLimits>, problems: &mut Problems) -> Limits {
    let fields = raw.get_ref();
    let (movetime, clock) = (
        fields.movetime.as_ref().map(Of::span),
        fields.clock.as_ref().map(Of::span),
    );
    let time_place = movetime.clone().or(clock.clone());
    if let (Some(movetime), Some(clock)) = (movetime, clock.clone()) {
        Problem::exclusive(["clock", "movetime"], clock, movetime).report(problems);
    }
    let equal_time = fields.equal_time.as_ref().filter(|on| *on.get_ref());
    let is_limited = fields.nodes.is_some() || fields.depth.is_some() || time_place.is_some();
    // Missing nodes for `equal_time` are reported below.
    if !is_limited && equal_time.is_none() {
        no_limits(raw.span()).report(problems);
    }
    let times = "`movetime = \"100ms\"` or `clock = \"10s+0.1s\"`";
    for (place, needed, message, remedy) in [
        (
            fields.margin.as_ref().map(Of::span),
            &time_place,
            "a `margin` without a time to overstep",
            times,
        ),
        (
            fields.reference_nps.as_ref().map(Of::span),
            &time_place,
            "a `reference_nps` without a time to scale",
            times,
        ),
        (
            fields.first_increment.as_ref().map(Spanned::span),
            &clock,
            "`first_increment` without a clock that has one",
            "`clock = \"10s+0.1s\"`",
        ),
    ] {
        if let (Some(place), None) = (place, needed) {
            Problem::error(place, message)
                .help(format!("remove it, or add {remedy}"))
                .report(problems);
        }
    }
    match (equal_time, time_place) {
        (Some(flag), _) if fields.nodes.is_none() => {
            Problem::error(flag.span(), "`equal_time` without nodes to scale")
                .help("add `nodes = 20000`: those of the first variant")
                .report(problems);
        }
        (Some(flag), Some(time)) => {
            Problem::error(flag.span(), "`equal_time` together with a time")
                .context(time, "the time")
                .help("remove one of them: `equal_time` scales `nodes`, so that no clock is needed")
                .report(problems);
        }
        _ => {}
    }
    let margin = time(&fields.margin, "margin", "\"200ms\"", problems);
    let movetime = time(&fields.movetime, "movetime", "\"100ms\"", problems);
    let first_increment = flag_or(&fields.first_increment, false);
    let clock = fields.clock.as_ref();
    let clock = clock.and_then(|text| read_clock(text, first_increment, problems));
    if let (Some(flag), Some(clock)) = (&fields.first_increment, &clock)
        && first_increment
        && clock.increment.is_zero()
    {
        Problem::error(
            flag.span(),
            "`first_increment` with a clock without increment",
        )
        .help("remove it, or add an increment: `clock = \"10s+0.1s\"`")
        .report(problems);
    }
    Limits {
        nodes: ranged(&fields.nodes, "limits.nodes", problems),
        depth: ranged(&fields.depth, "limits.depth", problems),
        time: movetime
            .map(TimeControl::PerMove)
            .or(clock.map(TimeControl::Clock)),
        margin,
        reference_nps: ranged(&fields.reference_nps, "limits.reference_nps", problems),
        equal_time: equal_time.is_some(),
    }
}

/// Reads the clock in the text.
fn read_clock(
    text: &Of<ClockForm>,
    first_increment: bool,
    problems: &mut Problems,
) -> Option<Clock> {
    let typed: &str = text.get_ref();
    let error = match clock(typed) {
        Ok(clock) if clock.base.is_zero() && clock.byoyomi.is_zero() && !first_increment => {
            return Problem::error(text.span(), "a `clock` without time for the first move")
                .help(
                    "add `first_increment = true`: it then starts with its increment; or give it \
                     time,\nsuch as `clock = \"1s+0.1s\"`",
                )
                .refuse(problems);
        }
        Ok(clock) => {
            return Some(Clock {
                first_increment,
                ..clock
            });
        }
        Err(error) => error,
    };
    let (base, increment) = match error {
        DurationError::Ambiguous {
            base, increment, ..
        } if !typed.contains(',') => (base, increment),
        _ => {
            return no_time(text.span(), "clock", error)
                .help(
                    "write it like this: `clock = \"10s+0.1s\"`, in seconds `\"10+0.1\"`, in \
                     minutes and\nseconds `\"1:30+0.5\"`; for every 40 moves `\"40/60s+0.6s\"`; \
                     in stages `\"40/60, 20/30\"`;\n`\"hourglass 60s\"`; `\"10min byoyomi 30s\"`",
                )
                .refuse(problems);
        }
    };
    let (moves, minutes) = typed.rsplit_once('/').unwrap_or(("", typed));
    let moves = match moves.trim() {
        "" => String::new(),
        moves => format!("{moves}/"),
    };
    let increment = time_text(increment);
    Problem::error(text.span(), "an ambiguous `clock`")
        .label(error.to_string())
        .help(format!(
            "write `clock = \"{moves}{}+0\"` for minutes and seconds without an increment,\n\
             or `clock = \"{moves}{base:?}+{increment}\"` for an increment",
            minutes.trim()
        ))
        .refuse(problems)
}

/// The error for a player without limits.
pub(super) fn no_limits(span: Range<usize>) -> Problem {
    Problem::error(span, "no limits: a player must know when to move").help(
        "give at least one limit under `[limits]`: `nodes = 5000`, `depth = 6`,\n\
         `movetime = \"100ms\"` or `clock = \"10s+0.1s\"`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_keeps_the_moves_of_a_period() {
        let ms = Duration::from_millis;
        let clock = Clock {
            moves: Some(40),
            first_increment: true,
            ..Clock::new(ms(60_000), ms(600))
        };
        let limits = Limits {
            time: Some(TimeControl::Clock(clock)),
            reference_nps: Some(1_000_000),
            ..Limits::default()
        };
        let scaled = Clock {
            base: ms(30_000),
            increment: ms(300),
            ..clock
        };
        assert_eq!(limits.scaled(2e6).clock(), Some(scaled));
        assert!(!limits.has_whole_seconds());
    }
}
