//! The tables of a record and their version.

use std::io::ErrorKind;
use std::path::Path;

use leitai_platform::files;
use rusqlite::{Connection, MAIN_DB, Transaction, TransactionBehavior};

use super::{Result, StoreProblem};

/// The `PRAGMA application_id` of records: "Leit" in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x4c65_6974;

const SCHEMA: &str = include_str!("schema.sql");

/// The schema version that this leitai reads and writes.
pub const SCHEMA_VERSION: i32 = 2;

/// Program and version stamp of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    /// `application_id`.
    pub(super) application: i32,
    /// `user_version`.
    pub(super) version: i32,
}

impl Stamp {
    /// Refuses files of other programs and versions.
    pub(super) fn check(self, path: &Path) -> Result<()> {
        if self.application != APPLICATION_ID {
            let what = "an SQLite file of another program";
            return Err(StoreProblem::NotARecord(what).at(path));
        }
        if self.version > SCHEMA_VERSION {
            return Err(StoreProblem::Newer(self.version).at(path));
        }
        if (1..SCHEMA_VERSION).contains(&self.version) {
            return Err(StoreProblem::Older(self.version).at(path));
        }
        Ok(())
    }
}

/// Reads the stamp, including changes in the write-ahead log.
pub(super) fn stamp(conn: &Connection) -> rusqlite::Result<Stamp> {
    Ok(Stamp {
        application: conn.pragma_query_value(None, "application_id", |row| row.get(0))?,
        version: conn.pragma_query_value(None, "user_version", |row| row.get(0))?,
    })
}

/// Creates the tables in an empty file, in one transaction; does nothing if another process has
/// just created them.
pub(super) fn create(conn: &Connection) -> rusqlite::Result<()> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Exclusive)?;
    if stamp(&tx)?.version != 0 {
        return Ok(());
    }
    tx.execute_batch(SCHEMA)?;
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    tx.commit()
}

/// Places of the versions for writing and reading in the header of a file, and their value for a
/// file with a write-ahead log. (The format: <https://www.sqlite.org/fileformat.html>, section 1.3.)
const VERSIONS: [usize; 2] = [18, 19];
const WITH_LOG: u8 = 2;

/// Creates an empty record at once, with a single wait for the disk in place of ten. Returns whether
/// it did: SQLite creates the file otherwise.
pub(super) fn create_whole(path: &Path) -> Result<bool, StoreProblem> {
    match files::create_whole(path, &blank_record()?) {
        Err(error) if is_full(error.kind()) => Err(StoreProblem::Full),
        created => Ok(created.is_ok()),
    }
}

fn is_full(kind: ErrorKind) -> bool {
    use ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(kind, StorageFull | QuotaExceeded | FileTooLarge)
}

/// The content of a record before its first run.
pub(super) fn blank_record() -> rusqlite::Result<Vec<u8>> {
    let mut blank = Connection::open_in_memory()?;
    create(&blank)?;
    let mut bytes = blank.serialize(MAIN_DB)?.to_vec();
    for place in VERSIONS {
        bytes[place] = WITH_LOG;
    }
    Ok(bytes)
}
