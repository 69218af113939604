//! The clocks of one game.

use std::time::Duration;

use crate::config::{Limits, TimeControl};
use crate::game::Side;
use crate::player::{Budget, MARGIN, TimeBudget};

/// The clocks of both sides. Without a time control nothing is measured.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    limits: Limits,
    remaining: [Duration; 2],
    margin: Duration,
}

impl Clocks {
    pub(super) fn new(limits: Limits) -> Self {
        let base = match limits.time {
            Some(TimeControl::Clock { base, .. }) => base,
            _ => Duration::ZERO,
        };
        Self {
            limits,
            remaining: [base; 2],
            margin: limits.margin.unwrap_or(MARGIN),
        }
    }

    /// Whether time has to be measured at all.
    pub(super) fn ticking(&self) -> bool {
        self.limits.time.is_some()
    }

    /// What `side` may spend on its next move.
    pub(super) fn budget(&self, side: Side) -> Budget {
        let time = self.limits.time.map(|control| match control {
            TimeControl::PerMove(time) => TimeBudget::Move(time),
            TimeControl::Clock { increment, .. } => TimeBudget::Clock {
                remaining: self.remaining[side.index()],
                opponent: self.remaining[side.other().index()],
                increment,
            },
        });
        Budget {
            nodes: self.limits.nodes,
            depth: self.limits.depth,
            time,
        }
    }

    /// Books `spent` on a move of `side`; false if it overstepped.
    pub(super) fn book(&mut self, side: Side, spent: Duration) -> bool {
        match self.limits.time {
            None => true,
            Some(TimeControl::PerMove(time)) => spent <= time + self.margin,
            Some(TimeControl::Clock { increment, .. }) => {
                let remaining = &mut self.remaining[side.index()];
                let in_time = spent <= *remaining + self.margin;
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
        let mut clocks = Clocks::new(limits);
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
        let mut clocks = Clocks::new(limits);
        for _ in 0..10 {
            assert!(clocks.book(Side::Second, SECOND));
        }
        assert!(!clocks.book(Side::Second, 2 * SECOND));
        let mut patient = Clocks::new(Limits {
            margin: Some(SECOND),
            ..limits
        });
        assert!(patient.book(Side::Second, 2 * SECOND));
    }
}
