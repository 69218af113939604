//! Limits per move.

use std::time::Duration;

use serde::Serialize;

use super::Clock;

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
const USUAL_MARGIN: Duration = Duration::from_millis(50);

impl Limits {
    /// Time by which a player may exceed its limit.
    pub fn allowed_margin(&self) -> Duration {
        self.margin.unwrap_or(USUAL_MARGIN)
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
            Some(TimeControl::Clock(clock)) => is_whole(clock.base) && is_whole(clock.increment),
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
