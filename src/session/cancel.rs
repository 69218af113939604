//! The wish that a session ends.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that whoever wants a session to end sets, from any thread. The session stops
/// between two moves, and what was finished is recorded.
#[derive(Debug, Default)]
pub struct Cancel {
    is_set: AtomicBool,
    is_unheeded: AtomicBool,
}

impl Cancel {
    /// A flag that is not set.
    pub const fn new() -> Self {
        Self {
            is_set: AtomicBool::new(false),
            is_unheeded: AtomicBool::new(false),
        }
    }

    /// Asks the session to end.
    pub fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
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
