//! Warnings at a limited rate.

use std::sync::Arc;
use std::time::{Duration, Instant};

use leitai_session::Listener;

/// Minimum interval between two warnings.
const INTERVAL: Duration = Duration::from_mins(1);

/// Warnings about one matter.
pub(super) struct Warnings {
    listener: Arc<dyn Listener>,
    last: Option<Instant>,
}

impl Warnings {
    pub(super) fn new(listener: &Arc<dyn Listener>) -> Self {
        Self {
            listener: Arc::clone(listener),
            last: None,
        }
    }

    pub(super) fn warn(&mut self, text: impl FnOnce() -> String) {
        if self.last.is_none_or(|last| last.elapsed() >= INTERVAL) {
            self.last = Some(Instant::now());
            self.listener.warn(text());
        }
    }
}
