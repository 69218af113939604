//! Start positions of later laps, found by searches, and stored so that readers of the record need
//! not repeat them.

use rusqlite::{Row, params};
use sha2::{Digest, Sha256};

use super::codec::short;
use super::connection::execute;
use super::{RunHandle, Store, StoreError};
use leitai_players::schedule::Start;

const INSERT: &str = "\
    INSERT OR REPLACE INTO start (run, opening, lap, fen, digest) VALUES (?1, ?2, ?3, ?4, ?5)";
const SELECT: &str = "SELECT opening, lap, fen, digest FROM start WHERE run = ?1";

impl Store {
    /// Returns the recorded starts of the run's later laps. Skips damaged rows, since their starts
    /// can be found again.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn starts(&self, run: &RunHandle) -> Result<Vec<Start>, StoreError> {
        let read = |row: &Row<'_>| {
            let number = |column| row.get::<_, i64>(column).map(|number| number as u64);
            let start = Start {
                opening: number(0)?,
                lap: number(1)?,
                fen: row.get(2)?,
            };
            Ok((start, row.get::<_, Vec<u8>>(3)?))
        };
        let rows = self.rows(SELECT, [run.key], read)?;
        let whole = rows
            .into_iter()
            .filter(|(start, stored)| *stored == digest(&run.id, start));
        Ok(whole.map(|(start, _)| start).collect())
    }

    /// Records starts of the run's later laps.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_starts(&self, run: &RunHandle, starts: &[Start]) -> Result<(), StoreError> {
        if starts.is_empty() {
            return Ok(());
        }
        let tx = self.begin()?;
        let insert = |start: &Start| {
            let (opening, lap) = (start.opening as i64, start.lap as i64);
            let values = params![run.key, opening, lap, start.fen, digest(&run.id, start)];
            execute(&tx, INSERT, values).map(drop)
        };
        starts
            .iter()
            .try_for_each(insert)
            .map_err(|source| self.fail(source))?;
        tx.commit().map_err(|source| self.fail(source))
    }
}

/// Computes the first 8 bytes of a SHA-256 of all fields.
fn digest(run: &str, Start { opening, lap, fen }: &Start) -> [u8; 8] {
    let mut hasher = Sha256::new();
    hasher.update(run);
    hasher.update(opening.to_le_bytes());
    hasher.update(lap.to_le_bytes());
    hasher.update(fen);
    short(hasher)
}
