//! The versions of the tables.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::StoreError;

/// The `PRAGMA application_id` of records: "Leit" in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x4c65_6974;

/// One script per version, from 1: script `i` migrates a file from version `i` to `i + 1`.
const MIGRATIONS: &[&str] = &[
    include_str!("v1.sql"),
    include_str!("v2.sql"),
    include_str!("v3.sql"),
    include_str!("v4.sql"),
    include_str!("v5.sql"),
    include_str!("v6.sql"),
    include_str!("v7.sql"),
    include_str!("v8.sql"),
    include_str!("v9.sql"),
    include_str!("v10.sql"),
    include_str!("v11.sql"),
];

/// The schema version that this leitai writes, and the newest that it reads.
pub const SCHEMA_VERSION: i32 = MIGRATIONS.len() as i32;

/// Program and version stamp of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    /// `application_id`.
    pub(super) application: i32,
    /// `user_version`.
    pub(super) version: i32,
}

impl Stamp {
    /// Refuses files of other programs and of newer versions.
    pub(super) fn check(self, path: &Path) -> Result<(), StoreError> {
        let path = path.to_owned();
        if self.application != APPLICATION_ID {
            let what = "an SQLite file of another program";
            return Err(StoreError::NotARecord { path, what });
        }
        if self.version > SCHEMA_VERSION {
            return Err(StoreError::Newer {
                path,
                found: self.version,
                supported: SCHEMA_VERSION,
            });
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

/// Migrates an empty file or one of an older version in one transaction. Does nothing if another
/// process has just migrated it.
pub(super) fn migrate(conn: &Connection) -> rusqlite::Result<()> {
    apply(conn, MIGRATIONS)
}

fn apply(conn: &Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Exclusive)?;
    let from = usize::try_from(stamp(&tx)?.version).unwrap_or(0);
    if from >= migrations.len() {
        return Ok(());
    }
    for script in &migrations[from..] {
        tx.execute_batch(script)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", migrations.len() as i32)?;
    tx.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_migration_runs_once_and_in_order() {
        let conn = Connection::open_in_memory().unwrap();
        let first = "CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (1);";
        let second = "ALTER TABLE t ADD COLUMN b INTEGER; UPDATE t SET b = a + 1;";
        apply(&conn, &[first]).unwrap();
        apply(&conn, &[first, second]).unwrap();
        apply(&conn, &[first, second]).unwrap();
        let row: (i64, i64) = conn
            .query_row("SELECT a, b FROM t", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .unwrap();
        assert_eq!(row, (1, 2));
        let stamp = stamp(&conn).unwrap();
        assert_eq!((stamp.application, stamp.version), (APPLICATION_ID, 2));
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let conn = Connection::open_in_memory().unwrap();
        assert!(apply(&conn, &["CREATE TABLE t (a) ;", "nonsense"]).is_err());
        assert_eq!(stamp(&conn).unwrap().version, 0);
        let tables: i64 = conn
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .unwrap();
        assert_eq!(tables, 0);
    }
}
