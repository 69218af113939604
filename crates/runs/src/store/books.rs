//! The openings of a run, stored so that its games can be exported without the book's file.

use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use super::{Opening, Result, RunHandle, Store};
use leitai_game::Move;

const SELECT: &str = "SELECT id, fen, moves FROM opening WHERE book = ?1 ORDER BY idx";
const SELECT_ONE: &str = "SELECT id, fen, moves FROM opening WHERE book = ?1 AND idx = ?2";
impl Store {
    /// Returns the openings of the run's book, in order.
    ///
    /// # Errors
    /// Reading fails, or the openings are damaged.
    pub fn openings(&self, run: &RunHandle) -> Result<Vec<Opening>> {
        self.read_openings(run, |opening| opening)
    }

    /// Checks the stored openings of the run's book, without keeping them in memory, since there
    /// may be millions.
    ///
    /// # Errors
    /// Reading fails, or the openings are damaged.
    pub fn check_openings(&self, run: &RunHandle) -> Result<()> {
        self.read_openings(run, drop).map(drop)
    }

    /// Passes each stored opening of the run's book to `keep`, and returns the results.
    fn read_openings<T>(&self, run: &RunHandle, keep: impl Fn(Opening) -> T) -> Result<Vec<T>> {
        let mut hasher = Sha256::new();
        let openings = self.rows(SELECT, [run.book], |row| {
            let opening = read_opening(row)?;
            hash(&mut hasher, &opening);
            Ok(keep(opening))
        })?;
        let stored = book(&self.conn, &hasher.finalize().into());
        if stored.map_err(|source| self.fail(source))? == Some(run.book) {
            Ok(openings)
        } else {
            Err(self.damaged(format!(
                "openings of run `{}` were changed, or are missing",
                run.id
            )))
        }
    }

    /// Returns one opening of the run's book by its index; `None` after the last.
    ///
    /// # Errors
    /// Reading fails.
    pub fn opening(&self, run: &RunHandle, index: usize) -> Result<Option<Opening>> {
        let found = self.rows(SELECT_ONE, [run.book, index as i64], read_opening);
        found.map(|mut found| found.pop())
    }
}

/// Computes the SHA-256 of the openings in order.
pub(super) fn book_digest(openings: impl Iterator<Item = Opening>) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for opening in openings {
        hash(&mut hasher, &opening);
    }
    hasher.finalize().into()
}

fn hash(hasher: &mut Sha256, Opening { id, fen, moves }: &Opening) {
    for text in [id, fen] {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    if !moves.is_empty() {
        hasher.update(b"moves");
        hasher.update(bytes(moves));
    }
}

fn bytes(moves: &[Move]) -> Vec<u8> {
    moves.iter().flat_map(|mv| mv.0.to_le_bytes()).collect()
}

/// Returns the key of the book with that digest.
pub(super) fn book(conn: &Connection, digest: &[u8; 32]) -> rusqlite::Result<Option<i64>> {
    conn.prepare_cached("SELECT key FROM book WHERE digest = ?1")?
        .query_row([digest], |row| row.get(0))
        .optional()
}

/// Writes a new book, and returns its key.
pub(super) fn insert_book(
    conn: &Connection,
    digest: &[u8; 32],
    openings: impl Iterator<Item = Opening>,
) -> rusqlite::Result<i64> {
    conn.execute("INSERT INTO book (digest) VALUES (?1)", [digest])?;
    let key = conn.last_insert_rowid();
    // Removes rows of a book that another program deleted.
    conn.execute("DELETE FROM opening WHERE book = ?1", [key])?;
    let mut insert = conn
        .prepare("INSERT INTO opening (book, idx, id, fen, moves) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (index, Opening { id, fen, moves }) in openings.enumerate() {
        insert.execute(params![key, index as i64, id, fen, bytes(&moves)])?;
    }
    Ok(key)
}

fn read_opening(row: &Row<'_>) -> rusqlite::Result<Opening> {
    Ok(Opening {
        id: row.get(0)?,
        fen: row.get(1)?,
        moves: row
            .get_ref(2)?
            .as_blob()?
            .chunks_exact(2)
            .map(|it| Move(u16::from_le_bytes([it[0], it[1]])))
            .collect(),
    })
}
