//! Speeds of the machine at the starts of a run with a scaled clock.

use rusqlite::{Row, params};

use super::begin::now_ms;
use super::codec::short_digest;
use super::connection::execute;
use super::{Result, RunHandle, Store};

/// The speed of a machine at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    /// Nodes per second of `leitai bench` on each thread.
    pub nps: u64,
    /// The number of working threads.
    pub threads: u64,
}

const INSERT: &str = "\
    INSERT INTO speed (run, number, nps, threads, measured_at, digest) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const SELECT: &str =
    "SELECT nps, threads, digest, number FROM speed WHERE run = ?1 ORDER BY number";

impl Store {
    /// Returns the speeds at the starts of the run, in order; empty for a file of an earlier
    /// version.
    ///
    /// # Errors
    /// The file cannot be read, or a speed is damaged.
    pub fn speeds(&self, run: &RunHandle) -> Result<Vec<Speed>> {
        let read = |row: &Row<'_>| {
            let number = |column| row.get::<_, i64>(column).map(|number| number as u64);
            let (nps, threads) = (number(0)?, number(1)?);
            Ok((Speed { nps, threads }, row.get(2)?, number(3)?))
        };
        let rows: Vec<(Speed, Vec<u8>, u64)> = self.rows(SELECT, [run.key], read)?;
        for (which, (speed, stored, number)) in rows.iter().enumerate() {
            let broken =
                |what| self.damaged(format!("speed {which} of run `{}` is not {what}", run.id));
            if *number != which as u64 {
                return Err(broken("recorded, but one beyond it is"));
            }
            if *stored != digest(&run.id, which, *speed) {
                return Err(broken("what was recorded"));
            }
        }
        Ok(rows.into_iter().map(|(speed, ..)| speed).collect())
    }

    /// Records the speed at another start of the run.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn add_speed(&self, run: &RunHandle, speed: Speed) -> Result<()> {
        let nps = self.to_integer("a speed", speed.nps)?;
        let threads = self.to_integer("a number of threads", speed.threads)?;
        let tx = self.begin()?;
        let number = self.speeds(run)?.len();
        let digest = digest(&run.id, number, speed);
        let values = params![run.key, number as i64, nps, threads, now_ms(), digest];
        execute(&tx, INSERT, values)
            .and_then(|_| tx.commit())
            .map_err(|source| self.fail(source))
    }
}

/// Computes the first 8 bytes of a SHA-256 of everything except the time.
fn digest(run: &str, number: usize, speed: Speed) -> [u8; 8] {
    let numbers = [number as u64, speed.nps, speed.threads].map(u64::to_le_bytes);
    short_digest([run.as_bytes(), numbers.as_flattened()])
}
