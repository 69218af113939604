//! Failures of players, stored separately from the games: the failed attempts at a pair, and all
//! failures in the pairs of a batch, with their evidence.

use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};

use super::connection::execute;
use super::{BatchRow, PairRow, Result, RunHandle, Store};
use leitai_game::Cause;
use leitai_players::play::{Evidence, EvidenceList, Fault, PairRecord};

/// A failure in a pair of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchFailure {
    /// The pair's number in the run, from 0.
    pub pair: u64,
    /// The failure and its player; the batch's first player is variant 0, the other 1.
    pub fault: Fault,
    /// True if the failure lost the game; false if the pair was played again.
    pub counts: bool,
    /// The evidence.
    pub evidence: EvidenceList,
}

const INSERT: &str = "\
    INSERT INTO failure (pair, attempt, game, variant, cause) VALUES (?1, ?2, ?3, ?4, ?5)";
const INSERT_OF_BATCH: &str = "\
    INSERT INTO batch_failure (run, number, pair, attempt, game, player, cause, counts) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const INSERT_EVIDENCE: &str = "\
    INSERT OR REPLACE INTO evidence (pair, attempt, game, detail) VALUES (?1, ?2, ?3, ?4)";
const CLEAR_EVIDENCE: &str = "DELETE FROM evidence WHERE pair = ?1";
const SELECT_EVIDENCE: &str = "\
    SELECT p.idx, e.attempt, e.game, e.detail \
    FROM pair p JOIN evidence e ON e.pair = p.key \
    WHERE p.run = ?1 AND p.idx BETWEEN ?2 AND ?3 ORDER BY p.idx, e.attempt, e.game";
/// Removes rows of a pair that another program deleted.
const CLEAR: &str = "DELETE FROM failure WHERE pair = ?1";
/// Removes rows of a batch that another program deleted.
const CLEAR_OF_BATCH: &str = "DELETE FROM batch_failure WHERE run = ?1 AND number = ?2";
const SELECT: &str = "\
    SELECT p.idx, f.attempt, f.game, f.variant, f.cause \
    FROM pair p JOIN failure f ON f.pair = p.key \
    WHERE p.run = ?1 AND p.idx BETWEEN ?2 AND ?3 ORDER BY p.idx, f.attempt, f.game";
const SELECT_OF_BATCHES: &str = "\
    SELECT number, attempt, game, player, cause, pair, counts FROM batch_failure \
    WHERE run = ?1 AND number BETWEEN ?2 AND ?3 ORDER BY number, pair, attempt, game";

impl BatchFailure {
    /// Returns all failures of a pair, in the order of attempts and games.
    pub fn of(record: &PairRecord) -> impl Iterator<Item = Self> {
        let pair = record.index;
        let kind = move |counts| {
            move |fault: Fault| {
                let evidence = record.evidence.of(fault.attempt, fault.game);
                Self {
                    pair,
                    fault,
                    counts,
                    evidence: EvidenceList(evidence.into_iter().cloned().collect()),
                }
            }
        };
        let spoilt = record.spoilt.iter().copied().map(kind(false));
        spoilt.chain(record.faults().map(kind(true)))
    }

    /// Adds the stored content to a digest.
    pub(super) fn digest(&self, hasher: &mut Sha256) {
        hasher.update(b"failure");
        hasher.update(self.pair.to_le_bytes());
        digest(&self.fault, hasher);
        hasher.update([u8::from(self.counts)]);
    }
}

/// Adds the stored content of a fault to a digest.
pub(super) fn digest(fault: &Fault, hasher: &mut Sha256) {
    hasher.update(fault.attempt.to_le_bytes());
    hasher.update((fault.game as u64).to_le_bytes());
    hasher.update((fault.variant as u64).to_le_bytes());
    hasher.update(fault.cause.name());
}

/// Writes the failed attempts at the pair with that key.
pub(super) fn insert(conn: &Connection, key: i64, pair: &PairRow) -> rusqlite::Result<()> {
    execute(conn, CLEAR, [key])?;
    for fault in &pair.record.spoilt {
        let (game, variant) = (fault.game as i64, fault.variant as i64);
        let values = params![key, fault.attempt, game, variant, fault.cause.name()];
        execute(conn, INSERT, values)?;
    }
    execute(conn, CLEAR_EVIDENCE, [key])?;
    for evidence in &pair.record.evidence.0 {
        // Our own text always has a JSON form.
        let detail = serde_json::to_string(evidence).unwrap_or_default();
        let values = params![key, evidence.attempt, evidence.game as i64, detail];
        execute(conn, INSERT_EVIDENCE, values)?;
    }
    Ok(())
}

/// Writes the failures of a batch of the run with that key.
pub(super) fn insert_batch(conn: &Connection, run: i64, batch: &BatchRow) -> rusqlite::Result<()> {
    let number = batch.number as i64;
    execute(conn, CLEAR_OF_BATCH, [run, number])?;
    for it in &batch.failures {
        let (pair, attempt, cause) = (it.pair as i64, it.fault.attempt, it.fault.cause.name());
        let (game, player) = (it.fault.game as i64, it.fault.variant as i64);
        let values = params![run, number, pair, attempt, game, player, cause, it.counts];
        execute(conn, INSERT_OF_BATCH, values)?;
    }
    Ok(())
}

impl Store {
    /// Adds the recorded failed attempts, and the evidence of failures, to pairs in the order of
    /// their numbers.
    pub(super) fn attach_failures(&self, run: &RunHandle, pairs: &mut [PairRow]) -> Result<()> {
        let damage = "an attempt at it failed with an unknown cause";
        self.attach(SELECT, run, pairs, damage, |_, pair, row| {
            Ok(fault(row)?.map(|fault| pair.record.spoilt.push(fault)))
        })?;
        self.attach(SELECT_EVIDENCE, run, pairs, "", |_, pair, row| {
            pair.record.evidence.0.extend(evidence(row)?);
            Ok(Some(()))
        })
    }

    /// Adds the recorded failures to batches.
    pub(super) fn attach_to_batches(&self, run: &RunHandle, rows: &mut [BatchRow]) -> Result<()> {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Ok(());
        };
        let ends = [run.key, first.number as i64, last.number as i64];
        let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, batch_failure(row)?));
        for (number, failure) in self.rows(SELECT_OF_BATCHES, ends, read)? {
            let failure = failure.ok_or_else(|| {
                self.damaged(format!(
                    "batch {number} of run `{}`: a player failed in it with an unknown cause",
                    run.id
                ))
            })?;
            if let Ok(place) = rows.binary_search_by_key(&number, |batch| batch.number) {
                rows[place].failures.push(failure);
            }
        }
        let failures = rows.iter_mut().flat_map(|batch| &mut batch.failures);
        let mut failures: Vec<&mut BatchFailure> = failures.collect();
        let pairs = failures.iter().map(|failure| failure.pair as i64);
        let (Some(first), Some(last)) = (pairs.clone().min(), pairs.max()) else {
            return Ok(());
        };
        let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, evidence(row)?));
        for (pair, evidence) in self.rows(SELECT_EVIDENCE, [run.key, first, last], read)? {
            let Some(evidence) = evidence else {
                continue;
            };
            let key = (pair, evidence.attempt, evidence.game);
            let place = failures.binary_search_by_key(&key, |failure| {
                (failure.pair, failure.fault.attempt, failure.fault.game)
            });
            if let Ok(place) = place {
                failures[place].evidence.0.push(evidence);
            }
        }
        Ok(())
    }
}

/// Reads a row of [`SELECT_EVIDENCE`]; `None` if it cannot be read.
fn evidence(row: &Row<'_>) -> rusqlite::Result<Option<Evidence>> {
    let [attempt, game]: [i64; 2] = [row.get(1)?, row.get(2)?];
    let detail: String = row.get(3).unwrap_or_default();
    let read = || {
        let evidence: Evidence = serde_json::from_str(&detail).ok()?;
        Some(Evidence {
            attempt: attempt.try_into().ok()?,
            game: game.try_into().ok()?,
            ..evidence.bounded()
        })
    };
    Ok(read())
}

/// Reads a row of [`SELECT_OF_BATCHES`]; `None` if it is damaged.
fn batch_failure(row: &Row<'_>) -> rusqlite::Result<Option<BatchFailure>> {
    let (pair, counts): (i64, bool) = (row.get(5)?, row.get(6)?);
    let pair = u64::try_from(pair).ok();
    let both = pair.zip(fault(row)?);
    Ok(both.map(|(pair, fault)| BatchFailure {
        pair,
        fault,
        counts,
        evidence: EvidenceList::default(),
    }))
}

/// Reads the columns after the first; `None` if they are damaged.
fn fault(row: &Row<'_>) -> rusqlite::Result<Option<Fault>> {
    let [attempt, game, variant]: [i64; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
    let cause: String = row.get(4)?;
    let read = || {
        Some(Fault {
            attempt: attempt.try_into().ok()?,
            game: game.try_into().ok()?,
            variant: variant.try_into().ok()?,
            cause: Cause::from_name(&cause)?,
        })
    };
    Ok(read())
}
