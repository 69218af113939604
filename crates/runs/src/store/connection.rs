//! The connection to SQLite, with functions for all parts of this module.

use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};

use leitai_platform::files::{FileId, FileStatus};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Params, Row, Transaction, TransactionBehavior};

use super::location::RecordLocation;
use super::lock_wait::Wait;
use super::times::Packer;
use super::{LockTimeout, Loss, Result, RunHandle, StoreError, StoreProblem};

/// More than the number of our statements, so that none is compiled twice.
const STATEMENTS: usize = 48;

/// The purpose of opening a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Recording and reading; creates the file if necessary.
    Write,
    /// Reading only, also while another process records.
    Read,
}

/// An open record. Several processes may have it open at the same time; each transaction takes the
/// lock.
#[derive(Debug)]
pub struct Store {
    pub(super) conn: Connection,
    pub(super) path: PathBuf,
    pub(super) mode: Mode,
    pub(super) timeout: LockTimeout,
    /// Location of the file; set when it is open for writing.
    pub(super) place: RefCell<Option<RecordLocation>>,
    /// The file that was at the path before it was opened.
    file: Option<FileId>,
    /// The loss of the file, if any, and the path of a saved copy.
    pub(super) loss: OnceCell<(Loss, Option<PathBuf>)>,
    pub(super) packer: Packer,
}

/// A view of a record, see [`Store::snapshot`].
#[expect(dead_code, reason = "it is dropped")]
pub(crate) struct Snapshot<'s>(Transaction<'s>);

impl Store {
    /// Returns the path with which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the path still leads to the file that was opened; for readers.
    pub fn is_at_path(&self) -> bool {
        let now = FileStatus::of(&self.path).ok().map(|status| status.id);
        now.is_some() && now == self.file
    }

    /// Connects without reading anything. With `immutable`, SQLite assumes that no process writes,
    /// and needs no lock and no log.
    pub(super) fn connect(
        path: &Path,
        mode: Mode,
        timeout: LockTimeout,
        guarded: bool,
        immutable: bool,
    ) -> Result<Self> {
        let fail = |source| StoreProblem::from(source).at(path);
        let file = FileStatus::of(path).ok().map(|status| status.id);
        // Absolute, since SQLite interprets names like `file:x` or `:memory:`.
        let real = std::path::absolute(path);
        let real = real.map_err(|reason| StoreProblem::Unreadable(reason).at(path))?;
        // Requests write access even for reading, as far as the file permits it: the last process
        // to close a log must be able to remove it.
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if mode == Mode::Write {
            flags |= OpenFlags::SQLITE_OPEN_CREATE;
        }
        let mut conn = if immutable {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                | OpenFlags::SQLITE_OPEN_NO_MUTEX
                | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(immutable_uri(&real), flags)
        } else {
            Connection::open_with_flags(&real, flags)
        }
        .map_err(fail)?;
        let mut wait = Wait::new(path, timeout.clone());
        conn.busy_handler(Some(move |times| wait.goes_on(times)))
            .map_err(fail)?;
        let store = Self {
            conn,
            path: path.to_owned(),
            mode,
            timeout,
            place: RefCell::new(None),
            file,
            loss: OnceCell::new(),
            packer: Packer::default(),
        };
        store.conn.set_prepared_statement_cache_capacity(STATEMENTS);
        if guarded {
            store.keep_log_on_close(true)?;
        }
        Ok(store)
    }

    /// Sets whether closing the file keeps the log. Otherwise the last process to close the file
    /// checkpoints the log.
    pub(super) fn keep_log_on_close(&self, keep: bool) -> Result<()> {
        self.conn
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep)
            .map(drop)
            .map_err(|source| self.fail(source))
    }

    pub(super) fn pragma(&self, name: &str, value: &str) -> Result<()> {
        self.conn
            .pragma_update(None, name, value)
            .map_err(|source| self.fail(source))
    }

    /// Returns a number that changes when another connection has changed the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn version(&self) -> Result<i64> {
        self.number_of("data_version")
    }

    /// Returns the page size in bytes.
    pub(super) fn page_size(&self) -> Result<u64> {
        self.number_of("page_size").map(|size| size.max(0) as u64)
    }

    /// Returns the value of a pragma.
    pub(super) fn number_of(&self, pragma: &str) -> Result<i64> {
        self.conn
            .pragma_query_value(None, pragma, |row| row.get(0))
            .map_err(|source| self.fail(source))
    }

    /// Returns the rows of a query as `read` decodes them.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let all = || {
            let mut statement = self.conn.prepare_cached(sql)?;
            statement.query_map(values, read)?.collect::<Result<_, _>>()
        };
        all().map_err(|source| self.fail(source))
    }

    /// Builds an error about this file.
    pub(super) fn fail(&self, problem: impl Into<StoreProblem>) -> StoreError {
        problem.into().at(&self.path)
    }

    /// Builds an error about damage to this file.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> StoreError {
        self.fail(StoreProblem::Damaged(what.into()))
    }

    /// Builds an error about a value that cannot be stored in this file.
    pub(super) fn unstorable(&self, what: impl Into<String>) -> StoreError {
        self.fail(StoreProblem::Unstorable(what.into()))
    }

    /// Builds an error about a pair or batch that is recorded with different content.
    pub(super) fn conflict(&self, run: &RunHandle, index: u64, difference: String) -> StoreError {
        self.fail(StoreProblem::Conflict(index, run.id.clone(), difference))
    }

    /// Begins a view of the record that later changes of others do not affect, until the returned
    /// guard is dropped.
    pub(crate) fn snapshot(&self) -> Result<Snapshot<'_>> {
        let begun = Transaction::new_unchecked(&self.conn, TransactionBehavior::Deferred);
        Ok(Snapshot(begun.map_err(|source| self.fail(source))?))
    }

    /// Begins a write transaction after checking that the record is in place.
    pub(super) fn begin(&self) -> Result<Transaction<'_>> {
        if self.mode == Mode::Read {
            let reason = "it was opened for reading".to_owned();
            return Err(self.fail(StoreProblem::Unwritable(reason)));
        }
        self.prepare_place()?;
        Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)
            .map_err(|source| self.fail(source))
    }

    /// Runs `work` in a write transaction of its own.
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let tx = self.begin()?;
        work(&tx)
            .and_then(|value| tx.commit().map(|()| value))
            .map_err(|source| self.fail(source))
    }

    /// Converts `value` to an SQLite integer.
    pub(super) fn to_integer(&self, what: &str, value: u64) -> Result<i64> {
        i64::try_from(value).map_err(|_| self.unstorable(format!("{what} above 2^63: {value}")))
    }
}

/// Executes a statement without result rows, and returns the number of changed rows.
pub(super) fn execute(db: &Connection, sql: &str, values: impl Params) -> rusqlite::Result<usize> {
    db.prepare_cached(sql)?.execute(values)
}

/// Returns the path as an SQLite URI with the `immutable` flag: all bytes escaped, without an
/// authority.
fn immutable_uri(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let escaped: Vec<String> = bytes.map(|byte| format!("%{byte:02x}")).collect();
    format!("file:{}?immutable=1", escaped.concat())
}
