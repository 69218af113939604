//! Start positions of later laps, found by searches, and stored so that readers of the record need
//! not repeat them.

use rusqlite::{Row, Transaction, params};

use super::codec::short_digest;
use super::connection::execute;
use super::{Result, RunHandle, Store};
use leitai_players::schedule::VariedStart;

const INSERT: &str = "\
    INSERT OR REPLACE INTO start (run, opening, lap, fen, digest) VALUES (?1, ?2, ?3, ?4, ?5)";
const SELECT: &str = "SELECT opening, lap, fen, digest FROM start WHERE run = ?1";

impl Store {
    /// Returns the recorded starts of the run's later laps. Skips damaged rows, since their starts
    /// can be found again.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn starts(&self, run: &RunHandle) -> Result<Vec<VariedStart>> {
        let read = |row: &Row<'_>| {
            let number = |column| row.get::<_, i64>(column).map(|number| number as u64);
            let start = VariedStart {
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
    pub fn add_starts(&self, run: &RunHandle, starts: &[VariedStart]) -> Result<()> {
        if starts.is_empty() {
            return Ok(());
        }
        let insert = |tx: &Transaction<'_>, start: &VariedStart| {
            let (opening, lap) = (start.opening as i64, start.lap as i64);
            let values = params![run.key, opening, lap, start.fen, digest(&run.id, start)];
            execute(tx, INSERT, values).map(drop)
        };
        self.write(|tx| starts.iter().try_for_each(|start| insert(tx, start)))
    }
}

/// Computes the first 8 bytes of a SHA-256 of all fields.
fn digest(run: &str, VariedStart { opening, lap, fen }: &VariedStart) -> [u8; 8] {
    let numbers = [opening.to_le_bytes(), lap.to_le_bytes()];
    short_digest([run.as_bytes(), numbers.as_flattened(), fen.as_bytes()])
}
