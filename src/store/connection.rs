//! The connection to SQLite, and what every part of the room asks of it.

use std::cell::{OnceCell, RefCell};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Params, Row, Transaction, TransactionBehavior};

use super::patience::Wait;
use super::place::Place;
use super::{Loss, Patience, StoreError};

/// More than we have statements: none is ever compiled twice.
const STATEMENTS: usize = 32;

/// What a record is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To record, creating the file if need be, and to read.
    Write,
    /// To read what is there, also while another process records.
    Read,
}

/// An open record. One process or several may have it open at the same time;
/// each transaction takes the lock for itself.
#[derive(Debug)]
pub struct Store {
    pub(super) conn: Connection,
    pub(super) path: PathBuf,
    pub(super) mode: Mode,
    pub(super) patience: Patience,
    /// Where it lies, once it is open to write.
    pub(super) place: RefCell<Option<Place>>,
    /// What became of it, and where it was saved.
    pub(super) loss: OnceCell<(Loss, Option<PathBuf>)>,
}

impl Store {
    /// The path that it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Connects without reading anything yet. `immutable` promises SQLite
    /// that nobody writes, so that it needs no lock and no log.
    pub(super) fn connect(
        path: &Path,
        mode: Mode,
        patience: Patience,
        guarded: bool,
        immutable: bool,
    ) -> Result<Self, StoreError> {
        let fail = |source| StoreError::from_sqlite(path, source);
        // Absolute: a name like `file:x` or `:memory:` means something else
        // to SQLite.
        let real = std::path::absolute(path).map_err(|reason| StoreError::Unreadable {
            path: path.to_owned(),
            reason,
        })?;
        // Also to read we ask for writing, and get what the file grants: the
        // last to close a log must be able to remove it.
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
        let mut wait = Wait::new(path, patience.clone());
        conn.busy_handler(Some(move |times| wait.goes_on(times)))
            .map_err(fail)?;
        let store = Self {
            conn,
            path: path.to_owned(),
            mode,
            patience,
            place: RefCell::new(None),
            loss: OnceCell::new(),
        };
        store.conn.set_prepared_statement_cache_capacity(STATEMENTS);
        if guarded {
            store.keep_log_on_close(true)?;
        }
        Ok(store)
    }

    /// Whether the log is left as it is when the file is closed, instead of
    /// folded in by the last to close it.
    pub(super) fn keep_log_on_close(&self, keep: bool) -> Result<(), StoreError> {
        self.conn
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep)
            .map(drop)
            .map_err(|source| self.fail(source))
    }

    /// Sets a pragma of the connection.
    pub(super) fn pragma(&self, name: &str, value: &str) -> Result<(), StoreError> {
        self.conn
            .pragma_update(None, name, value)
            .map_err(|source| self.fail(source))
    }

    /// A number that changes whenever another connection has changed the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn version(&self) -> Result<i64, StoreError> {
        self.conn
            .pragma_query_value(None, "data_version", |row| row.get(0))
            .map_err(|source| self.fail(source))
    }

    /// Bytes of a page.
    pub(super) fn page_size(&self) -> Result<u64, StoreError> {
        let size: i64 = self
            .conn
            .pragma_query_value(None, "page_size", |row| row.get(0))
            .map_err(|source| self.fail(source))?;
        Ok(size.max(0) as u64)
    }

    /// Returns the rows of a query as `read` decodes them.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let all = || {
            let mut statement = self.conn.prepare_cached(sql)?;
            statement.query_map(values, read)?.collect::<Result<_, _>>()
        };
        all().map_err(|source| self.fail(source))
    }

    /// An error of SQLite about this file.
    pub(super) fn fail(&self, source: rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.path, source)
    }

    /// Something in this file that is not as we wrote it.
    pub(super) fn damaged(&self, what: impl Into<String>) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            what: what.into(),
        }
    }

    /// A value that this file has no place for.
    pub(super) fn unstorable(&self, what: impl Into<String>) -> StoreError {
        StoreError::Unstorable {
            path: self.path.clone(),
            what: what.into(),
        }
    }

    /// Begins a transaction that writes, if the record is where it was.
    pub(super) fn begin(&self) -> Result<Transaction<'_>, StoreError> {
        if self.mode == Mode::Read {
            return Err(StoreError::Unwritable {
                path: self.path.clone(),
                reason: "it was opened for reading".to_owned(),
            });
        }
        self.prepare_place()?;
        Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)
            .map_err(|source| self.fail(source))
    }

    /// `value` as SQLite keeps it.
    pub(super) fn to_integer(&self, what: &str, value: u64) -> Result<i64, StoreError> {
        i64::try_from(value).map_err(|_| self.unstorable(format!("{what} above 2^63: {value}")))
    }
}

/// Runs a statement that gives no rows; how many it changed.
pub(super) fn execute(
    conn: &Connection,
    sql: &str,
    values: impl Params,
) -> rusqlite::Result<usize> {
    conn.prepare_cached(sql)?.execute(values)
}

/// The path as an SQLite URI that promises that nobody writes.
fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(byte));
            }
            _ => {
                // Writing to a string does not fail.
                let _ = write!(uri, "%{byte:02x}");
            }
        }
    }
    uri.push_str("?immutable=1");
    uri
}
