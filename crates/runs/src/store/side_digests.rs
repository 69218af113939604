//! Digests of recorded data outside the compared content: times, workers, warnings, evidence of
//! failures. The digest of a pair does not depend on the clock, so without these digests damage to
//! a time would go unnoticed and give a wrong number in a report.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};

use super::codec::{short, short_digest};
use super::connection::execute;
use super::times::TimeBlobs;
use super::{PairRow, Result, RunHandle, Store, WorkerName};
use leitai_game::Cause;

// Replaces the digest of a pair that another program deleted.
const INSERT: &str = "\
    INSERT OR REPLACE INTO apart_digest (run, kind, number, digest) VALUES (?1, ?2, ?3, ?4)";
const SELECT: &str = "\
    SELECT number, digest FROM apart_digest WHERE run = ?1 AND kind = ?2 \
    AND number BETWEEN ?3 AND ?4 ORDER BY number";

/// The kind of data that a digest covers, as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum DigestKind {
    Run = 0,
    Pair = 1,
    Batch = 2,
}

impl DigestKind {
    /// Describes the data that cannot be trusted if the digest of that number differs.
    fn describe(self, number: u64, run: &str) -> String {
        match self {
            Self::Run => format!("the time at which run `{run}` was begun"),
            Self::Pair => format!(
                "pair {number} of run `{run}`: a time, its worker, a warning about its players or \
                 the evidence of a failure"
            ),
            Self::Batch => format!("batch {number} of run `{run}`: its time"),
        }
    }
}

/// The number of a pair or batch in its run, and a digest.
pub(super) type Numbered = (u64, [u8; 8]);

pub(super) fn insert(
    conn: &Connection,
    run: i64,
    kind: DigestKind,
    (number, digest): Numbered,
) -> rusqlite::Result<()> {
    let values = params![run, kind as i64, number as i64, digest];
    execute(conn, INSERT, values).map(drop)
}

impl Store {
    /// Compares digests of the data that was read with the recorded digests.
    pub(super) fn check_apart(
        &self,
        run: &RunHandle,
        kind: DigestKind,
        found: &[Numbered],
    ) -> Result<()> {
        let (Some(first), Some(last)) = (found.first(), found.last()) else {
            return Ok(());
        };
        let values = [run.key, kind as i64, first.0 as i64, last.0 as i64];
        let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?));
        let stored: Vec<(u64, Vec<u8>)> = self.rows(SELECT, values, read)?;
        let differs = |(number, digest): &&Numbered| {
            let place = stored.binary_search_by_key(number, |stored| stored.0);
            place.map_or(true, |place| stored[place].1 != digest[..])
        };
        match found.iter().find(differs) {
            None => Ok(()),
            Some((number, _)) => Err(self.damaged(format!(
                "{} is not what was recorded",
                kind.describe(*number, &run.id)
            ))),
        }
    }
}

/// Computes the digest of the start time of a run.
pub(super) fn of_run(run: &str, created_at: SystemTime) -> Numbered {
    let since = created_at.duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = since.as_millis() as u64;
    (0, short_digest([run.as_bytes(), &millis.to_le_bytes()]))
}

/// Computes the digest of the duration of a batch.
pub(super) fn of_batch(run: &str, number: u64, elapsed_us: u64) -> Numbered {
    let elapsed = stored(elapsed_us).to_le_bytes();
    (
        number,
        short_digest([run.as_bytes(), &number.to_le_bytes(), &elapsed]),
    )
}

/// Computes the digest of the times, the worker and the warnings of a pair that was finished at
/// `finished`.
pub(super) fn of_pair(run: &str, pair: &PairRow, finished: i64, times: &TimeBlobs) -> Numbered {
    let mut hasher = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    let index = pair.record.index;
    part(run.as_bytes());
    part(&index.to_le_bytes());
    part(&stored(pair.elapsed_us).to_le_bytes());
    part(&finished.to_le_bytes());
    times.0.iter().for_each(|blob| part(blob));
    let worker = pair.worker.0.as_ref().map(WorkerName::as_str);
    part(worker.unwrap_or_default().as_bytes());
    for game in &pair.record.games {
        part(&(game.pv_warnings.len() as u64).to_le_bytes());
        let mut warnings: Vec<_> = game.pv_warnings.iter().collect();
        // The order of reading.
        warnings.sort_by_key(|warnings| warnings.order());
        for warnings in warnings {
            let first = &warnings.first;
            part(&[warnings.side.index() as u8]);
            part(&warnings.count.to_le_bytes());
            part(&first.ply.to_le_bytes());
            part(first.cause.as_ref().map_or("", Cause::name).as_bytes());
            for text in [first.kind.name(), &first.word, &first.position, &first.line] {
                part(text.as_bytes());
            }
        }
    }
    let mut evidence: Vec<_> = pair.record.evidence.0.iter().collect();
    evidence.sort_by_key(|it| (it.attempt, it.game));
    for it in evidence {
        part(&it.attempt.to_le_bytes());
        part(&(it.game as u64).to_le_bytes());
        let detail = serde_json::to_string(&it.clone().bounded());
        part(detail.unwrap_or_default().as_bytes());
    }
    (index, short(hasher))
}

/// Converts microseconds to an SQLite integer.
pub(super) fn stored(elapsed_us: u64) -> i64 {
    i64::try_from(elapsed_us).unwrap_or(i64::MAX)
}
