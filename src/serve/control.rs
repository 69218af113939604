//! What the thread that hears tells the one that searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The reins of one search.
pub(super) struct Control {
    stop: AtomicBool,
    /// When the time for the move is over; unset as long as it does not run.
    deadline: OnceLock<Instant>,
    held: Mutex<Held>,
    changed: Condvar,
    time: Option<Duration>,
}

/// Why the answer has to wait even when the search is done.
#[derive(Clone, Copy)]
struct Held {
    pondering: bool,
    infinite: bool,
}

impl Control {
    /// For a search that may last `time`, counted from `ponderhit` if it
    /// ponders and from now if not.
    pub(super) fn new(time: Option<Duration>, pondering: bool, infinite: bool) -> Self {
        let control = Self {
            stop: AtomicBool::new(false),
            deadline: OnceLock::new(),
            held: Mutex::new(Held {
                pondering,
                infinite,
            }),
            changed: Condvar::new(),
            time,
        };
        if !pondering {
            control.start_clock();
        }
        control
    }

    fn start_clock(&self) {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        if let Some(deadline) = deadline {
            let _ = self.deadline.set(deadline);
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the search has to end.
    pub(super) fn says_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self
                .deadline
                .get()
                .is_some_and(|deadline| Instant::now() >= *deadline)
    }

    /// Ends the search, and the wait after it.
    pub(super) fn stop(&self) {
        let mut held = self.held();
        self.stop.store(true, Ordering::Relaxed);
        held.pondering = false;
        held.infinite = false;
        self.changed.notify_all();
    }

    /// The expected move was played: from now on the time counts.
    pub(super) fn ponder_hit(&self) {
        let mut held = self.held();
        if held.pondering {
            held.pondering = false;
            self.start_clock();
            self.changed.notify_all();
        }
    }

    /// Waits until the answer may be given.
    pub(super) fn wait(&self) {
        let held = self.held();
        let holds = |held: &mut Held| held.pondering || held.infinite;
        drop(
            self.changed
                .wait_while(held, holds)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }
}
