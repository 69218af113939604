//! The batches of a tuning run, each recorded exactly once.

use rusqlite::{Row, params};
use sha2::{Digest, Sha256};

use super::begin::now_ms;
use super::codec::short;
use super::connection::execute;
use super::side_digests::{self, DigestKind, of_batch, stored};
use super::{Appended, BatchFailure, Result, RunHandle, Store, failures};
use leitai_stats::Pentanomial;

/// A batch as it is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchRow {
    /// Number in the order of proposals, from 0.
    pub number: u64,
    /// Parameters of the first player, in the order of the dimensions.
    pub plus: Vec<f64>,
    /// Parameters of the second player.
    pub minus: Vec<f64>,
    /// Outcomes of the pairs, from the view of the first player.
    pub result: Pentanomial,
    /// Failures of players in its pairs, by pair, attempt and game. Nearly always empty.
    pub failures: Vec<BatchFailure>,
    /// Wall-clock time for the games in microseconds. Never compared.
    pub elapsed_us: u64,
}

impl BatchRow {
    /// Returns whether both are the same batch with the same content, except the time.
    pub fn agrees(&self, other: &Self) -> bool {
        self.number == other.number
            && bytes(&self.plus) == bytes(&other.plus)
            && bytes(&self.minus) == bytes(&other.minus)
            && self.result == other.result
            && self.failures == other.failures
    }
}

const INSERT: &str = "\
    INSERT INTO batch (run, number, plus, minus, ll, ld, even, wd, ww, digest) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (run, number) DO NOTHING";
// Replaces the time of a batch that another program deleted.
const INSERT_TIMING: &str = "\
    INSERT OR REPLACE INTO batch_timing (run, number, elapsed_us, finished_at) VALUES (?1, ?2, ?3, ?4)";
const SELECT: &str = "\
    SELECT b.number, b.plus, b.minus, b.ll, b.ld, b.even, b.wd, b.ww, b.digest, t.elapsed_us \
    FROM batch b LEFT JOIN batch_timing t ON t.run = b.run AND t.number = b.number \
    WHERE b.run = ?1 AND b.number BETWEEN ?2 AND ?3 ORDER BY b.number";
const COUNT: &str = "\
    SELECT count(*), coalesce(sum(ll + ld + even + wd + ww), 0) FROM batch WHERE run = ?1";

impl Store {
    /// Records a batch and its failures in its own transaction. When this returns `Ok`, the batch
    /// survives the death of the process. A recorded batch is not changed.
    ///
    /// # Errors
    /// Another result is recorded under that number in a reproducible run
    /// ([`Conflict`](super::StoreProblem::Conflict)), a failure belongs to no player of the batch, or
    /// writing fails; in each case nothing of the batch is recorded.
    pub fn append_batch(&self, run: &RunHandle, batch: &BatchRow) -> Result<Appended> {
        let number = self.to_integer("a batch number", batch.number)?;
        let mut failures = batch.failures.iter();
        if let Some(failure) = failures.find(|failure| failure.fault.variant > 1) {
            let variant = failure.fault.variant;
            return Err(self.unstorable(format!("a failure of player {variant} of a batch's two")));
        }
        let [ll, ld, even, wd, ww] = batch.result.0.map(|count| count as i64);
        let (plus, minus) = (bytes(&batch.plus), bytes(&batch.minus));
        let digest = digest(&run.id, batch);
        let values = params![run.key, number, plus, minus, ll, ld, even, wd, ww, digest];
        let elapsed = stored(batch.elapsed_us);
        let apart = of_batch(&run.id, batch.number, batch.elapsed_us);
        let is_new = self.write(|tx| {
            if execute(tx, INSERT, values)? == 0 {
                return Ok(false);
            }
            execute(tx, INSERT_TIMING, [run.key, number, elapsed, now_ms()])?;
            side_digests::insert(tx, run.key, DigestKind::Batch, apart)?;
            failures::insert_batch(tx, run.key, batch)?;
            Ok(true)
        })?;
        if is_new {
            Ok(Appended::New)
        } else {
            self.compare_batch(run, batch)
        }
    }

    /// Returns the recorded batches of a run in the order of their numbers, which may have gaps.
    ///
    /// # Errors
    /// The file cannot be read, or a batch is damaged.
    pub fn batches(&self, run: &RunHandle) -> Result<Vec<BatchRow>> {
        self.batches_of(run, 0, i64::MAX)
    }

    /// Returns the batch of that number, if it is recorded.
    ///
    /// # Errors
    /// The file cannot be read, or the batch is damaged.
    pub fn batch(&self, run: &RunHandle, number: u64) -> Result<Option<BatchRow>> {
        match i64::try_from(number) {
            Ok(number) => Ok(self.batches_of(run, number, number)?.pop()),
            Err(_) => Ok(None),
        }
    }

    fn batches_of(&self, run: &RunHandle, first: i64, last: i64) -> Result<Vec<BatchRow>> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, read(row)?, row.get(8)?));
        let rows = self.rows(SELECT, [run.key, first, last], read)?;
        let broken = |number: i64| {
            self.damaged(format!(
                "batch {number} of run `{}` is not what was recorded",
                run.id
            ))
        };
        let (mut batches, mut digests) = (Vec::new(), Vec::<Vec<u8>>::new());
        for (number, batch, digest) in rows {
            batches.push(batch.ok_or_else(|| broken(number))?);
            digests.push(digest);
        }
        self.attach_to_batches(run, &mut batches)?;
        let apart = batches.iter();
        let apart = apart.map(|batch| of_batch(&run.id, batch.number, batch.elapsed_us));
        self.check_apart(run, DigestKind::Batch, &apart.collect::<Vec<_>>())?;
        let mut all = batches.iter().zip(digests);
        match all.find(|(batch, stored)| *stored != digest(&run.id, batch)) {
            Some((batch, _)) => Err(broken(batch.number as i64)),
            None => Ok(batches),
        }
    }

    /// Counts the recorded batches of the run and their pairs, without reading the batches.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn count_batches(&self, run: &RunHandle) -> Result<[u64; 2]> {
        let counts = |row: &Row<'_>| Ok([row.get::<_, i64>(0)?, row.get::<_, i64>(1)?]);
        let counted = self.rows(COUNT, [run.key], counts)?.pop();
        Ok(counted.map_or([0, 0], |counts| counts.map(|count| count.max(0) as u64)))
    }

    fn compare_batch(&self, run: &RunHandle, batch: &BatchRow) -> Result<Appended> {
        match self.batch(run, batch.number)? {
            Some(row) if row.agrees(batch) || !run.reproducible => Ok(Appended::AlreadyThere),
            _ => {
                let difference = "the players or the results of its batch".to_owned();
                Err(self.conflict(run, batch.number, difference))
            }
        }
    }
}

/// Reads a row of [`SELECT`], without failures; `None` if it is damaged.
fn read(row: &Row<'_>) -> rusqlite::Result<Option<BatchRow>> {
    let count = |column| row.get::<_, i64>(column).map(|count| count as u64);
    let values = |column| row.get::<_, Vec<u8>>(column).map(|bytes| values(&bytes));
    let elapsed: Option<i64> = row.get(9)?;
    let (Some(plus), Some(minus)) = (values(1)?, values(2)?) else {
        return Ok(None);
    };
    Ok(Some(BatchRow {
        number: count(0)?,
        plus,
        minus,
        result: Pentanomial([count(3)?, count(4)?, count(5)?, count(6)?, count(7)?]),
        failures: Vec::new(),
        elapsed_us: elapsed.unwrap_or_default() as u64,
    }))
}

fn bytes(values: &[f64]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

fn values(bytes: &[u8]) -> Option<Vec<f64>> {
    let (values, rest) = bytes.as_chunks::<8>();
    let values = values.iter().map(|value| f64::from_le_bytes(*value));
    rest.is_empty().then(|| values.collect())
}

/// The first 8 bytes of a SHA-256 of all content that does not depend on the wall clock.
fn digest(run: &str, batch: &BatchRow) -> [u8; 8] {
    let mut hasher = Sha256::new();
    hasher.update(run);
    hasher.update(batch.number.to_le_bytes());
    for values in [&batch.plus, &batch.minus] {
        hasher.update((values.len() as u64).to_le_bytes());
        hasher.update(bytes(values));
    }
    for count in batch.result.0 {
        hasher.update(count.to_le_bytes());
    }
    // Without failures nothing is hashed, so that digests from versions without failures stay
    // valid.
    for failure in &batch.failures {
        failure.digest(&mut hasher);
    }
    short(hasher)
}
