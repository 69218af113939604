//! The workers that played the pairs.

use std::fmt;
use std::sync::Arc;

use rusqlite::{Connection, Row, params};

use super::connection::execute;
use super::{PairRow, Result, RunHandle, Store};

/// The longest name of a worker, in bytes.
pub const WORKER_NAME_BYTES: usize = 64;

/// The name of a worker, a process that plays pairs for a coordinator: 1 to [`WORKER_NAME_BYTES`]
/// ASCII letters, ASCII digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerName(Arc<str>);

impl WorkerName {
    /// Creates the name; `None` if it is not valid.
    pub fn new(name: &str) -> Option<Self> {
        let may_be = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
        let fits = (1..=WORKER_NAME_BYTES).contains(&name.len()) && name.bytes().all(may_be);
        fits.then(|| Self(name.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The worker that played a pair; `None` if the recording process played it. Comparisons ignore it:
/// the worker is no part of a pair's identity.
#[derive(Clone, Debug, Default, Eq)]
pub struct PlayedBy(pub Option<WorkerName>);

impl PartialEq for PlayedBy {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

const INSERT_NAME: &str = "INSERT INTO worker (name) VALUES (?1) ON CONFLICT (name) DO NOTHING";
const INSERT: &str = "\
    INSERT INTO played_by (pair, worker) SELECT ?1, key FROM worker WHERE name = ?2";
/// Removes rows of a pair that another program deleted.
const CLEAR: &str = "DELETE FROM played_by WHERE pair = ?1";
const SELECT: &str = "\
    SELECT p.idx, w.name FROM pair p JOIN played_by b ON b.pair = p.key \
    LEFT JOIN worker w ON w.key = b.worker \
    WHERE p.run = ?1 AND p.idx BETWEEN ?2 AND ?3";
const SELECT_PAIRS: &str = "\
    SELECT p.idx FROM worker w JOIN played_by b ON b.worker = w.key \
    JOIN pair p ON p.key = b.pair WHERE p.run = ?1 AND w.name = ?2 ORDER BY p.idx";
const COUNT: &str = "\
    SELECT w.name, count(*) FROM pair p JOIN played_by b ON b.pair = p.key \
    JOIN worker w ON w.key = b.worker WHERE p.run = ?1 GROUP BY w.key ORDER BY w.name";

/// Writes the worker of the pair with that key.
pub(super) fn insert(conn: &Connection, key: i64, pair: &PairRow) -> rusqlite::Result<()> {
    execute(conn, CLEAR, [key])?;
    if let Some(name) = &pair.worker.0 {
        execute(conn, INSERT_NAME, [name.as_str()])?;
        execute(conn, INSERT, params![key, name.as_str()])?;
    }
    Ok(())
}

impl Store {
    /// The numbers of the pairs that a worker played in this run, in ascending order.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn pairs_of_worker(&self, run: &RunHandle, name: &str) -> Result<Vec<u64>> {
        let of = |row: &Row<'_>| Ok(row.get::<_, i64>(0)? as u64);
        self.rows(SELECT_PAIRS, params![run.key, name], of)
    }

    /// The workers of a run in the order of their names, with their numbers of pairs. Reads no
    /// pair.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn workers(&self, run: &RunHandle) -> Result<Vec<(String, u64)>> {
        let of = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64));
        self.rows(COUNT, [run.key], of)
    }

    /// Adds the recorded workers to pairs, which are in ascending order.
    pub(super) fn attach_workers(&self, run: &RunHandle, pairs: &mut [PairRow]) -> Result<()> {
        let damage = "the worker that played it has no name";
        self.attach(SELECT, run, pairs, damage, |_, pair, row| {
            let name: Option<String> = row.get(1)?;
            let name = name.as_deref().and_then(WorkerName::new);
            Ok(name.map(|name| pair.worker = PlayedBy(Some(name))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_words() {
        let longest = "w".repeat(WORKER_NAME_BYTES);
        for name in ["a", "Box-7_b", &longest] {
            assert_eq!(WorkerName::new(name).unwrap().as_str(), name);
        }
        let too_long = "w".repeat(WORKER_NAME_BYTES + 1);
        for name in ["", "a b", "a.b", "a*", "é", "a\n", &too_long] {
            assert_eq!(WorkerName::new(name), None, "{name:?}");
        }
    }
}
