//! Progress of long work other than games.

use std::sync::Arc;

use super::ticker::Ticker;
use super::{Event, Listener};

/// Work with progress reports, from its creation to its end.
pub(crate) struct Work {
    listener: Arc<dyn Listener>,
    ticker: Option<Ticker>,
}

impl Work {
    /// Begins work on `total` units named `unit`, with `done` already finished.
    pub(crate) fn begin(unit: &str, done: u64, total: u64, listener: &Arc<dyn Listener>) -> Self {
        let what = unit.to_owned();
        listener.hear(&Event::WorkBegun { what, done, total });
        let listener = Arc::clone(listener);
        let ticker = Some(Ticker::begin(done, Some(total), Arc::clone(&listener)));
        Self { listener, ticker }
    }

    /// Sets the number of finished units.
    pub(crate) fn set(&self, done: u64) {
        if let Some(ticker) = &self.ticker {
            ticker.set(done);
        }
        self.listener.hear(&Event::Work { done });
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.ticker = None;
        self.listener.hear(&Event::WorkEnded);
    }
}
