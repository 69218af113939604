//! Nothing is recorded, and no success told, once the record is not where it was.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::place::log_length;
use super::{Loss, Mode, Store, StoreError};

/// How often is looked while nothing is recorded.
const PULSE: Duration = Duration::from_secs(1);
/// What is added to the name of a record that is lost, for the copy of it.
const SAVED: &str = ".saved";

impl Store {
    /// Does `work`, and sets `cancel` within a second of the record's being lost
    /// meanwhile: what is done then would be recorded nowhere. Says at the end whether
    /// the record is where it was.
    ///
    /// # Errors
    /// It is not ([`Lost`](StoreError::Lost)).
    pub fn watched<T>(
        &self,
        cancel: &AtomicBool,
        work: impl FnOnce() -> T,
    ) -> Result<T, StoreError> {
        let place = self.place.borrow().clone();
        let worked = thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            if let Some(mut place) = place {
                scope.spawn(move || {
                    // A log that is shorter is for the next transaction to ask about.
                    while is_done.recv_timeout(PULSE) == Err(RecvTimeoutError::Timeout) {
                        if place.look(|_| true).is_err() {
                            cancel.store(true, Ordering::SeqCst);
                        }
                    }
                });
            }
            let worked = work();
            drop(done);
            worked
        });
        self.check_place()?;
        Ok(worked)
    }

    /// Checks that the record is where it was opened, with the log beside it. If it is
    /// not, what can still be saved is: an open file that has lost its name can be copied,
    /// and a log that has lost its own can be folded in. Nothing is removed or written
    /// over; the store is not to be used further.
    ///
    /// # Errors
    /// It is not.
    pub fn check_place(&self) -> Result<(), StoreError> {
        if let Some((loss, saved)) = self.loss.get() {
            return Err(self.lost(*loss, saved.clone()));
        }
        let mut place = self.place.borrow_mut();
        let Some(place) = place.as_mut() else {
            return Ok(());
        };
        place
            .look(|length| self.is_emptied(length))
            .map_err(|loss| {
                let saved = self.loss.get_or_init(|| (loss, self.save(loss)));
                self.lost(loss, saved.1.clone())
            })
    }

    /// Whether a log of that length in bytes has all that it should.
    fn is_emptied(&self, length: u64) -> bool {
        // Folds nothing in: what the log lacks would damage the file. The row: whether it
        // was in anybody's way, frames in the log, frames that are folded in.
        let frames = self
            .conn
            .query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| {
                row.get::<_, i64>(1)
            });
        match (frames.map(i64::unsigned_abs), self.page_size()) {
            (Ok(frames), Ok(page)) => length >= log_length(frames, page),
            _ => false,
        }
    }

    /// Closes the record, and checks it as whoever opens it next will.
    ///
    /// # Errors
    /// It is not where it was, or not whole.
    pub fn close(self) -> Result<(), StoreError> {
        self.check_place()?;
        let (path, patience) = (self.path.clone(), self.patience);
        drop(self);
        Self::open_patiently(path, Mode::Read, patience).map(drop)
    }

    /// The error for a loss.
    pub(super) fn lost(&self, loss: Loss, saved: Option<PathBuf>) -> StoreError {
        StoreError::Lost {
            path: self.path.clone(),
            loss,
            saved,
        }
    }

    /// Saves what can be saved; says where it is.
    fn save(&self, loss: Loss) -> Option<PathBuf> {
        // Closing must not remove or change what others may have put there.
        self.keep_log_on_close(true).ok()?;
        match loss {
            Loss::Removed | Loss::Replaced => self.save_copy(),
            Loss::LogReplaced => {
                let is_busy = self
                    .conn
                    .query_row("PRAGMA wal_checkpoint(FULL)", [], |row| row.get(0));
                matches!(is_busy, Ok(false)).then(|| self.path.clone())
            }
            Loss::Cut { .. } | Loss::LogCut => None,
        }
    }

    /// Copies the open record beside where it was.
    fn save_copy(&self) -> Option<PathBuf> {
        let mut name = self.path.clone().into_os_string();
        name.push(SAVED);
        let copy = PathBuf::from(name);
        let target = std::path::absolute(&copy).ok()?;
        if target.exists() {
            return None;
        }
        let into = self.conn.execute("VACUUM INTO ?1", [target.to_str()?]);
        into.ok().map(|_| copy)
    }
}
