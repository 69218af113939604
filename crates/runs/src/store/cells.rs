//! The finished cells of studies, each with a key over all that determines it.

use rusqlite::types::ValueRef;
use rusqlite::{Row, Transaction, params};

use super::codec::short_digest;
use super::connection::execute;
use super::{Result, Store};

/// The key of a cell: a SHA-256 of everything that determines its content.
pub type CellKey = [u8; 32];

const INSERT: &str = "INSERT OR REPLACE INTO cell (key, content, digest) VALUES (?1, ?2, ?3)";
const ADD: &str = "INSERT OR IGNORE INTO cell (key, content, digest) VALUES (?1, ?2, ?3)";
const SELECT: &str = "SELECT key, content, digest FROM cell";
const REMOVE: &str = "DELETE FROM cell WHERE key = ?1";

impl Store {
    /// Records a cell in its own transaction, and replaces one with the same key. When this returns
    /// `Ok`, the cell survives the death of the process.
    ///
    /// # Errors
    /// Writing fails; the record is then unchanged.
    pub fn put_cell(&self, key: &CellKey, content: &str) -> Result<()> {
        let row = params![key, content, digest(key, content)];
        self.write(|tx| execute(tx, INSERT, row).map(drop))
    }

    /// Reads all cells, and passes them to `take` in the order of their keys. Skips damaged cells
    /// and returns their present keys.
    ///
    /// # Errors
    /// Reading fails.
    pub fn cells(&self, mut take: impl FnMut(CellKey, &str)) -> Result<Vec<Vec<u8>>> {
        let fail = |source| self.fail(source);
        let mut damaged = Vec::new();
        let mut select = self.conn.prepare_cached(SELECT).map_err(fail)?;
        let mut rows = select.query([]).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            match cell(row).map_err(fail)? {
                Some((key, content)) => take(key, content),
                None => damaged.extend(row.get_ref(0).ok().and_then(bytes).map(<[u8]>::to_vec)),
            }
        }
        Ok(damaged)
    }

    /// Adds missing cells from another record.
    ///
    /// # Errors
    /// Reading or writing fails; the record is then unchanged.
    pub fn take_cells(&self, other: &Self) -> Result<()> {
        let fail = |source| self.fail(source);
        let tx = self.begin()?;
        let mut added = Ok(0);
        other.cells(|key, content| {
            if added.is_ok() {
                added = execute(&tx, ADD, params![key, content, digest(&key, content)]);
            }
        })?;
        added.map_err(fail)?;
        tx.commit().map_err(fail)
    }

    /// Removes the cells with these keys, if they exist.
    ///
    /// # Errors
    /// Writing fails; the record is then unchanged.
    pub fn remove_cells<K: AsRef<[u8]>>(&self, keys: &[K]) -> Result<()> {
        let remove = |tx: &Transaction<'_>, key: &K| execute(tx, REMOVE, [key.as_ref()]).map(drop);
        self.write(|tx| keys.iter().try_for_each(|key| remove(tx, key)))
    }

    /// Returns the number of recorded cells.
    ///
    /// # Errors
    /// Reading fails.
    pub fn count_cells(&self) -> Result<u64> {
        let count = |row: &Row<'_>| row.get::<_, i64>(0);
        let counted = self.rows("SELECT count(*) FROM cell", [], count)?;
        Ok(counted.first().map_or(0, |&count| count.max(0) as u64))
    }
}

/// Reads a row of [`SELECT`]; `None` if it is damaged.
fn cell<'r>(row: &'r Row<'_>) -> rusqlite::Result<Option<(CellKey, &'r str)>> {
    let [key, content, written] = [row.get_ref(0)?, row.get_ref(1)?, row.get_ref(2)?];
    let found = || -> Option<(CellKey, &str)> {
        let key: CellKey = bytes(key)?.try_into().ok()?;
        let content = content.as_str().ok()?;
        (bytes(written)? == digest(&key, content)).then_some((key, content))
    };
    Ok(found())
}

fn bytes(value: ValueRef<'_>) -> Option<&[u8]> {
    value.as_blob().ok()
}

/// Computes the first 8 bytes of a SHA-256 of a cell and its key.
fn digest(key: &CellKey, content: &str) -> [u8; 8] {
    short_digest([key, content.as_bytes()])
}
