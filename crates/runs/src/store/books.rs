//! The openings of a run from which its recorded pairs began, or to which they came, stored so that
//! its games can be read and exported without the book's file.
//!
//! A book is known by the digest and the number of all its openings. The exclusive or of the
//! digests of its rows detects changed and missing rows.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::codec::short_digest;
use super::connection::execute;
use super::{Opening, Result, RunHandle, Store, StoredBook};
use leitai_game::Move;

const SELECT: &str = "\
    SELECT book.digest, book.openings, held, idx, id, fen, moves \
    FROM book LEFT JOIN opening ON opening.book = book.key WHERE book.key = ?1 ORDER BY idx";
const SELECT_ONE: &str = "SELECT id, fen, moves FROM opening WHERE book = ?1 AND idx = ?2";
const IS_THERE: &str = "SELECT 1 FROM opening WHERE book = ?1 AND idx = ?2";
const DIGEST: &str = "SELECT digest FROM book WHERE key = ?1";
const INSERT: &str = "\
    INSERT INTO opening (book, idx, id, fen, moves) VALUES (?1, ?2, ?3, ?4, ?5)";
/// Changes the digest of the rows to its exclusive or with that of a row.
const HOLD: &str = "UPDATE book SET held = (held | ?2) - (held & ?2) WHERE key = ?1";

impl Store {
    /// Returns the run's book with the openings that the record has.
    ///
    /// # Errors
    /// Reading fails, or the openings are damaged.
    pub fn openings(&self, run: &RunHandle) -> Result<StoredBook> {
        let mut book = StoredBook::default();
        self.read_openings(run, &mut book, |book, index, opening| {
            book.held.push((index, opening));
        })?;
        Ok(book)
    }

    /// Checks the stored openings of the run's book, without keeping them in memory.
    ///
    /// # Errors
    /// Reading fails, or the openings are damaged.
    pub fn check_openings(&self, run: &RunHandle) -> Result<()> {
        self.read_openings(run, &mut StoredBook::default(), |_, _, _| {})
    }

    /// Passes each stored opening of the run's book to `keep`.
    fn read_openings(
        &self,
        run: &RunHandle,
        book: &mut StoredBook,
        keep: impl Fn(&mut StoredBook, usize, Opening),
    ) -> Result<()> {
        let mut left = None;
        self.rows(SELECT, [run.book], |row| {
            if left.is_none() {
                book.digest = row.get(0)?;
                book.len = row.get::<_, i64>(1)?.max(0) as usize;
                let held: i64 = row.get(2)?;
                left = Some(held ^ empty(&book.digest, book.len));
            }
            if let Some(index) = row.get::<_, Option<i64>>(3)? {
                let (index, opening) = (index.max(0) as usize, read_opening(row, 4)?);
                left = left.map(|left| left ^ row_digest(&book.digest, index, &opening));
                keep(book, index, opening);
            }
            Ok(())
        })?;
        if left == Some(0) {
            return Ok(());
        }
        Err(self.damaged(format!(
            "openings of run `{}` were changed, or are missing",
            run.id
        )))
    }

    /// Returns one opening of the run's book by its index; `None` if the record does not have it.
    ///
    /// # Errors
    /// Reading fails.
    pub fn opening(&self, run: &RunHandle, index: usize) -> Result<Option<Opening>> {
        let values = [run.book, index as i64];
        let found = self.rows(SELECT_ONE, values, |row| read_opening(row, 0));
        found.map(|mut found| found.pop())
    }

    /// Returns the number of openings of the run's book that the record has.
    ///
    /// # Errors
    /// Reading fails.
    pub fn count_openings(&self, run: &RunHandle) -> Result<usize> {
        let sql = "SELECT count(*) FROM opening WHERE book = ?1";
        let counts = self.rows(sql, [run.book], |row| row.get::<_, i64>(0))?;
        Ok(counts.first().map_or(0, |&count| count.max(0) as usize))
    }
}

/// The digest of the rows of a book without any.
fn empty(digest: &[u8; 32], len: usize) -> i64 {
    i64::from_le_bytes(short_digest([digest, &(len as u64).to_le_bytes()]))
}

fn row_digest(book: &[u8; 32], index: usize, Opening { id, fen, moves }: &Opening) -> i64 {
    let [index, length] = [index, id.len()].map(|number| (number as u64).to_le_bytes());
    let texts = [id, fen].map(String::as_bytes);
    let moves = bytes(moves);
    let parts: [&[u8]; 7] = [book, &index, &length, texts[0], texts[1], &[0], &moves];
    i64::from_le_bytes(short_digest(parts))
}

fn bytes(moves: &[Move]) -> Vec<u8> {
    moves.iter().flat_map(|mv| mv.0.to_le_bytes()).collect()
}

/// Returns the key of that book.
pub(super) fn book_key(conn: &Connection, book: &StoredBook) -> rusqlite::Result<Option<i64>> {
    conn.prepare_cached("SELECT key FROM book WHERE digest = ?1 AND openings = ?2")?
        .query_row(params![book.digest, book.len as i64], |row| row.get(0))
        .optional()
}

/// Writes a new book without its openings, and returns its key.
pub(super) fn insert_book(conn: &Connection, book: &StoredBook) -> rusqlite::Result<i64> {
    let held = empty(&book.digest, book.len);
    let values = params![book.digest, book.len as i64, held];
    let sql = "INSERT INTO book (digest, openings, held) VALUES (?1, ?2, ?3)";
    execute(conn, sql, values)?;
    let key = conn.last_insert_rowid();
    // Removes rows of a book that another program deleted.
    execute(conn, "DELETE FROM opening WHERE book = ?1", [key])?;
    Ok(key)
}

/// Writes an opening of a book if the record does not have it. Returns whether it has it now:
/// `opening` may not know it.
pub(super) fn hold(
    conn: &Connection,
    book: i64,
    index: usize,
    opening: impl FnOnce() -> Option<Opening>,
) -> rusqlite::Result<bool> {
    let place = [book, index as i64];
    if conn.prepare_cached(IS_THERE)?.exists(place)? {
        return Ok(true);
    }
    let Some(opening) = opening() else {
        return Ok(false);
    };
    let digest = conn
        .prepare_cached(DIGEST)?
        .query_row([book], |row| row.get(0))?;
    let Opening { id, fen, moves } = &opening;
    execute(conn, INSERT, params![book, place[1], id, fen, bytes(moves)])?;
    execute(conn, HOLD, [book, row_digest(&digest, index, &opening)])?;
    Ok(true)
}

/// Reads an opening from a row whose column `first` is its name.
fn read_opening(row: &Row<'_>, first: usize) -> rusqlite::Result<Opening> {
    Ok(Opening {
        id: row.get(first)?,
        fen: row.get(first + 1)?,
        moves: row
            .get_ref(first + 2)?
            .as_blob()?
            .chunks_exact(2)
            .map(|it| Move(u16::from_le_bytes([it[0], it[1]])))
            .collect(),
    })
}
