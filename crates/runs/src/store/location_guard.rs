//! Stops a run and reports failure when its record is moved, replaced or removed.

use std::fs::{self, File};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;

use super::files::{unused_copy_path, with_ending};
use super::location::{LocationError, LogState};
use super::{Loss, Mode, Result, Store, StoreError, StoreProblem};
use leitai_base::threads::spawn_scoped;

/// Interval between checks while nothing is recorded.
const PULSE: Duration = Duration::from_secs(1);
/// The length of a log in frames from which it is checkpointed; SQLite's default.
const LONG_LOG: u64 = 1000;

impl Store {
    /// Does `work`, and sets `cancel` within a second of the loss of the record, because further
    /// results could not be recorded. At the end, checks that the record was at its path all the
    /// time.
    ///
    /// # Errors
    /// The record was lost ([`Lost`](StoreProblem::Lost)), or cannot be checked
    /// ([`Unseen`](StoreProblem::Unseen)).
    pub fn guarded<T>(&self, cancel: &AtomicBool, work: impl FnOnce() -> T) -> Result<T> {
        let place = self.place.borrow().clone();
        let (worked, seen) = thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let watcher = place.map(|place| {
                spawn_scoped(scope, move || {
                    while is_done.recv_timeout(PULSE) == Err(RecvTimeoutError::Timeout) {
                        // The next transaction finds the losses that only SQLite can see.
                        if let Err(LocationError::Lost(loss)) = place.look() {
                            cancel.store(true, Ordering::SeqCst);
                            return Some(loss);
                        }
                    }
                    None
                })
            });
            let worked = work();
            drop(done);
            let seen = watcher.map(|watcher| watcher.join().unwrap_or_else(|it| resume_unwind(it)));
            (worked, seen.flatten())
        });
        // The file may be back. Then nothing is lost, but the loss ended the work.
        match seen {
            Some(loss) => Err(self.lose(loss)),
            None => self.check_place().map(|()| worked),
        }
    }

    /// Checks that the record and its log are where they were opened. Otherwise saves the remaining
    /// data: copies an open file without a name, and folds in a log without a name. Removes and
    /// overwrites nothing; the store must not be used afterwards.
    ///
    /// # Errors
    /// The record is not at its path, or cannot be checked.
    pub fn check_place(&self) -> Result<()> {
        self.examine()
            .map(drop)
            .map_err(|trouble| self.troubled(trouble))
    }

    /// Does the same before a write, but ignores a check that is impossible at the moment. Folds in
    /// a long log only if the log is complete: missing frames would damage the file.
    pub(super) fn prepare_place(&self) -> Result<()> {
        match self.examine() {
            Ok(Some(logged)) if logged.is_long(LONG_LOG) => {
                // A failure is no error: the next call tries again, as SQLite does itself.
                let checkpoint = "PRAGMA wal_checkpoint(PASSIVE)";
                let _ = self.conn.query_row(checkpoint, [], |_| Ok(()));
                Ok(())
            }
            Ok(_) | Err(LocationError::Unseen(_)) => Ok(()),
            Err(LocationError::Lost(loss)) => Err(self.lose(loss)),
        }
    }

    /// Returns the length of the log if record and log are in place; `None` for a record opened for
    /// reading.
    fn examine(&self) -> Result<Option<LogState>, LocationError> {
        if let Some((loss, _)) = self.loss.get() {
            return Err(LocationError::Lost(*loss));
        }
        let mut place = self.place.borrow_mut();
        let place = place.as_mut();
        place.map(|place| place.examine(&self.conn)).transpose()
    }

    /// Closes the record, and checks it in the way the next process that opens it will.
    ///
    /// # Errors
    /// The record is not at its path, or is damaged.
    pub fn close(self) -> Result<()> {
        self.check_place()?;
        let (path, timeout) = (self.path.clone(), self.timeout.clone());
        drop(self);
        Self::open_with_timeout(path, Mode::Read, timeout).map(drop)
    }

    /// The error for a trouble.
    pub(super) fn troubled(&self, trouble: LocationError) -> StoreError {
        match trouble {
            LocationError::Lost(loss) => self.lose(loss),
            LocationError::Unseen(reason) => self.fail(StoreProblem::Unseen(reason)),
        }
    }

    /// The error for a loss. Reports the first of several losses, and saves the remaining data.
    fn lose(&self, loss: Loss) -> StoreError {
        let is_back = |loss| {
            let is_of_a_name = matches!(loss, Loss::Removed | Loss::Replaced);
            is_of_a_name && matches!(self.examine(), Ok(Some(_)))
        };
        let (loss, saved) = self.loss.get_or_init(|| {
            // Closing must not remove or change files that another process has put there.
            match self.keep_log_on_close(true) {
                Ok(()) if is_back(loss) => (loss, Some(self.path.clone())),
                Ok(()) => (loss, self.save(loss)),
                Err(_) => (loss, None),
            }
        });
        self.fail(StoreProblem::Lost(*loss, saved.clone()))
    }

    /// Saves the remaining data, and returns the path of the copy.
    fn save(&self, loss: Loss) -> Option<PathBuf> {
        match loss {
            Loss::Removed | Loss::Replaced => self.save_copy(),
            Loss::LogReplaced => {
                let checkpoint = "PRAGMA wal_checkpoint(FULL)";
                let is_busy = self.conn.query_row(checkpoint, [], |row| row.get(0));
                matches!(is_busy, Ok(false)).then(|| self.path.clone())
            }
            Loss::Cut { .. } | Loss::LogCut => None,
        }
    }

    /// Copies the record as it is now into a file that is empty or does not exist, also while
    /// another process records.
    ///
    /// # Errors
    /// The record cannot be read, or the copy cannot be written.
    pub fn copy_to(&self, path: &Path) -> Result<()> {
        let name = path
            .to_str()
            .ok_or_else(|| self.unstorable("the name of the copy is not valid UTF-8"))?;
        // A connection for reading refuses to write the copy, too.
        self.pragma("query_only", "OFF")?;
        let copied = self.conn.execute("VACUUM INTO ?1", [name]);
        if self.mode == Mode::Read {
            self.pragma("query_only", "ON")?;
        }
        // The processes that play pairs of the record do not play those of the copy.
        copied
            .and_then(|_| Connection::open(path)?.execute("DELETE FROM lease", []))
            .map(drop)
            .map_err(|source| StoreProblem::from(source).at(path))
    }

    /// Copies the open record to its folder, under a temporary name until the copy is complete.
    fn save_copy(&self) -> Option<PathBuf> {
        let path = std::path::absolute(&self.path).ok()?;
        let passing = with_ending(&path, &format!(".saved.{}", process::id()));
        if fs::symlink_metadata(&passing).is_ok() {
            return None;
        }
        let copy = || {
            self.copy_to(&passing).ok()?;
            File::open(&passing).and_then(|file| file.sync_all()).ok()?;
            let saved = unused_copy_path(&path)?;
            fs::rename(&passing, &saved).ok()?;
            Some(self.path.with_file_name(saved.file_name()?))
        };
        let copied = copy();
        if copied.is_none() {
            // The failed copy is reported already.
            let _ = fs::remove_file(&passing);
        }
        copied
    }
}
