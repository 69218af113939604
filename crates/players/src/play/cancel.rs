//! Requests of the user to running games: to end, soon or at once, or to change the number of
//! parallel games.

use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering};
use std::time::Duration;

use leitai_platform::machine::time_with_sleep;

/// A flag that ends a session, settable from any thread. The session stops between two moves, and
/// finished pairs are recorded.
#[derive(Debug, Default)]
pub struct Cancel {
    is_set: AtomicBool,
    is_draining: AtomicBool,
    is_paused: AtomicBool,
    is_uninterruptible: AtomicBool,
    /// Threads in addition to the configured number.
    more: AtomicIsize,
    /// End time in milliseconds of [`now`]; 0 for none.
    end: AtomicU64,
}

/// Largest number of additional threads.
const MAX_EXTRA_THREADS: isize = 16;

/// Milliseconds of a clock that cannot be set, and that runs while the machine sleeps.
fn now() -> u64 {
    time_with_sleep().as_millis() as u64
}

impl Cancel {
    /// A new flag, not set.
    pub const fn new() -> Self {
        Self {
            is_set: AtomicBool::new(false),
            is_draining: AtomicBool::new(false),
            is_paused: AtomicBool::new(false),
            is_uninterruptible: AtomicBool::new(false),
            more: AtomicIsize::new(0),
            end: AtomicU64::new(0),
        }
    }

    /// Requests the session to end.
    pub fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
    }

    /// Requests the session to end after the current pairs: none is lost.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::SeqCst);
    }

    /// Stops starting pairs until it is called with `false`. Current pairs are finished, and the
    /// session does not end.
    pub fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::SeqCst);
    }

    /// Returns whether the session is paused.
    pub fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::SeqCst)
    }

    /// Stops starting pairs after the given time from now; current pairs are finished. The set of
    /// games that are played depends on it.
    pub fn end_in(&self, time: Duration) {
        let end = now().saturating_add(time.as_millis() as u64);
        self.end.store(end.max(1), Ordering::SeqCst);
    }

    /// The remaining time; `None` without an end.
    pub fn time_left(&self) -> Option<Duration> {
        match self.end.load(Ordering::SeqCst) {
            0 => None,
            end => Some(Duration::from_millis(end.saturating_sub(now()))),
        }
    }

    /// Returns whether the time is up, and nothing else ends the session.
    pub fn is_time_up(&self) -> bool {
        !self.must_end() && self.time_left() == Some(Duration::ZERO)
    }

    fn must_end(&self) -> bool {
        self.is_draining.load(Ordering::SeqCst) || self.is_set.load(Ordering::SeqCst)
    }

    /// Returns whether the session must not start further pairs.
    pub fn is_draining(&self) -> bool {
        self.must_end() || self.time_left() == Some(Duration::ZERO)
    }

    /// Changes the number of parallel pairs by `more`; current pairs are finished. The set of games
    /// that are played does not depend on it.
    pub fn add_threads(&self, more: isize) {
        self.more.fetch_add(more, Ordering::SeqCst);
    }

    /// The number of parallel pairs if `threads` are configured: at least one.
    pub fn threads(&self, threads: NonZeroUsize) -> NonZeroUsize {
        let more = self.more.load(Ordering::SeqCst);
        // Drop the excess beyond the bounds, so that the next request counts.
        let least = 1_isize.saturating_sub_unsigned(threads.get());
        let within = more.clamp(least, MAX_EXTRA_THREADS);
        let order = Ordering::SeqCst;
        let _ = self.more.compare_exchange(more, within, order, order);
        let threads = threads.get().saturating_add_signed(within);
        NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)
    }

    /// Returns whether the session is in an operation that does not check the flag, such as waiting
    /// for the lock of a record. Its process may exit there without leaving anything behind.
    pub fn is_uninterruptible(&self) -> bool {
        self.is_uninterruptible.load(Ordering::SeqCst)
    }

    /// Runs `work`, which does not check the flag.
    pub fn run_uninterruptible<T>(&self, work: impl FnOnce() -> T) -> T {
        self.is_uninterruptible.store(true, Ordering::SeqCst);
        let done = work();
        self.is_uninterruptible.store(false, Ordering::SeqCst);
        done
    }
}

impl Deref for Cancel {
    type Target = AtomicBool;

    fn deref(&self) -> &AtomicBool {
        &self.is_set
    }
}
