//! What the thread that hears tells the one that searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// When one search has to stop, and when its answer may be given.
pub(super) struct Control {
    /// When `go` came.
    began: Instant,
    stop: AtomicBool,
    answered: AtomicBool,
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
    /// For a search that was asked for when it `began` and may last `time`,
    /// counted from `ponderhit` if it ponders and from then if not.
    pub(super) fn new(
        began: Instant,
        time: Option<Duration>,
        pondering: bool,
        infinite: bool,
    ) -> Self {
        let control = Self {
            began,
            stop: AtomicBool::new(false),
            answered: AtomicBool::new(false),
            deadline: OnceLock::new(),
            held: Mutex::new(Held {
                pondering,
                infinite,
            }),
            changed: Condvar::new(),
            time,
        };
        if !pondering {
            control.start_clock(began);
        }
        control
    }

    fn start_clock(&self, from: Instant) {
        let deadline = self.time.and_then(|time| from.checked_add(time));
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

    /// Time since `go` came.
    pub(super) fn spent(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether the search can wait for something that it would like to have:
    /// for as long as half of its time is left.
    pub(super) fn is_patient(&self) -> bool {
        let half = self.time.map_or(Duration::ZERO, |time| time / 2);
        let deadline = self.deadline.get();
        let is_urgent =
            deadline.is_some_and(|deadline| deadline.duration_since(Instant::now()) <= half);
        !is_urgent && !self.stop.load(Ordering::Relaxed)
    }

    /// Notes that the answer is about to be given.
    pub(super) fn answer(&self) {
        self.answered.store(true, Ordering::Relaxed);
    }

    /// Whether the answer was given.
    pub(super) fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
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
            self.start_clock(Instant::now());
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
