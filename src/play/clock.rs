//! The clocks of one game.

use std::time::Duration;

use crate::config::{Limits, TimeControl};
use crate::game::Side;
use crate::player::{Budget, TimeBudget};

/// How a move stands to its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    /// In time.
    InTime,
    /// In time without the pauses that fell into it: it may have been another move without.
    Paused,
    /// Too late, whatever paused meanwhile: by so much, the margin not included.
    Late(Duration),
}

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

    /// Books a move of `side` that took `elapsed`, of which `paused` was lost in pauses, if
    /// there were some: they are charged to nobody.
    pub(super) fn book(
        &mut self,
        side: Side,
        elapsed: Duration,
        paused: Option<Duration>,
    ) -> Timing {
        let spent = elapsed.saturating_sub(paused.unwrap_or_default());
        let limits = self.limits[side.index()];
        let margin = limits.allowed_margin();
        let late = match limits.time {
            None => return Timing::InTime,
            Some(TimeControl::PerMove(time)) => spent.saturating_sub(time),
            Some(TimeControl::Clock { increment, .. }) => {
                let remaining = &mut self.remaining[side.index()];
                let late = spent.saturating_sub(*remaining);
                *remaining = remaining.saturating_sub(spent) + increment;
                late
            }
        };
        match paused {
            _ if late > margin => Timing::Late(late),
            Some(_) => Timing::Paused,
            None => Timing::InTime,
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
        assert_eq!(clocks.book(Side::First, 2 * SECOND, None), Timing::InTime);
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
        assert_eq!(
            clocks.book(
                Side::First,
                2 * SECOND + Limits::default().allowed_margin(),
                None
            ),
            Timing::InTime,
            "the margin is granted"
        );
        assert_eq!(
            clocks.book(Side::First, 2 * SECOND, None),
            Timing::Late(SECOND),
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
            assert_eq!(clocks.book(Side::Second, SECOND, None), Timing::InTime);
        }
        assert_eq!(
            clocks.book(Side::Second, 2 * SECOND, None),
            Timing::Late(SECOND)
        );
        let patient = Limits {
            margin: Some(SECOND),
            ..limits
        };
        let mut clocks = Clocks::new([limits, patient]);
        assert_eq!(
            clocks.book(Side::First, 2 * SECOND, None),
            Timing::Late(SECOND)
        );
        assert_eq!(clocks.book(Side::Second, 2 * SECOND, None), Timing::InTime);
    }

    #[test]
    fn a_pause_is_charged_to_nobody_and_excuses_nobody() {
        let per_move = TimeControl::PerMove(SECOND);
        let clock = TimeControl::Clock {
            base: SECOND,
            increment: SECOND,
        };
        for time in [per_move, clock] {
            let limits = Limits {
                time: Some(time),
                ..Limits::default()
            };
            let mut clocks = Clocks::new([limits; 2]);
            let mut book = |elapsed, paused| clocks.book(Side::First, elapsed, paused);
            let hour = 3_600 * SECOND;
            assert_eq!(book(hour + SECOND, Some(hour)), Timing::Paused);
            assert_eq!(book(SECOND / 2, Some(SECOND / 2)), Timing::Paused);
            assert_eq!(book(SECOND, Some(Duration::ZERO)), Timing::Paused, "sleep");
            assert_eq!(book(SECOND, Some(hour)), Timing::Paused);
            let late = 4 * SECOND;
            assert!(matches!(
                book(late + SECOND / 2, Some(SECOND / 2)),
                Timing::Late(_)
            ));
            assert!(matches!(book(late + hour, Some(hour)), Timing::Late(_)));
        }
        let mut clocks = Clocks::new([Limits::default(); 2]);
        let unclocked = clocks.book(Side::First, SECOND, Some(SECOND));
        assert_eq!(unclocked, Timing::InTime);
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
        assert_eq!(
            clocks.book(Side::Second, 9 * SECOND, None),
            Timing::InTime,
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
