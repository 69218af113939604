//! Opens the file, or refuses it unchanged.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rusqlite::{Transaction, TransactionBehavior};

use super::files::{main_of, resolve, siblings};
use super::header::{FileState, has_sibling, inspect, is_sqlite, sibling_length};
use super::location::{RecordLocation, has_lost_commits, is_in_log};
use super::lock_wait::Wait;
use super::schema::{Stamp, blank_record, create, create_whole, stamp};
use super::{LockTimeout, Mode, Result, Store, StoreError, StoreProblem};

impl Store {
    /// Opens the record at `path` and checks it completely (about a second per gigabyte).
    ///
    /// # Errors
    /// No such file or directory, not a file, a file with several names (hard links), not a record
    /// of ours, newer than this program, damaged, locked for more than two seconds, not readable,
    /// not writable. The file is then unchanged.
    pub fn open(path: impl AsRef<Path>, mode: Mode) -> Result<Self> {
        Self::open_with_timeout(path, mode, LockTimeout::default())
    }

    /// Opens the record with a longer timeout for locks, both now and for later writes.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn open_with_timeout(
        path: impl AsRef<Path>,
        mode: Mode,
        timeout: LockTimeout,
    ) -> Result<Self> {
        let path = path.as_ref();
        let found = inspect(path)?;
        let opened = Self::open_found(path, mode, timeout, found);
        if found == FileState::Nothing
            && let Err(StoreError { problem, .. }) = &opened
            && matches!(problem, StoreProblem::Full)
        {
            remove_blank(path);
        }
        opened
    }

    fn open_found(
        path: &Path,
        mode: Mode,
        timeout: LockTimeout,
        mut found: FileState,
    ) -> Result<Self> {
        match (mode, found) {
            (Mode::Read, FileState::Nothing) => {
                return Err(StoreProblem::Missing("record").at(path));
            }
            (Mode::Read, FileState::Empty) => return Err(StoreProblem::Empty.at(path)),
            (Mode::Read, FileState::Record) => {}
            (Mode::Write, _) => check_writable(path, found)?,
        }
        if found == FileState::Nothing && create_whole(path).map_err(|it| it.at(path))? {
            found = FileState::Record;
        }
        if mode == Mode::Read && is_sealed(path) {
            return Self::open_still(path);
        }
        // An existing log must not be checkpointed before the file has been checked.
        let guarded = has_sibling(path, "-wal");
        let length = if guarded { length_of(path) } else { 0 };
        let store = Self::connect(path, mode, timeout, guarded, false)?;
        match store.admit(found, length) {
            Err(error)
                if mode == Mode::Read && matches!(error.problem, StoreProblem::Unwritable(_)) =>
            {
                // SQLite cannot create its shared memory file in a directory that is not writable.
                // Without a log, the file alone is the record.
                if has_sibling(path, "-wal") || has_sibling(path, "-journal") {
                    let reason = "it has a log next to it, and its folder is not writable";
                    let reason = io::Error::new(io::ErrorKind::PermissionDenied, reason);
                    return Err(StoreProblem::Unreadable(reason).at(path));
                }
                drop(store);
                Self::open_still(path)
            }
            Err(error) => Err(error),
            Ok(()) => {
                if guarded {
                    store.keep_log_on_close(false)?;
                }
                Ok(store)
            }
        }
    }

    /// Opens a record for a check of its content, even if SQLite finds damage in the file; returns
    /// that damage.
    ///
    /// # Errors
    /// As for [`open`](Self::open), or too little of the file is left.
    pub fn open_to_check(path: impl AsRef<Path>) -> Result<(Self, Option<StoreError>)> {
        let path = path.as_ref();
        let is_logged = has_sibling(path, "-wal");
        let damage = match Self::open(path, Mode::Read) {
            Err(error) if matches!(error.problem, StoreProblem::Damaged(_)) => error,
            opened => {
                let store = opened?;
                // A check changes nothing.
                store.keep_log_on_close(is_logged)?;
                return Ok((store, None));
            }
        };
        let readable = || {
            let timeout = LockTimeout::default();
            let guarded = has_sibling(path, "-wal");
            let store = Self::connect(path, Mode::Read, timeout, guarded, false).ok()?;
            store.pragma("query_only", "ON").ok()?;
            // SQLite then reads the rest of a file that was cut, or whose tables were changed.
            store.pragma("writable_schema", "ON").ok()?;
            let seen = stamp(&store.conn).ok()?;
            (seen.version >= 1 && seen.check(path).is_ok()).then_some(store)
        };
        match readable() {
            Some(store) => Ok((store, Some(damage))),
            None => Err(damage),
        }
    }

    /// Opens a file for reading that no process is writing: without a lock, and without creating
    /// files next to it. If a process begins to write in the meantime, the digests detect it.
    fn open_still(path: &Path) -> Result<Self> {
        let store = Self::connect(path, Mode::Read, LockTimeout::default(), false, true)?;
        store.admit(FileState::Record, 0)?;
        Ok(store)
    }

    /// Checks the content and prepares the connection for use. `length` is the previous length of
    /// the file in bytes; 0 if it had no log.
    fn admit(&self, found: FileState, length: u64) -> Result<()> {
        let fail = |source| self.fail(source);
        let blank = Stamp::default();
        let seen = if found == FileState::Record {
            stamp(&self.conn).map_err(fail)?
        } else {
            blank
        };
        // A record may be blank after the rollback of an interrupted creation.
        let pages = self.number_of("page_count")?;
        let fresh = seen == blank && (found != FileState::Record || pages == 0);
        self.check_log(pages, length)?;
        match self.mode {
            Mode::Read if fresh => return Err(self.fail(StoreProblem::Empty)),
            Mode::Write if fresh => {
                create(&self.conn).map_err(fail)?;
                self.check(stamp(&self.conn).map_err(fail)?)?;
            }
            _ => self.check(seen)?,
        }
        // A command that records plays the lost pairs again.
        if self.mode == Mode::Read
            && length > 0
            && has_lost_commits(&self.conn, &self.path, self.page_size()?)
        {
            return Err(self.damaged(
                "its `-wal` file is damaged, and what was recorded after that cannot be read; the \
                 command that has recorded it plays the missing pairs again",
            ));
        }
        match self.mode {
            Mode::Read => self.pragma("query_only", "ON")?,
            Mode::Write => {
                self.use_log()?;
                self.pragma("synchronous", "NORMAL")?;
                // Detects a held lock or a read-only directory now rather than after the first
                // game.
                Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)
                    .and_then(Transaction::rollback)
                    .map_err(fail)?;
                // Checkpoints happen only after a check of the log.
                self.pragma("wal_autocheckpoint", "0")?;
                let place = RecordLocation::of(&self.path, self.page_size()?);
                let place = place.map_err(|trouble| self.troubled(trouble))?;
                *self.place.borrow_mut() = Some(place);
            }
        }
        self.pragma("foreign_keys", "ON")
    }

    /// Checks that the log removes nothing from the file, which was `length` bytes long. A record
    /// never shrinks: with its own log a file has at least as many pages as without, unless a
    /// `VACUUM` by another program has rewritten the whole file into the log.
    fn check_log(&self, pages: i64, length: u64) -> Result<()> {
        let (pages, page) = (pages.max(0) as u64, self.page_size()?);
        let with_log = pages * page;
        if with_log < length && !is_in_log(&self.conn, &self.path, page, pages) {
            return Err(self.damaged(format!(
                "the `-wal` file next to it is older, or belongs to another record: with it the \
                 record has {with_log} bytes, without it {length}"
            )));
        }
        Ok(())
    }

    /// Checks that an existing file is a complete record of a supported version.
    fn check(&self, seen: Stamp) -> Result<()> {
        seen.check(&self.path)?;
        if seen.version < 1 {
            return Err(self.damaged("it has no schema version"));
        }
        let verdict: String = self
            .conn
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|source| self.fail(source))?;
        if verdict != "ok" {
            return Err(self.damaged(verdict.replace('\n', " ")));
        }
        Ok(())
    }

    /// Turns on write-ahead logging. SQLite does not wait for this lock, so this function does.
    fn use_log(&self) -> Result<()> {
        let mut wait = Wait::new(&self.path, self.timeout.clone());
        for times in 0.. {
            let set = self.conn.query_row("PRAGMA journal_mode = WAL", [], |row| {
                row.get::<_, String>(0)
            });
            match set.map_err(StoreProblem::from) {
                Ok(mode) if mode == "wal" => return Ok(()),
                Ok(mode) => {
                    let reason = format!("no write-ahead log here, only `{mode}`");
                    return Err(self.fail(StoreProblem::Unwritable(reason)));
                }
                Err(StoreProblem::Locked) if wait.goes_on(times) => {}
                Err(problem) => return Err(self.fail(problem)),
            }
        }
        Ok(())
    }
}

/// Removes a file that this process has just created, unless it has content.
fn remove_blank(path: &Path) {
    let is_blank =
        |bytes: Vec<u8>| bytes.is_empty() || blank_record().is_ok_and(|blank| blank == bytes);
    let is_logged = sibling_length(path, "-wal").is_some_and(|length| length > 0);
    if !is_logged && fs::read(path).is_ok_and(is_blank) {
        let _ = fs::remove_file(path);
        for file in siblings(path) {
            let _ = fs::remove_file(file);
        }
    }
}

/// Returns the length of a file in bytes; 0 if it does not exist.
fn length_of(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

/// Returns whether the file is not writable and no process has it open for writing. A log that
/// SQLite left next to it would then belong to this process, and block the file's owner.
fn is_sealed(path: &Path) -> bool {
    let logs = ["-wal", "-journal"];
    File::options().write(true).open(path).is_err()
        && logs
            .iter()
            .all(|suffix| sibling_length(path, suffix).is_none())
}

/// Checks early, without changes, for problems that SQLite would only report as "unable to open
/// database file".
fn check_writable(path: &Path, found: FileState) -> Result<()> {
    if found != FileState::Record {
        let real = resolve(path).unwrap_or_else(|_| path.to_owned());
        if main_of(&real).is_some_and(|main| is_sqlite(&main)) {
            let kind = "by its name a part of another SQLite file";
            return Err(StoreProblem::NotARecord(kind).at(path));
        }
    }
    if found == FileState::Nothing {
        let real = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        return match real.parent() {
            Some(folder) if !folder.is_dir() => Err(StoreProblem::Missing("folder").at(folder)),
            _ => Ok(()),
        };
    }
    File::options()
        .write(true)
        .open(path)
        .map(drop)
        .map_err(|error| StoreProblem::Unwritable(error.to_string()).at(path))
}
