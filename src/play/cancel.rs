//! The wishes of whoever watches games: that they end, soon or at once, or that more or
//! fewer are played at once.

use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

/// A flag that whoever wants a session to end sets, from any thread. The session stops
/// between two moves, and what was finished is recorded.
#[derive(Debug, Default)]
pub struct Cancel {
    is_set: AtomicBool,
    is_draining: AtomicBool,
    is_unheeded: AtomicBool,
    /// Threads beyond those that were asked for.
    more: AtomicIsize,
}

impl Cancel {
    /// A flag that is not set.
    pub const fn new() -> Self {
        Self {
            is_set: AtomicBool::new(false),
            is_draining: AtomicBool::new(false),
            is_unheeded: AtomicBool::new(false),
            more: AtomicIsize::new(0),
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

    /// Whether no further pair is to be begun.
    pub fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::SeqCst) || self.is_set.load(Ordering::SeqCst)
    }

    /// Has so many pairs more, or fewer, be played at once than the session was begun with;
    /// what is played goes on to its end. Which games are played does not depend on it.
    pub fn add_threads(&self, more: isize) {
        self.more.fetch_add(more, Ordering::SeqCst);
    }

    /// How many pairs are to be played at once where `threads` were asked for: one at least.
    pub fn threads(&self, threads: NonZeroUsize) -> NonZeroUsize {
        let more = self.more.load(Ordering::SeqCst);
        let threads = threads.get().saturating_add_signed(more);
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
