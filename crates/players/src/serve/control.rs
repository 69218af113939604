//! Signals from the input thread to the search thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use leitai_base::threads::lock;

/// Stop time of one search, and conditions for its answer.
pub(super) struct Control {
    /// Arrival of `go`.
    began: Instant,
    stop: AtomicBool,
    answered: AtomicBool,
    /// End of the time for the move; unset until the clock starts.
    deadline: OnceLock<Instant>,
    held: Mutex<AnswerHold>,
    changed: Condvar,
    time: Option<Duration>,
}

/// Reasons to hold back the answer after the search.
#[derive(Clone, Copy)]
pub(super) struct AnswerHold {
    pub(super) pondering: bool,
    pub(super) infinite: bool,
}

impl Control {
    /// Creates the control of a search that was requested when it `began` and may last `time`,
    /// counted from `ponderhit` if it ponders, and from `began` otherwise.
    pub(super) fn new(began: Instant, time: Option<Duration>, held: AnswerHold) -> Self {
        let control = Self {
            began,
            stop: AtomicBool::new(false),
            answered: AtomicBool::new(false),
            deadline: OnceLock::new(),
            held: Mutex::new(held),
            changed: Condvar::new(),
            time,
        };
        if !held.pondering {
            control.start_clock(began);
        }
        control
    }

    fn start_clock(&self, from: Instant) {
        if let Some(deadline) = self.time.and_then(|time| from.checked_add(time)) {
            let _ = self.deadline.set(deadline);
        }
    }

    /// Returns whether the search must end.
    pub(super) fn must_stop(&self) -> bool {
        let deadline = self.deadline.get();
        self.stop.load(Ordering::Relaxed)
            || deadline.is_some_and(|deadline| Instant::now() >= *deadline)
    }

    pub(super) fn spent(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns whether the search may wait for an optional resource: while more than half of its
    /// time is left.
    pub(super) fn is_patient(&self) -> bool {
        let half = self.time.map_or(Duration::ZERO, |time| time / 2);
        let deadline = self.deadline.get();
        let is_urgent =
            deadline.is_some_and(|deadline| deadline.duration_since(Instant::now()) <= half);
        !is_urgent && !self.stop.load(Ordering::Relaxed)
    }

    /// Marks the answer as sent, just before it is.
    pub(super) fn answer(&self) {
        self.answered.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Ends the search, and the wait after it.
    pub(super) fn stop(&self) {
        let mut held = lock(&self.held);
        self.stop.store(true, Ordering::Relaxed);
        held.pondering = false;
        held.infinite = false;
        self.changed.notify_all();
    }

    /// Starts the clock after `ponderhit`.
    pub(super) fn ponder_hit(&self) {
        let mut held = lock(&self.held);
        if held.pondering {
            held.pondering = false;
            self.start_clock(Instant::now());
            self.changed.notify_all();
        }
    }

    /// Waits until the answer may be sent.
    pub(super) fn wait(&self) {
        let holds = |held: &mut AnswerHold| held.pondering || held.infinite;
        // A poisoned lock ends the wait, too.
        drop(self.changed.wait_while(lock(&self.held), holds));
    }
}
