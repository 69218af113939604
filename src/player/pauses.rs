//! Pauses: stretches in which this process did not run, because it was stopped (Ctrl-Z,
//! SIGSTOP), the machine slept, or nothing ran on it. No player is charged for them.
//!
//! A thread looks at the clock 50 times a second, and so does whoever asks; a look that
//! comes far too late has found a pause. Once [`watch_pauses`] has been called, a pause is
//! known to everyone who asks after it, whichever thread wakes up first.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(20);
/// A look that comes so long after the one before has found a pause: an idle thread on a
/// machine with four times as many busy ones as processors is not kept waiting so long.
const LEAST: Duration = Duration::from_millis(100);

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
    /// How many.
    count: u64,
    /// Their time by the clock of [`Instant`], which stands still while the machine
    /// sleeps.
    lost: Duration,
}

struct Watch {
    /// The last look, by both clocks; `None` where nobody looks.
    last: Option<[Duration; 2]>,
    seen: Pauses,
}

impl Watch {
    /// A look at the clocks: that of [`Instant`], and the one that runs on in sleep.
    fn look(&mut self, now: [Duration; 2]) -> Pauses {
        if let Some(last) = &mut self.last {
            let [gap, with_sleep] = [0, 1].map(|clock| now[clock].saturating_sub(last[clock]));
            if gap.max(with_sleep) > LEAST {
                self.seen.count += 1;
                self.seen.lost += gap;
            }
            *last = now;
        }
        self.seen
    }
}

impl Pauses {
    /// Those so far, one that has just ended included; none where nobody watches.
    pub fn so_far() -> Self {
        let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
        watch.look(clocks())
    }

    /// Whether there was another since.
    pub fn have_grown(self) -> bool {
        Self::so_far().count > self.count
    }
}

/// Watches for pauses from now on. A command calls it before it plays.
///
/// # Errors
/// No thread can be started.
pub fn watch_pauses() -> std::io::Result<()> {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    if watch.last.is_none() {
        thread::Builder::new().name("pauses".to_owned()).spawn(|| {
            loop {
                thread::sleep(TICK);
                Pauses::so_far();
            }
        })?;
        watch.last = Some(clocks());
    }
    Ok(())
}

/// The clock of [`Instant`], and the same with the time in which the machine slept, where
/// the system has such a clock.
fn clocks() -> [Duration; 2] {
    let read = |clock| {
        let time = clock_gettime(clock);
        let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
        Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
    };
    #[cfg(target_os = "linux")]
    let with_sleep = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let with_sleep = ClockId::Monotonic;
    [ClockId::Monotonic, with_sleep].map(read)
}

/// A moment after some patience, to which the time of pauses is added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    at: Instant,
    lost: Duration,
}

impl Deadline {
    /// So long from now.
    pub(super) fn after(patience: Duration) -> Self {
        Self {
            at: Instant::now() + patience,
            lost: Pauses::so_far().lost,
        }
    }

    /// The moment, as far as pauses are known.
    pub(super) fn moment(&mut self) -> Instant {
        let lost = Pauses::so_far().lost;
        self.at += lost.saturating_sub(self.lost);
        self.lost = lost;
        self.at
    }

    /// Whether it has come.
    pub(super) fn is_over(&mut self) -> bool {
        Instant::now() >= self.moment()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_look_that_comes_late_has_found_a_pause_which_is_noted_once() {
        let mut watch = Watch {
            last: Some([Duration::ZERO; 2]),
            seen: Pauses::default(),
        };
        let mut look =
            |running: u32, sleeping: u32| watch.look([running * MS, (running + sleeping) * MS]);
        assert_eq!(look(100, 0), Pauses::default(), "a busy machine");
        let stopped = look(300, 0);
        assert_eq!((stopped.count, stopped.lost), (1, 200 * MS));
        assert_eq!(look(310, 0), stopped);
        let slept = look(320, 9_000_000);
        assert_eq!(
            (slept.count, slept.lost),
            (2, 210 * MS),
            "a sleep has no length here"
        );
        assert_eq!(look(330, 9_000_000), slept);
    }

    #[test]
    fn where_nobody_watches_there_are_no_pauses() {
        let mut watch = Watch {
            last: None,
            seen: Pauses::default(),
        };
        assert_eq!(watch.look([MS; 2]), Pauses::default());
        assert_eq!(watch.look([9_000 * MS; 2]), Pauses::default());
    }
}
