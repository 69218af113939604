//! How players failed in the pairs of a batch, kept apart from the batch's result.

use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};

use super::schema::stamp;
use super::{BatchRow, RunHandle, Store, StoreError};
use crate::game::Cause;
use crate::play::{Fault, PairRecord};

/// A failure in a pair of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchFailure {
    /// The pair's number in the run, from 0.
    pub pair: u64,
    /// Who failed, and how; the batch's first player is variant 0, the other 1.
    pub fault: Fault,
    /// Whether the game was lost by it; else the pair was played again.
    pub counts: bool,
}

const INSERT: &str = "\
    INSERT INTO batch_failure (run, number, pair, attempt, game, player, cause, counts) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
/// What other hands left of a batch that they removed.
const CLEAR: &str = "DELETE FROM batch_failure WHERE run = ?1 AND number = ?2";
const SELECT: &str = "\
    SELECT number, pair, attempt, game, player, cause, counts FROM batch_failure \
    WHERE run = ?1 AND number BETWEEN ?2 AND ?3 ORDER BY number, pair, attempt, game";

/// The first schema version that knows failures in batches.
const SINCE: i32 = 4;

impl BatchFailure {
    /// All of a pair, in the order of attempts and games.
    pub fn of(record: &PairRecord) -> impl Iterator<Item = Self> {
        let pair = record.index;
        let kind = move |counts| {
            move |fault| Self {
                pair,
                fault,
                counts,
            }
        };
        let spoilt = record.spoilt.iter().copied().map(kind(false));
        spoilt.chain(record.faults().map(kind(true)))
    }

    /// Adds all that is kept of it to a digest.
    pub(super) fn digest(&self, hasher: &mut Sha256) {
        hasher.update(b"failure");
        hasher.update(self.pair.to_le_bytes());
        hasher.update(self.fault.attempt.to_le_bytes());
        hasher.update((self.fault.game as u64).to_le_bytes());
        hasher.update((self.fault.variant as u64).to_le_bytes());
        hasher.update(self.fault.cause.name());
        hasher.update([u8::from(self.counts)]);
    }
}

/// Writes the failures of a batch of the run with that key.
pub(super) fn insert(conn: &Connection, run: i64, batch: &BatchRow) -> rusqlite::Result<()> {
    conn.prepare_cached(CLEAR)?
        .execute(params![run, batch.number as i64])?;
    for BatchFailure {
        pair,
        fault,
        counts,
    } in &batch.failures
    {
        conn.prepare_cached(INSERT)?.execute(params![
            run,
            batch.number as i64,
            *pair as i64,
            i64::from(fault.attempt),
            fault.game as i64,
            fault.variant as i64,
            fault.cause.name(),
            *counts,
        ])?;
    }
    Ok(())
}

impl Store {
    /// Gives batches, which are in the order of their numbers, the failures that are
    /// recorded of them: none in a file of before.
    pub(super) fn attach_failures(
        &self,
        run: &RunHandle,
        batches: &mut [BatchRow],
    ) -> Result<(), StoreError> {
        let fail = |source| self.fail(source);
        let (Some(first), Some(last)) = (batches.first(), batches.last()) else {
            return Ok(());
        };
        let [first, last] = [first, last].map(|batch| batch.number as i64);
        // Asked each time: another process may migrate the file meanwhile. What is
        // recorded of a batch never changes, so no transaction is needed.
        if stamp(&self.conn).map_err(fail)?.version < SINCE {
            return Ok(());
        }
        let mut statement = self.conn.prepare_cached(SELECT).map_err(fail)?;
        let mut rows = statement
            .query(params![run.key, first, last])
            .map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let number: i64 = row.get(0).map_err(fail)?;
            let failure = failure(row).map_err(fail)?.ok_or_else(|| {
                self.damaged(format!(
                    "batch {number} of run `{}`: a player failed in it in no known way",
                    run.id
                ))
            })?;
            // One of a batch that has come since is not asked for.
            let found = batches.binary_search_by_key(&(number as u64), |batch| batch.number);
            if let Ok(place) = found {
                batches[place].failures.push(failure);
            }
        }
        Ok(())
    }
}

/// A row of [`SELECT`]; `None` if it is not what was written.
fn failure(row: &Row<'_>) -> rusqlite::Result<Option<BatchFailure>> {
    let number = |column| row.get::<_, i64>(column);
    let cause: String = row.get(5)?;
    let parts = (
        u64::try_from(number(1)?),
        u32::try_from(number(2)?),
        usize::try_from(number(3)?),
        usize::try_from(number(4)?),
        Cause::from_name(&cause),
    );
    let (Ok(pair), Ok(attempt), Ok(game), Ok(variant), Some(cause)) = parts else {
        return Ok(None);
    };
    Ok(Some(BatchFailure {
        pair,
        fault: Fault {
            attempt,
            game,
            variant,
            cause,
        },
        counts: row.get(6)?,
    }))
}
