//! The wishes of whoever watches games: that they end, soon or at once, or that more or
//! fewer are played at once.

use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A flag that whoever wants a session to end sets, from any thread. The session stops
/// between two moves, and what was finished is recorded.
#[derive(Debug, Default)]
pub struct Cancel {
    is_set: AtomicBool,
    is_draining: AtomicBool,
    is_paused: AtomicBool,
    is_unheeded: AtomicBool,
    /// Threads beyond those that were asked for.
    more: AtomicIsize,
    /// When the time is up, in milliseconds since 1970; 0 for never.
    end: AtomicU64,
}

/// Most threads beyond those that were asked for.
const MOST_MORE: isize = 16;

/// Milliseconds since 1970: a machine that sleeps lets the time pass.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |since| since.as_millis() as u64)
}

impl Cancel {
    /// A flag that is not set.
    pub const fn new() -> Self {
        Self {
            is_set: AtomicBool::new(false),
            is_draining: AtomicBool::new(false),
            is_paused: AtomicBool::new(false),
            is_unheeded: AtomicBool::new(false),
            more: AtomicIsize::new(0),
            end: AtomicU64::new(0),
        }
    }

    /// Asks the session to end.
    pub fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
    }

    /// Asks the session to end when the pairs that are being played have ended: none is lost.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::SeqCst);
    }

    /// Has no further pair begun until it is asked to go on: those that were begun are played to
    /// their end, and the session does not end.
    pub fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::SeqCst);
    }

    /// Whether no pair is to be begun for now.
    pub fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::SeqCst)
    }

    /// Has no further pair begun after so long, counted from now: those that were begun are
    /// played to their end. Which games are played depends on it.
    pub fn end_in(&self, time: Duration) {
        let end = now().saturating_add(time.as_millis() as u64);
        self.end.store(end, Ordering::SeqCst);
    }

    /// How much time is left; `None` if it has no end.
    pub fn time_left(&self) -> Option<Duration> {
        match self.end.load(Ordering::SeqCst) {
            0 => None,
            end => Some(Duration::from_millis(end.saturating_sub(now()))),
        }
    }

    /// Whether the time is up, and nothing else ends the session.
    pub fn is_time_up(&self) -> bool {
        let is_asked =
            self.is_draining.load(Ordering::SeqCst) || self.is_set.load(Ordering::SeqCst);
        !is_asked && self.time_left() == Some(Duration::ZERO)
    }

    /// Whether no further pair is to be begun.
    pub fn is_draining(&self) -> bool {
        let is_asked =
            self.is_draining.load(Ordering::SeqCst) || self.is_set.load(Ordering::SeqCst);
        is_asked || self.time_left() == Some(Duration::ZERO)
    }

    /// Has so many pairs more, or fewer, be played at once than the session was begun with;
    /// what is played goes on to its end. Which games are played does not depend on it.
    pub fn add_threads(&self, more: isize) {
        self.more.fetch_add(more, Ordering::SeqCst);
    }

    /// How many pairs are to be played at once where `threads` were asked for: one at least.
    pub fn threads(&self, threads: NonZeroUsize) -> NonZeroUsize {
        let more = self.more.load(Ordering::SeqCst);
        // What goes beyond the bounds is forgotten, so that the next wish counts.
        let least = 1_isize.saturating_sub_unsigned(threads.get());
        let within = more.clamp(least, MOST_MORE);
        let _ = self
            .more
            .compare_exchange(more, within, Ordering::SeqCst, Ordering::SeqCst);
        let threads = threads.get().saturating_add_signed(within);
        NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)
    }

    /// Whether a session is in the midst of something in which it looks at no flag, such as
    /// waiting for the lock of a record. It leaves nothing behind if its process ends there.
    pub fn is_unheeded(&self) -> bool {
        self.is_unheeded.load(Ordering::SeqCst)
    }

    /// Does `work` in which nobody looks at the flag.
    pub(crate) fn unheeded<T>(&self, work: impl FnOnce() -> T) -> T {
        self.is_unheeded.store(true, Ordering::SeqCst);
        let done = work();
        self.is_unheeded.store(false, Ordering::SeqCst);
        done
    }
}

impl Deref for Cancel {
    type Target = AtomicBool;

    fn deref(&self) -> &AtomicBool {
        &self.is_set
    }
}
