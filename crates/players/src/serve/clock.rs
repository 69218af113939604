//! Converts time limits to thinking time.

use std::time::Duration;

use super::command::Thinking;
use crate::player::share_of_clock;
use leitai_game::Side;

/// Returns the thinking time of `mover`; `None` without a limit. `overhead` is the time that
/// communication may take; the function subtracts it, but at most half of the time. From a fixed
/// time per move it subtracts at most a tenth if the overhead is the usual one: half would be a
/// large part of such a short time, and a user who sets so little time accepts slight overruns.
pub(super) fn time_for(thinking: Thinking, mover: Side, overhead: Duration) -> Option<Duration> {
    match thinking {
        Thinking::Unlimited => None,
        Thinking::Move(time) => {
            let most = if overhead <= USUAL_OVERHEAD { 10 } else { 2 };
            Some(less(time, overhead, most))
        }
        Thinking::Clock {
            remaining,
            increment,
            moves_to_go,
        } => {
            let ours = remaining[mover.index()].or(remaining[mover.other().index()])?;
            let remaining = less(ours, overhead, 2);
            let increment = increment[mover.index()];
            Some(share_of_clock(remaining, increment, moves_to_go))
        }
    }
}

/// The overhead unless the other program sets one: one machine, pipes, and a scheduler that is late
/// now and then.
pub(super) const USUAL_OVERHEAD: Duration = Duration::from_millis(10);

/// Subtracts the overhead from `time`, at most the `most`th part.
fn less(time: Duration, overhead: Duration, most: u32) -> Duration {
    time.saturating_sub(overhead.min(time / most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_shared_out_as_in_a_tournament() {
        let ms = Duration::from_millis;
        let clock = |moves_to_go| Thinking::Clock {
            remaining: [Some(ms(10_000)), None],
            increment: [ms(100), ms(0)],
            moves_to_go,
        };
        let time = |thinking| time_for(thinking, Side::First, Duration::ZERO);
        assert_eq!(time(clock(None)), Some(ms(475)));
        assert_eq!(time(clock(Some(100))), Some(ms(475)));
        assert_eq!(time(clock(Some(9))), Some(ms(1075)));
        assert_eq!(time(clock(Some(1))), Some(ms(5_075)));
        assert_eq!(time(clock(Some(2))), Some(ms(10_000) / 3 + ms(75)));
        assert_eq!(time(Thinking::Move(ms(5))), Some(ms(5)));
        assert_eq!(time(Thinking::Unlimited), None);
        // A missing clock is assumed to equal the other side's.
        let other = time_for(clock(None), Side::Second, ms(0));
        assert_eq!(other, Some(ms(400)));
        let short = |time| time_for(Thinking::Move(ms(time)), Side::First, ms(10));
        assert_eq!(short(100), Some(ms(90)));
        assert_eq!(short(10), Some(ms(9)));
        assert_eq!(short(0), Some(Duration::ZERO));
        // An explicit overhead may take more.
        let long = |time| time_for(Thinking::Move(ms(time)), Side::First, ms(500));
        assert_eq!(long(2000), Some(ms(1500)));
        assert_eq!(long(10), Some(ms(5)));
        let little = Thinking::Clock {
            remaining: [Some(ms(10)); 2],
            increment: [ms(0); 2],
            moves_to_go: Some(1),
        };
        let half_of_half = Some(Duration::from_micros(2_500));
        assert_eq!(time_for(little, Side::First, ms(10)), half_of_half);
        let last = time_for(clock(Some(1)), Side::First, ms(10));
        assert_eq!(last, Some(ms(5_070)));
    }
}
