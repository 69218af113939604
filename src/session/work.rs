//! Long work that is no game: how far it is.

use std::sync::Arc;

use super::ticker::Ticker;
use super::{Event, Listener};

/// Work that is told of, from its making to its end.
pub(crate) struct Work {
    listener: Arc<dyn Listener>,
    ticker: Option<Ticker>,
}

impl Work {
    /// Begins work on so many of something, of which some are `done` already.
    pub(crate) fn begin(what: &str, done: u64, total: u64, listener: Arc<dyn Listener>) -> Self {
        let what = what.to_owned();
        listener.hear(&Event::WorkBegun { what, done, total });
        let ticker = Some(Ticker::begin(done, Some(total), Arc::clone(&listener)));
        Self { listener, ticker }
    }

    /// So many are done.
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
