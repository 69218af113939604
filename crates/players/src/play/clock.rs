//! The clocks of one game.

use std::time::Duration;

use crate::player::{Budget, ClockTimes, Period, TimeBudget};
use leitai_config::{Limits, Stage, TimeControl};
use leitai_game::Side;

/// Timing of a move by its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    /// In time.
    InTime,
    /// In time only without the pauses during the move; without a pause the move might have been
    /// another one.
    Paused,
    /// Too late even without pauses, by this much, with the margin not subtracted.
    Late(Duration),
}

/// The clocks of both sides. Nothing is measured for a side without a time control.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    limits: [Limits; 2],
    remaining: [Duration; 2],
    /// The stage of each side's clock.
    stages: [usize; 2],
    /// Number of moves of each side in the current period.
    made: [u32; 2],
}

impl Clocks {
    /// The clocks at the start, that of the first mover first.
    pub(crate) fn new(limits: &[Limits; 2]) -> Self {
        let at_the_start = |limits: Limits| limits.clock().map(|clock| clock.at_the_start());
        Self {
            limits: *limits,
            remaining: limits.map(|limits| at_the_start(limits).unwrap_or_default()),
            stages: [0; 2],
            made: [0; 2],
        }
    }

    /// The stage with this index of the clock of `side`; `None` without a clock.
    fn stage(&self, side: Side, index: usize) -> Option<Stage> {
        self.limits[side.index()].clock()?.stages().nth(index)
    }

    /// The current stage of the clock of `side`; `None` without a clock.
    fn current_stage(&self, side: Side) -> Option<Stage> {
        self.stage(side, self.stages[side.index()])
    }

    /// The stage of `side` after its current period; `None` without a clock.
    fn next_stage(&self, side: Side) -> Option<(usize, Stage)> {
        let clock = self.limits[side.index()].clock()?;
        let next = clock.next_stage(self.stages[side.index()]);
        Some((next, self.stage(side, next)?))
    }

    /// Returns whether the time of `side` must be measured.
    pub(super) fn ticks_for(&self, side: Side) -> bool {
        self.limits[side.index()].time.is_some()
    }

    /// The budget of `side` for its next move.
    pub(crate) fn budget(&self, side: Side) -> Budget {
        let limits = self.limits[side.index()];
        let time = limits.time.map(|control| match control {
            TimeControl::PerMove(time) => TimeBudget::Move(time),
            TimeControl::Clock(clock) => {
                let remaining = self.remaining[side.index()];
                let other = side.other();
                let stages = [side, other].map(|side| self.current_stage(side));
                let [increment, theirs] = stages.map(|stage| stage.map(|stage| stage.increment));
                let increment = increment.unwrap_or_default();
                let period = stages[0].and_then(|stage| {
                    Some(Period {
                        moves: stage.moves?,
                        time: stage.base,
                        next: self.next_stage(side)?.1.base,
                        to_go: self.to_go(side)?,
                        opponent_to_go: self.to_go(other),
                    })
                });
                TimeBudget::Clock(ClockTimes {
                    remaining,
                    opponent: theirs.map_or(remaining, |_| self.remaining[other.index()]),
                    increment,
                    opponent_increment: theirs.unwrap_or(increment),
                    period,
                    byoyomi: clock.byoyomi,
                    opponent_byoyomi: theirs.map_or(clock.byoyomi, |_| self.byoyomi(other)),
                    hourglass: clock.hourglass && self.is_hourglass(other),
                })
            }
        });
        Budget {
            nodes: limits.nodes,
            depth: limits.depth,
            time,
        }
    }

    /// Milliseconds on the clock of `side` after a move with this timing, negative if it was late;
    /// `None` without a clock.
    pub(super) fn left(&self, side: Side, timing: Timing) -> Option<i64> {
        self.limits[side.index()].clock()?;
        Some(match timing {
            Timing::Late(late) => -(late.as_millis() as i64),
            _ => self.remaining[side.index()].as_millis() as i64,
        })
    }

    /// Moves of `side` to the end of its period; `None` without periods.
    fn to_go(&self, side: Side) -> Option<u32> {
        let moves = self.current_stage(side)?.moves?;
        Some(moves - self.made[side.index()])
    }

    /// The byoyomi of `side`; zero without one.
    fn byoyomi(&self, side: Side) -> Duration {
        let clock = self.limits[side.index()].clock();
        clock.map_or(Duration::ZERO, |clock| clock.byoyomi)
    }

    /// Returns whether the clock of `side` is an hourglass.
    fn is_hourglass(&self, side: Side) -> bool {
        let clock = self.limits[side.index()].clock();
        clock.is_some_and(|clock| clock.hourglass)
    }

    /// Charges a move of `side` that took `elapsed`. `paused` is the part lost in pauses, if there
    /// were any; it is not charged.
    pub(super) fn charge(
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
            Some(TimeControl::Clock(clock)) => {
                let (index, other) = (side.index(), side.other());
                let increment = self.current_stage(side).map(|stage| stage.increment);
                let is_last = self.to_go(side) == Some(1);
                // The time of the next period does not help the last move of this one.
                let late = spent.saturating_sub(self.remaining[index] + clock.byoyomi);
                self.remaining[index] = self.remaining[index].saturating_sub(spent);
                self.remaining[index] += increment.unwrap_or_default();
                self.made[index] += 1;
                if let Some((stage, next)) = self.next_stage(side).filter(|_| is_last) {
                    (self.stages[index], self.made[index]) = (stage, 0);
                    self.remaining[index] += next.base;
                }
                if clock.hourglass && self.is_hourglass(other) {
                    self.remaining[other.index()] += spent;
                }
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
    use leitai_config::{Clock, LaterStages};

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let limits = Limits {
            time: Some(TimeControl::Clock(Clock::new(3 * SECOND, SECOND))),
            ..Limits::default()
        };
        let mut clocks = Clocks::new(&[limits; 2]);
        assert_eq!(clocks.charge(Side::First, 2 * SECOND, None), Timing::InTime);
        let left = TimeBudget::Clock(ClockTimes {
            remaining: 2 * SECOND,
            opponent: 3 * SECOND,
            increment: SECOND,
            opponent_increment: SECOND,
            ..ClockTimes::default()
        });
        assert_eq!(clocks.budget(Side::First).time, Some(left));
        let untouched = TimeBudget::Clock(ClockTimes {
            remaining: 3 * SECOND,
            opponent: 2 * SECOND,
            increment: SECOND,
            opponent_increment: SECOND,
            ..ClockTimes::default()
        });
        assert_eq!(clocks.budget(Side::Second).time, Some(untouched));
        assert_eq!(
            clocks.charge(
                Side::First,
                2 * SECOND + Limits::default().allowed_margin(),
                None
            ),
            Timing::InTime,
            "the margin is granted"
        );
        assert_eq!(
            clocks.charge(Side::First, 2 * SECOND, None),
            Timing::Late(SECOND),
            "only the increment was left"
        );
    }

    /// Clocks with the given number of moves per period for both sides; the test examines the first
    /// side's budget.
    fn periods(clock: Clock) -> Clocks {
        let limits = Limits {
            time: Some(TimeControl::Clock(clock)),
            margin: Some(Duration::from_millis(1)),
            ..Limits::default()
        };
        Clocks::new(&[limits; 2])
    }

    fn shown(clocks: &Clocks) -> (Duration, u32, Option<u32>) {
        match clocks.budget(Side::First).time {
            Some(TimeBudget::Clock(ClockTimes {
                remaining,
                period: Some(period),
                ..
            })) => (remaining, period.to_go, period.opponent_to_go),
            other => panic!("no period: {other:?}"),
        }
    }

    #[test]
    fn a_new_period_adds_its_time_to_the_rest() {
        let clock = Clock {
            moves: Some(2),
            ..Clock::new(3 * SECOND, SECOND)
        };
        let mut clocks = periods(clock);
        assert_eq!(shown(&clocks), (3 * SECOND, 2, Some(2)));
        clocks.charge(Side::First, 2 * SECOND, None);
        assert_eq!(shown(&clocks), (2 * SECOND, 1, Some(2)));
        clocks.charge(Side::Second, SECOND, None);
        // 2 s less one, the increment, and 3 s.
        assert_eq!(clocks.charge(Side::First, SECOND, None), Timing::InTime);
        assert_eq!(shown(&clocks), (5 * SECOND, 2, Some(1)));
        clocks.charge(Side::Second, SECOND, None);
        assert_eq!(shown(&clocks), (5 * SECOND, 2, Some(2)));
        // The last move of a period has only the time of that period.
        clocks.charge(Side::First, 5 * SECOND, None);
        assert_eq!(shown(&clocks), (SECOND, 1, Some(2)));
        let late = clocks.charge(Side::First, SECOND + SECOND / 2, None);
        assert_eq!(late, Timing::Late(SECOND / 2));
        // A pause is not charged here either.
        let mut clocks = periods(clock);
        let hour = 3_600 * SECOND;
        for _ in 0..6 {
            let timing = clocks.charge(Side::First, hour + 2 * SECOND, Some(hour));
            assert_eq!(timing, Timing::Paused);
        }
        assert_eq!(shown(&clocks), ((3 + 3 * 3 - 6) * SECOND, 2, Some(2)));
    }

    #[test]
    fn a_stage_follows_another_and_the_last_one_repeats() {
        let stage = |moves, base, increment| Stage {
            base: base * SECOND,
            increment: increment * SECOND,
            moves: Some(moves),
        };
        let clock = Clock {
            moves: Some(2),
            later: LaterStages::new(&[stage(1, 5, 0), stage(3, 7, 2)]).unwrap(),
            ..Clock::new(10 * SECOND, SECOND)
        };
        let mut clocks = periods(clock);
        // Every move takes 2 s. 10 - 2 + 1, 9 - 2 + 1 + 5, 13 - 2 + 7, 18 - 2 + 2, ...
        let expected = [
            (10, 2, 1),
            (9, 1, 1),
            (13, 1, 0),
            (18, 3, 2),
            (18, 2, 2),
            (18, 1, 2),
            (25, 3, 2),
        ];
        for (left, to_go, increment) in expected {
            let Some(TimeBudget::Clock(times)) = clocks.budget(Side::First).time else {
                panic!("no clock");
            };
            let period = times.period.unwrap();
            let told = (times.remaining, period.to_go, times.increment);
            assert_eq!(told, (left * SECOND, to_go, increment * SECOND));
            clocks.charge(Side::First, 2 * SECOND, None);
        }
        let untouched = clocks.budget(Side::Second).time;
        let Some(TimeBudget::Clock(times)) = untouched else {
            panic!("no clock");
        };
        assert_eq!(times.opponent_increment, 2 * SECOND);
        assert_eq!(times.period.unwrap().opponent_to_go, Some(2));
        assert_eq!(times.period.unwrap().next, 5 * SECOND);
    }

    #[test]
    fn the_last_stage_may_last_for_the_rest_of_the_game() {
        let rest = Stage {
            base: 4 * SECOND,
            increment: SECOND,
            moves: None,
        };
        let clock = Clock {
            moves: Some(1),
            later: LaterStages::new(&[rest]).unwrap(),
            ..Clock::new(3 * SECOND, Duration::ZERO)
        };
        let mut clocks = periods(clock);
        assert_eq!(shown(&clocks), (3 * SECOND, 1, Some(1)));
        for left in [6, 6, 6] {
            clocks.charge(Side::First, SECOND, None);
            let Some(TimeBudget::Clock(times)) = clocks.budget(Side::First).time else {
                panic!("no clock");
            };
            assert_eq!((times.remaining, times.period), (left * SECOND, None));
        }
    }

    #[test]
    fn byoyomi_is_for_each_move_after_the_base() {
        let limits = Limits {
            time: Some(TimeControl::Clock(Clock {
                byoyomi: 2 * SECOND,
                ..Clock::new(3 * SECOND, Duration::ZERO)
            })),
            ..Limits::default()
        };
        let mut clocks = Clocks::new(&[limits; 2]);
        for (spent, left, timing) in [
            (SECOND, 2, Timing::InTime),
            // The base and a part of the byoyomi, whose rest is lost.
            (3 * SECOND, 0, Timing::InTime),
            (2 * SECOND, 0, Timing::InTime),
            (SECOND, 0, Timing::InTime),
            (3 * SECOND, 0, Timing::Late(SECOND)),
        ] {
            assert_eq!(clocks.charge(Side::First, spent, None), timing);
            let Some(TimeBudget::Clock(times)) = clocks.budget(Side::First).time else {
                panic!("no clock");
            };
            let known = (times.remaining, times.byoyomi, times.opponent_byoyomi);
            assert_eq!(known, (left * SECOND, 2 * SECOND, 2 * SECOND));
        }
    }

    #[test]
    fn an_hourglass_passes_used_time_to_the_other_one() {
        let hourglass = Limits {
            time: Some(TimeControl::Clock(Clock {
                hourglass: true,
                ..Clock::new(5 * SECOND, Duration::ZERO)
            })),
            margin: Some(Duration::from_millis(1)),
            ..Limits::default()
        };
        let left = |clocks: &Clocks| match clocks.budget(Side::First).time {
            Some(TimeBudget::Clock(times)) => (times.remaining, times.opponent, times.hourglass),
            other => panic!("no clock: {other:?}"),
        };
        let mut clocks = Clocks::new(&[hourglass; 2]);
        assert_eq!(left(&clocks), (5 * SECOND, 5 * SECOND, true));
        clocks.charge(Side::First, 2 * SECOND, None);
        assert_eq!(left(&clocks), (3 * SECOND, 7 * SECOND, true));
        // A pause is no one's time.
        let hour = 3_600 * SECOND;
        clocks.charge(Side::Second, hour + 6 * SECOND, Some(hour));
        assert_eq!(left(&clocks), (9 * SECOND, SECOND, true));
        let late = clocks.charge(Side::Second, 3 * SECOND, None);
        assert_eq!(late, Timing::Late(2 * SECOND));
        // No other clock takes part.
        let plain = Limits {
            time: Some(TimeControl::Clock(Clock::new(5 * SECOND, Duration::ZERO))),
            ..Limits::default()
        };
        let mut clocks = Clocks::new(&[hourglass, plain]);
        clocks.charge(Side::First, 2 * SECOND, None);
        assert_eq!(left(&clocks), (3 * SECOND, 5 * SECOND, false));
    }

    #[test]
    fn a_clock_may_begin_with_its_increment_alone() {
        let clock = Clock {
            first_increment: true,
            ..Clock::new(Duration::ZERO, SECOND)
        };
        let mut clocks = periods(clock);
        for _ in 0..3 {
            let timing = clocks.charge(Side::First, SECOND, None);
            assert_eq!(timing, Timing::InTime);
        }
        let late = clocks.charge(Side::First, 2 * SECOND, None);
        assert_eq!(late, Timing::Late(SECOND));
    }

    #[test]
    fn every_move_may_be_a_period() {
        let clock = Clock {
            moves: Some(1),
            ..Clock::new(SECOND, Duration::ZERO)
        };
        let mut clocks = periods(clock);
        clocks.charge(Side::First, Duration::ZERO, None);
        assert_eq!(shown(&clocks), (2 * SECOND, 1, Some(1)));
        clocks.charge(Side::First, 2 * SECOND, None);
        assert_eq!(shown(&clocks), (SECOND, 1, Some(1)));
    }

    #[test]
    fn the_first_allotment_may_have_the_increment_and_no_later_one() {
        let clock = Clock {
            moves: Some(2),
            first_increment: true,
            ..Clock::new(3 * SECOND, SECOND)
        };
        let mut clocks = periods(clock);
        assert_eq!(shown(&clocks), (4 * SECOND, 2, Some(2)));
        for _ in 0..2 {
            clocks.charge(Side::First, SECOND, None);
        }
        assert_eq!(shown(&clocks), (7 * SECOND, 2, Some(2)));
    }

    #[test]
    fn time_per_move_is_counted_move_by_move() {
        let limits = Limits {
            time: Some(TimeControl::PerMove(SECOND)),
            ..Limits::default()
        };
        let mut clocks = Clocks::new(&[limits; 2]);
        for _ in 0..10 {
            assert_eq!(clocks.charge(Side::Second, SECOND, None), Timing::InTime);
        }
        assert_eq!(
            clocks.charge(Side::Second, 2 * SECOND, None),
            Timing::Late(SECOND)
        );
        let patient = Limits {
            margin: Some(SECOND),
            ..limits
        };
        let mut clocks = Clocks::new(&[limits, patient]);
        assert_eq!(
            clocks.charge(Side::First, 2 * SECOND, None),
            Timing::Late(SECOND)
        );
        assert_eq!(
            clocks.charge(Side::Second, 2 * SECOND, None),
            Timing::InTime
        );
    }

    #[test]
    fn a_pause_charges_and_excuses_no_player() {
        let per_move = TimeControl::PerMove(SECOND);
        let clock = TimeControl::Clock(Clock::new(SECOND, SECOND));
        for time in [per_move, clock] {
            let limits = Limits {
                time: Some(time),
                ..Limits::default()
            };
            let mut clocks = Clocks::new(&[limits; 2]);
            let mut book = |elapsed, paused| clocks.charge(Side::First, elapsed, paused);
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
        let mut clocks = Clocks::new(&[Limits::default(); 2]);
        let unclocked = clocks.charge(Side::First, SECOND, Some(SECOND));
        assert_eq!(unclocked, Timing::InTime);
    }

    #[test]
    fn each_side_has_its_own_limits() {
        let clocked = Limits {
            time: Some(TimeControl::Clock(Clock::new(3 * SECOND, SECOND))),
            ..Limits::default()
        };
        let counted = Limits {
            nodes: Some(100),
            ..Limits::default()
        };
        let mut clocks = Clocks::new(&[clocked, counted]);
        assert!(clocks.ticks_for(Side::First) && !clocks.ticks_for(Side::Second));
        assert_eq!(
            clocks.charge(Side::Second, 9 * SECOND, None),
            Timing::InTime,
            "no clock, no forfeit"
        );
        let told = TimeBudget::Clock(ClockTimes {
            remaining: 3 * SECOND,
            opponent: 3 * SECOND,
            increment: SECOND,
            opponent_increment: SECOND,
            ..ClockTimes::default()
        });
        assert_eq!(clocks.budget(Side::First).time, Some(told));
        let second = clocks.budget(Side::Second);
        assert_eq!((second.nodes, second.time), (Some(100), None));
        // Each side gets the clock of the other.
        let other = Limits {
            time: Some(TimeControl::Clock(Clock::new(9 * SECOND, 4 * SECOND))),
            ..Limits::default()
        };
        let clocks = Clocks::new(&[clocked, other]);
        let told = TimeBudget::Clock(ClockTimes {
            remaining: 9 * SECOND,
            opponent: 3 * SECOND,
            increment: 4 * SECOND,
            opponent_increment: SECOND,
            ..ClockTimes::default()
        });
        assert_eq!(clocks.budget(Side::Second).time, Some(told));
    }
}
