//! Nothing is recorded, and no success told, once the record is not where it was.

use std::fs::{self, File};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::files::{free_beside, with_ending};
use super::place::{Logged, Trouble};
use super::{Loss, Mode, Store, StoreError};

/// How often is looked while nothing is recorded.
const PULSE: Duration = Duration::from_secs(1);
/// From how many frames on a log is folded in: as many as SQLite would wait for.
const LONG_LOG: u64 = 1000;

impl Store {
    /// Does `work`, and sets `cancel` within a second of the record's being lost
    /// meanwhile: what is done then would be recorded nowhere. Says at the end whether
    /// the record is where it was, and was there all the time.
    ///
    /// # Errors
    /// It is not ([`Lost`](StoreError::Lost)), or nobody can look
    /// ([`Unseen`](StoreError::Unseen)).
    pub fn watched<T>(
        &self,
        cancel: &AtomicBool,
        work: impl FnOnce() -> T,
    ) -> Result<T, StoreError> {
        let place = self.place.borrow().clone();
        let (worked, seen) = thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let watcher = place.map(|place| {
                scope.spawn(move || {
                    while is_done.recv_timeout(PULSE) == Err(RecvTimeoutError::Timeout) {
                        // What only SQLite can tell is for the next transaction to ask.
                        if let Err(Trouble::Lost(loss)) = place.look() {
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
        // It may be back: then nothing is lost, but the work was ended because of it.
        match seen {
            Some(loss) => Err(self.lose(loss)),
            None => self.check_place().map(|()| worked),
        }
    }

    /// Checks that the record is where it was opened, with the log beside it. If it is
    /// not, what can still be saved is: an open file that has lost its name can be copied,
    /// and a log that has lost its own can be folded in. Nothing is removed or written
    /// over; the store is not to be used further.
    ///
    /// # Errors
    /// It is not, or nobody can look.
    pub fn check_place(&self) -> Result<(), StoreError> {
        self.examine()
            .map(drop)
            .map_err(|trouble| self.troubled(trouble))
    }

    /// The same before something is added: if nobody can look now, the next look may see.
    /// Folds a long log in, which must be whole for that: what it lacks would damage the
    /// file.
    pub(super) fn prepare_place(&self) -> Result<(), StoreError> {
        match self.examine() {
            Ok(Some(logged)) if logged.is_long(LONG_LOG) => {
                // As when SQLite does it by itself, what fails now is tried again.
                let _ = self
                    .conn
                    .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                Ok(())
            }
            Ok(_) | Err(Trouble::Unseen(_)) => Ok(()),
            Err(Trouble::Lost(loss)) => Err(self.lose(loss)),
        }
    }

    /// How far the log is, if all is there; `None` of a record that is only read.
    fn examine(&self) -> Result<Option<Logged>, Trouble> {
        if let Some((loss, _)) = self.loss.get() {
            return Err(Trouble::Lost(*loss));
        }
        let mut place = self.place.borrow_mut();
        let place = place.as_mut();
        place.map(|place| place.examine(&self.conn)).transpose()
    }

    /// Closes the record, and checks it as whoever opens it next will.
    ///
    /// # Errors
    /// It is not where it was, or not whole.
    pub fn close(self) -> Result<(), StoreError> {
        self.check_place()?;
        let (path, patience) = (self.path.clone(), self.patience.clone());
        drop(self);
        Self::open_patiently(path, Mode::Read, patience).map(drop)
    }

    /// The error for what a look has found.
    pub(super) fn troubled(&self, trouble: Trouble) -> StoreError {
        match trouble {
            Trouble::Lost(loss) => self.lose(loss),
            Trouble::Unseen(reason) => StoreError::Unseen {
                path: self.path.clone(),
                reason,
            },
        }
    }

    /// The error for a loss. Of several the first is told, and saves what can be saved.
    fn lose(&self, loss: Loss) -> StoreError {
        let is_back = |loss| {
            let is_of_a_name = matches!(loss, Loss::Removed | Loss::Replaced);
            is_of_a_name && matches!(self.examine(), Ok(Some(_)))
        };
        let (loss, saved) = self.loss.get_or_init(|| {
            // Closing must not remove or change what others may have put there.
            match self.keep_log_on_close(true) {
                Ok(()) if is_back(loss) => (loss, Some(self.path.clone())),
                Ok(()) => (loss, self.save(loss)),
                Err(_) => (loss, None),
            }
        });
        StoreError::Lost {
            path: self.path.clone(),
            loss: *loss,
            saved: saved.clone(),
        }
    }

    /// Saves what can be saved; says where it is.
    fn save(&self, loss: Loss) -> Option<PathBuf> {
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

    /// Copies the open record beside where it was: under a passing name, until all of it
    /// is there.
    fn save_copy(&self) -> Option<PathBuf> {
        let path = std::path::absolute(&self.path).ok()?;
        let passing = with_ending(&path, &format!(".saved.{}", process::id()));
        if fs::symlink_metadata(&passing).is_ok() {
            return None;
        }
        let copy = || {
            let into = self.conn.execute("VACUUM INTO ?1", [passing.to_str()?]);
            into.ok()?;
            File::open(&passing).and_then(|file| file.sync_all()).ok()?;
            let saved = free_beside(&path)?;
            fs::rename(&passing, &saved).ok()?;
            Some(self.path.with_file_name(saved.file_name()?))
        };
        let copied = copy();
        if copied.is_none() {
            // There is nobody left to tell.
            let _ = fs::remove_file(&passing);
        }
        copied
    }
}
