//! Long work that is no game: how far it is.

use super::{Event, Listener};

/// Work that is told of, from its making to its end.
pub(crate) struct Work<'a> {
    listener: &'a dyn Listener,
}

impl<'a> Work<'a> {
    /// Begins work on so many of something, of which some are `done` already.
    pub(crate) fn begin(what: &str, done: u64, total: u64, listener: &'a dyn Listener) -> Self {
        let what = what.to_owned();
        listener.hear(&Event::WorkBegun { what, done, total });
        Self { listener }
    }

    /// So many are done.
    pub(crate) fn set(&self, done: u64) {
        self.listener.hear(&Event::Work { done });
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.listener.hear(&Event::WorkEnded);
    }
}
