//! Where the threads of a tune get their batches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::tune::{Proposal, Tuner};

/// How often who waits for a batch looks whether it is still wanted.
const PULSE: Duration = Duration::from_millis(50);

/// The tuner, and those who wait for it to know more.
pub(super) struct ProposalQueue<'a> {
    tuner: Mutex<Tuner>,
    told: Condvar,
    cancel: &'a AtomicBool,
    /// Batches from this number on are not begun any more.
    end: AtomicU64,
}

impl<'a> ProposalQueue<'a> {
    pub(super) fn new(tuner: Tuner, cancel: &'a AtomicBool) -> Self {
        Self {
            tuner: Mutex::new(tuner),
            told: Condvar::new(),
            cancel,
            end: AtomicU64::new(u64::MAX),
        }
    }

    pub(super) fn tuner(&self) -> MutexGuard<'_, Tuner> {
        self.tuner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn into_tuner(self) -> Tuner {
        let tuner = self.tuner.into_inner();
        tuner.unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes those who wait: the tuner knows more.
    pub(super) fn tell_all(&self) {
        self.told.notify_all();
    }

    /// Whether batch `number` may be begun.
    pub(super) fn admits(&self, number: u64) -> bool {
        !self.cancel.load(Ordering::Relaxed) && number < self.end.load(Ordering::Relaxed)
    }

    /// Lets no batch from `number` on be begun. Those before it are, as far as they
    /// are known: where a failure stops a run, all before the failed one are played,
    /// whatever the threads, so that it is always the first that does.
    pub(super) fn close_from(&self, number: u64) {
        self.end.fetch_min(number, Ordering::Relaxed);
    }

    /// Closes it altogether if the guard is dropped by a panic: nobody is to wait for
    /// what will not come.
    pub(super) fn guard(&self) -> PanicGuard<'_> {
        PanicGuard(self)
    }

    /// Waits until batch `number` is known; `None` if it is not to be begun any more.
    pub(super) fn wait_for(&self, number: u64) -> Option<Proposal> {
        let mut tuner = self.tuner();
        while self.admits(number) {
            if let Some(proposal) = tuner.ask(number) {
                return Some(proposal.clone());
            }
            let waited = self.told.wait_timeout(tuner, PULSE);
            tuner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }
}

/// See [`ProposalQueue::guard`].
pub(super) struct PanicGuard<'a>(&'a ProposalQueue<'a>);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close_from(0);
        }
    }
}
