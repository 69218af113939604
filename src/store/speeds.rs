//! How fast the machine was when games of a run were played by a scaled clock.

use rusqlite::params;
use sha2::{Digest, Sha256};

use super::begin::now_ms;
use super::schema::stamp;
use super::{RunHandle, Store, StoreError};

/// The speed of a machine at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    /// Nodes per second of `leitai bench` on each thread.
    pub nps: u64,
    /// Threads that were at work.
    pub threads: u64,
}

const INSERT: &str = "\
    INSERT INTO speed (run, number, nps, threads, measured_at, digest) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const SELECT: &str =
    "SELECT nps, threads, digest, number FROM speed WHERE run = ?1 ORDER BY number";

/// The first schema version that knows speeds.
const SINCE: i32 = 6;

impl Store {
    /// The speeds at the starts of the run, in their order; none in a file of before.
    ///
    /// # Errors
    /// The file cannot be read, or a speed is not what was written.
    pub fn speeds(&self, run: &RunHandle) -> Result<Vec<Speed>, StoreError> {
        let fail = |source| self.fail(source);
        if stamp(&self.conn).map_err(fail)?.version < SINCE {
            return Ok(Vec::new());
        }
        let mut statement = self.conn.prepare_cached(SELECT).map_err(fail)?;
        let mut rows = statement.query(params![run.key]).map_err(fail)?;
        let mut speeds = Vec::new();
        while let Some(row) = rows.next().map_err(fail)? {
            let number = |column| row.get::<_, i64>(column).map(|number| number as u64);
            let speed = Speed {
                nps: number(0).map_err(fail)?,
                threads: number(1).map_err(fail)?,
            };
            let which = speeds.len();
            let broken =
                |what| self.damaged(format!("speed {which} of run `{}` is not {what}", run.id));
            if number(3).map_err(fail)? != which as u64 {
                return Err(broken("recorded, but one beyond it is"));
            }
            let stored: Vec<u8> = row.get(2).map_err(fail)?;
            if stored != digest(&run.id, which, speed) {
                return Err(broken("what was recorded"));
            }
            speeds.push(speed);
        }
        Ok(speeds)
    }

    /// Records the speed at another start of the run.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn add_speed(&self, run: &RunHandle, speed: Speed) -> Result<(), StoreError> {
        let nps = self.to_integer("a speed", speed.nps)?;
        let threads = self.to_integer("a number of threads", speed.threads)?;
        let fail = |source| self.fail(source);
        let tx = self.begin()?;
        let number = self.speeds(run)?.len();
        let digest = digest(&run.id, number, speed);
        tx.prepare_cached(INSERT)
            .and_then(|mut insert| {
                insert.execute(params![
                    run.key,
                    number as i64,
                    nps,
                    threads,
                    now_ms(),
                    digest
                ])
            })
            .map_err(fail)?;
        tx.commit().map_err(fail)
    }
}

/// The first 8 bytes of a SHA-256 over everything but the time.
fn digest(run: &str, number: usize, speed: Speed) -> [u8; 8] {
    let mut hasher = Sha256::new();
    hasher.update(run);
    for value in [number as u64, speed.nps, speed.threads] {
        hasher.update(value.to_le_bytes());
    }
    let mut short = [0; 8];
    short.copy_from_slice(&hasher.finalize()[..8]);
    short
}
