//! Pauses: stretches in which this process did not run, because it was stopped (Ctrl-Z, SIGSTOP),
//! the machine slept, or nothing ran on it. No player is charged for them.
//!
//! A thread reads the clock 50 times a second, and so does every query; a reading that is far too
//! late has found a pause. After a call of [`watch_pauses`], every query sees a pause, regardless
//! of the thread that wakes up first.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use leitai_platform::machine::time_with_sleep;

/// Interval of clock readings.
const TICK: Duration = Duration::from_millis(20);
/// Smallest gap between readings that counts as a pause. If other programs keep all processors
/// busy, an idle thread may wait for a tenth of a second and more: that is no pause, or a player
/// that hogs processors would gain time.
const MIN: Duration = Duration::from_millis(250);

static WATCH: Mutex<Watch> = Mutex::new(Watch {
    last: None,
    seen: Pauses {
        count: 0,
        lost: Duration::ZERO,
    },
});

/// The pauses so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// The number of pauses.
    count: u64,
    /// Their total time on the clock of [`Instant`], which stops while the machine sleeps.
    lost: Duration,
}

struct Watch {
    /// The last reading; `None` while no thread watches.
    last: Option<Look>,
    seen: Pauses,
}

/// A reading of the clocks.
#[derive(Clone, Copy)]
struct Look {
    now: Instant,
    /// Time including sleep of the machine, if the system has such a clock.
    with_sleep: Duration,
}

impl Look {
    fn now() -> Self {
        Self {
            now: Instant::now(),
            with_sleep: time_with_sleep(),
        }
    }
}

impl Watch {
    fn look(&mut self, look: Look) -> Pauses {
        if let Some(last) = self.last.replace(look) {
            let gap = look.now.saturating_duration_since(last.now);
            if gap.max(look.with_sleep.saturating_sub(last.with_sleep)) > MIN {
                self.seen.count += 1;
                self.seen.lost += gap;
            }
        }
        self.seen
    }
}

impl Pauses {
    /// The pauses so far, including one that has just ended; none if [`watch_pauses`] was not
    /// called.
    pub fn current() -> Self {
        Self::with_time().1
    }

    /// The current time, and the pauses so far.
    fn with_time() -> (Instant, Self) {
        let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
        if watch.last.is_none() {
            return (Instant::now(), watch.seen);
        }
        let look = Look::now();
        (look.now, watch.look(look))
    }

    /// The time of pauses since `self` on the clock of [`Instant`]; `None` if there were none.
    pub fn since(self) -> Option<Duration> {
        let now = Self::current();
        (now.count > self.count).then(|| now.lost.saturating_sub(self.lost))
    }
}

/// Starts watching for pauses. A command calls it before it plays.
///
/// # Errors
/// No thread can be started.
pub fn watch_pauses() -> std::io::Result<()> {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    if watch.last.is_none() {
        thread::Builder::new().name("pauses".to_owned()).spawn(|| {
            loop {
                thread::sleep(TICK);
                Pauses::current();
            }
        })?;
        watch.last = Some(Look::now());
    }
    Ok(())
}

/// Largest number of pauses that extend a deadline: if they occur again and again, as in a
/// container with little processor time, the wait for a hanging engine must still end.
const MAX: u32 = 5;

/// The common start of several deadlines.
#[derive(Clone, Copy, Debug)]
pub struct WaitStart {
    /// The time of the start.
    pub at: Instant,
    before: Pauses,
}

impl WaitStart {
    /// A start now.
    pub fn now() -> Self {
        let (at, before) = Pauses::with_time();
        Self { at, before }
    }

    /// The deadline `patience` after the start.
    pub fn deadline(self, patience: Duration) -> Deadline {
        Deadline {
            at: self.at + patience.min(LONGEST),
            before: self.before,
            pauses: 0,
        }
    }
}

/// The longest patience: years. An instant cannot be arbitrarily late.
const LONGEST: Duration = Duration::from_secs(1 << 28);

/// A deadline that is extended by pauses.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Instant,
    before: Pauses,
    pauses: u32,
}

impl Deadline {
    /// A deadline after `patience`.
    pub fn after(patience: Duration) -> Self {
        WaitStart::now().deadline(patience)
    }

    /// The earliest time at which the deadline can be over.
    pub fn moment(&self) -> Instant {
        self.at
    }

    /// The time until the deadline, extended by the pauses so far.
    pub fn left(&mut self) -> Duration {
        let (now, pauses) = Pauses::with_time();
        self.put_off(pauses).saturating_duration_since(now)
    }

    fn put_off(&mut self, now: Pauses) -> Instant {
        if now.count > self.before.count && self.pauses < MAX {
            self.pauses += 1;
            self.at += now.lost.saturating_sub(self.before.lost);
        }
        self.before = now;
        self.at
    }

    /// Returns whether the deadline has passed at `now`; looks for pauses only if it might have.
    pub fn is_over(&mut self, now: Instant) -> bool {
        now >= self.at && now >= self.put_off(Pauses::current())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_look_that_comes_late_has_found_a_pause_which_is_noted_once() {
        let begun = Look::now();
        let at = |running: u32, sleeping: u32| Look {
            now: begun.now + running * MS,
            with_sleep: begun.with_sleep + (running + sleeping) * MS,
        };
        let mut watch = Watch {
            last: Some(begun),
            seen: Pauses::default(),
        };
        let mut look = |running, sleeping| watch.look(at(running, sleeping));
        assert_eq!(look(250, 0), Pauses::default(), "a busy machine");
        let stopped = look(550, 0);
        assert_eq!((stopped.count, stopped.lost), (1, 300 * MS));
        assert_eq!(look(560, 0), stopped);
        let slept = look(570, 9_000_000);
        assert_eq!(
            (slept.count, slept.lost),
            (2, 310 * MS),
            "a sleep has no length here"
        );
        assert_eq!(look(580, 9_000_000), slept);
    }

    #[test]
    fn a_deadline_is_put_off_by_a_pause_of_any_length_but_not_for_ever() {
        let mut deadline = Deadline::after(MS);
        let (at, mut now) = (deadline.at, deadline.before);
        let mut pause = |length: Duration| {
            now.count += 1;
            now.lost += length;
            deadline.put_off(now);
            deadline.put_off(now) - at
        };
        let hour = Duration::from_hours(1);
        for number in 1..=MAX {
            assert_eq!(pause(hour), number * hour);
        }
        assert_eq!(pause(hour), MAX * hour);
        assert_eq!(pause(300 * MS), MAX * hour);
    }
}
