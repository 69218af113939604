//! Progress of long work, with periodic reports.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Event, Listener};
use leitai_base::threads::lock;

/// Work with progress reports, from its creation to its end.
pub(crate) struct Work {
    listener: Arc<dyn Listener>,
    ticker: Option<Ticker>,
}

impl Work {
    /// Begins work on `total` units named `unit`, with `done` already finished.
    pub(crate) fn begin(unit: &str, done: u64, total: u64, listener: &Arc<dyn Listener>) -> Self {
        let what = unit.to_owned();
        listener.notify(&Event::WorkBegun { what, done, total });
        Self {
            listener: Arc::clone(listener),
            ticker: Some(Ticker::begin(done, Some(total), listener)),
        }
    }

    /// Sets the number of finished units.
    pub(crate) fn set(&self, done: u64) {
        if let Some(ticker) = &self.ticker {
            ticker.set(done);
        }
        self.listener.notify(&Event::Work { done });
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.ticker = None;
        self.listener.notify(&Event::WorkEnded);
    }
}

/// Interval of the reports.
const TICK: Duration = Duration::from_secs(1);

/// Reports progress once a second, even if nothing has finished, until it is dropped.
pub(super) struct Ticker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    listener: Arc<dyn Listener>,
    began: Instant,
    /// Number done before the start.
    before: u64,
    done: AtomicU64,
    /// Total number, if known.
    total: Option<u64>,
    has_ended: Mutex<bool>,
    end: Condvar,
}

impl Ticker {
    /// Starts the reports, with `before` already done.
    pub(super) fn begin(before: u64, total: Option<u64>, listener: &Arc<dyn Listener>) -> Self {
        let shared = Arc::new(Shared {
            listener: Arc::clone(listener),
            began: Instant::now(),
            before,
            done: AtomicU64::new(before),
            total,
            has_ended: Mutex::new(false),
            end: Condvar::new(),
        });
        let ticks = Arc::clone(&shared);
        let thread = thread::Builder::new().name("ticker".to_owned());
        // Without the thread, only the progress reports are missing.
        let thread = thread.spawn(move || ticks.tick()).ok();
        Self { shared, thread }
    }

    /// Sets the number done.
    pub(super) fn set(&self, done: u64) {
        self.shared.done.store(done, Ordering::Relaxed);
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        *lock(&self.shared.has_ended) = true;
        self.shared.end.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn tick(&self) {
        let mut ended = lock(&self.has_ended);
        let mut next = self.began + TICK;
        while !*ended {
            let left = next.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // Skips the reports of the time in which the process was suspended.
                next = Instant::now() + TICK;
                self.listener.notify(&self.progress());
                continue;
            }
            let waited = self.end.wait_timeout(ended, left);
            ended = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn progress(&self) -> Event {
        let done = self.done.load(Ordering::Relaxed);
        let seconds = self.began.elapsed().as_secs_f64();
        let per_second = done.saturating_sub(self.before) as f64 / seconds;
        let left = self.total.map(|total| total.saturating_sub(done) as f64);
        let seconds_to_go = left.map(|left| left / per_second);
        Event::Progress {
            done,
            total: self.total,
            seconds,
            per_second,
            seconds_to_go: seconds_to_go.filter(|seconds| seconds.is_finite()),
        }
    }
}
