//! The clocks of one game.

use std::time::Duration;

use crate::config::{Limits, TimeControl};
use crate::game::Side;
use crate::player::{Budget, MARGIN, TimeBudget};

/// The clocks of both sides. For a side without a time control nothing is
/// measured.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    limits: [Limits; 2],
    remaining: [Duration; 2],
}

impl Clocks {
    /// The clocks at the start, that of the first mover first.
    pub(super) fn new(limits: [Limits; 2]) -> Self {
        let base = |limits: Limits| match limits.time {
            Some(TimeControl::Clock { base, .. }) => base,
            _ => Duration::ZERO,
        };
        Self {
            limits,
            remaining: limits.map(base),
        }
    }

    /// Whether the time of `side` has to be measured.
    pub(super) fn ticks_for(&self, side: Side) -> bool {
        self.limits[side.index()].time.is_some()
    }

    /// What `side` may spend on its next move.
    pub(super) fn budget(&self, side: Side) -> Budget {
        let limits = self.limits[side.index()];
        let time = limits.time.map(|control| match control {
            TimeControl::PerMove(time) => TimeBudget::Move(time),
            TimeControl::Clock { increment, .. } => {
                let remaining = self.remaining[side.index()];
                TimeBudget::Clock {
                    remaining,
                    opponent: self.clock_of(side.other()).unwrap_or(remaining),
                    increment,
                }
            }
        });
        Budget {
            nodes: limits.nodes,
            depth: limits.depth,
            time,
        }
    }

    /// What the clock of `side` shows; `None` if it has none.
    fn clock_of(&self, side: Side) -> Option<Duration> {
        let time = self.limits[side.index()].time;
        let has_clock = matches!(time, Some(TimeControl::Clock { .. }));
        has_clock.then(|| self.remaining[side.index()])
    }

    /// Books `spent` on a move of `side`; false if it overstepped.
    pub(super) fn book(&mut self, side: Side, spent: Duration) -> bool {
        let limits = self.limits[side.index()];
        let margin = limits.margin.unwrap_or(MARGIN);
        match limits.time {
            None => true,
            Some(TimeControl::PerMove(time)) => spent <= time + margin,
            Some(TimeControl::Clock { increment, .. }) => {
                let remaining = &mut self.remaining[side.index()];
                let in_time = spent <= *remaining + margin;
                *remaining = remaining.saturating_sub(spent) + increment;
                in_time
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let limits = Limits {
            time: Some(TimeControl::Clock {
                base: 3 * SECOND,
                increment: SECOND,
            }),
            ..Limits::default()
        };
        let mut clocks = Clocks::new([limits; 2]);
        assert!(clocks.book(Side::First, 2 * SECOND));
        let left = TimeBudget::Clock {
            remaining: 2 * SECOND,
            opponent: 3 * SECOND,
            increment: SECOND,
        };
        assert_eq!(clocks.budget(Side::First).time, Some(left));
        let untouched = TimeBudget::Clock {
            remaining: 3 * SECOND,
            opponent: 2 * SECOND,
            increment: SECOND,
        };
        assert_eq!(clocks.budget(Side::Second).time, Some(untouched));
        assert!(
            clocks.book(Side::First, 2 * SECOND + MARGIN),
            "the margin is granted"
        );
        assert!(
            !clocks.book(Side::First, 2 * SECOND),
            "only the increment was left"
        );
    }

    #[test]
    fn time_per_move_is_counted_move_by_move() {
        let limits = Limits {
            time: Some(TimeControl::PerMove(SECOND)),
            ..Limits::default()
        };
        let mut clocks = Clocks::new([limits; 2]);
        for _ in 0..10 {
            assert!(clocks.book(Side::Second, SECOND));
        }
        assert!(!clocks.book(Side::Second, 2 * SECOND));
        let patient = Limits {
            margin: Some(SECOND),
            ..limits
        };
        let mut clocks = Clocks::new([limits, patient]);
        assert!(!clocks.book(Side::First, 2 * SECOND));
        assert!(clocks.book(Side::Second, 2 * SECOND));
    }

    #[test]
    fn each_side_has_its_own_limits() {
        let clocked = Limits {
            time: Some(TimeControl::Clock {
                base: 3 * SECOND,
                increment: SECOND,
            }),
            ..Limits::default()
        };
        let counted = Limits {
            nodes: Some(100),
            ..Limits::default()
        };
        let mut clocks = Clocks::new([clocked, counted]);
        assert!(clocks.ticks_for(Side::First) && !clocks.ticks_for(Side::Second));
        assert!(
            clocks.book(Side::Second, 9 * SECOND),
            "no clock, no forfeit"
        );
        let told = TimeBudget::Clock {
            remaining: 3 * SECOND,
            opponent: 3 * SECOND,
            increment: SECOND,
        };
        assert_eq!(clocks.budget(Side::First).time, Some(told));
        let second = clocks.budget(Side::Second);
        assert_eq!((second.nodes, second.time), (Some(100), None));
    }
}
