//! What a player may spend on a move.

use std::time::Duration;

use serde::Serialize;

use super::Clock;

/// What a player may spend on a move. At least one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Nodes per move, never overrun; 1 to 2^32 - 1.
    pub nodes: Option<u64>,
    /// Depth per move, in plies; 1 to 64.
    pub depth: Option<u32>,
    /// Wall-clock time.
    pub time: Option<TimeControl>,
    /// How far a player may overstep its time, at least 1 ms; `None` for the
    /// usual margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Duration>,
    /// The speed, in nodes per second of `leitai bench`, of the machine that the
    /// times are meant for; on another one they are scaled. `None`: they are
    /// taken as they stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_nps: Option<u64>,
    /// Whether `nodes` are those of the first variant (of a gate: of its base), and the others
    /// have as many as they search in the same time: see
    /// [`Config::budgets`](super::Config::budgets). Only of the limits of a whole config.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub equal_time: bool,
}

/// How far a player may overstep its time where the config says nothing: what a busy machine
/// may take between the player's answer and the referee's clock.
const USUAL_MARGIN: Duration = Duration::from_millis(50);

impl Limits {
    /// How far a player may overstep its time.
    pub fn allowed_margin(&self) -> Duration {
        self.margin.unwrap_or(USUAL_MARGIN)
    }

    /// The clock, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        match self.time {
            Some(TimeControl::Clock(clock)) => Some(clock),
            Some(TimeControl::PerMove(_)) | None => None,
        }
    }

    /// Whether all times, if any, are whole seconds.
    pub fn has_whole_seconds(&self) -> bool {
        let is_whole = |time: Duration| time.subsec_nanos() == 0;
        match self.time {
            None => true,
            Some(TimeControl::PerMove(time)) => is_whole(time),
            Some(TimeControl::Clock(clock)) => is_whole(clock.base) && is_whole(clock.increment),
        }
    }

    /// The same with times for a machine that makes so many nodes per second;
    /// unchanged without a [`reference_nps`](Limits::reference_nps).
    #[must_use]
    pub fn scaled(mut self, nps: f64) -> Self {
        if let Some(reference) = self.reference_nps {
            let factor = reference as f64 / nps.max(1.0);
            self.time = self.time.map(|time| time.scaled(factor));
        }
        self
    }
}

/// Wall-clock limits: the only ones under which play in this process is not
/// reproducible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// So much per move.
    PerMove(Duration),
    /// A clock with an increment per move.
    Clock(Clock),
}

impl TimeControl {
    /// The same with other times.
    pub(super) fn map(self, change: impl Fn(Duration) -> Duration) -> Self {
        match self {
            TimeControl::PerMove(time) => TimeControl::PerMove(change(time)),
            TimeControl::Clock(clock) => TimeControl::Clock(clock.map(change)),
        }
    }

    /// So many times as long; at least a millisecond where there was any time.
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
