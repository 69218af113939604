//! The failed attempts at a pair, kept apart from its games.

use rusqlite::{Connection, Row, params};

use super::schema::stamp;
use super::{PairRow, RunHandle, Store, StoreError};
use crate::game::Cause;
use crate::play::Fault;

const INSERT: &str = "\
    INSERT INTO failure (pair, attempt, game, variant, cause) VALUES (?1, ?2, ?3, ?4, ?5)";
/// What other hands left of a pair that they removed.
const CLEAR: &str = "DELETE FROM failure WHERE pair = ?1";
const SELECT: &str = "\
    SELECT p.idx, f.attempt, f.game, f.variant, f.cause \
    FROM pair p JOIN failure f ON f.pair = p.key \
    WHERE p.run = ?1 AND p.idx BETWEEN ?2 AND ?3 ORDER BY p.idx, f.attempt, f.game";

/// The first schema version that knows failed attempts.
const SINCE: i32 = 2;

/// Writes the failed attempts at the pair with that key.
pub(super) fn insert(conn: &Connection, key: i64, pair: &PairRow) -> rusqlite::Result<()> {
    conn.prepare_cached(CLEAR)?.execute([key])?;
    for fault in &pair.record.spoilt {
        conn.prepare_cached(INSERT)?.execute(params![
            key,
            i64::from(fault.attempt),
            fault.game as i64,
            fault.variant as i64,
            fault.cause.name(),
        ])?;
    }
    Ok(())
}

impl Store {
    /// Gives pairs, which are in the order of their numbers, the failed attempts
    /// that are recorded of them: none in a file of before.
    pub(super) fn attach(&self, run: &RunHandle, pairs: &mut [PairRow]) -> Result<(), StoreError> {
        let fail = |source| self.fail(source);
        let ends = (pairs.first(), pairs.last());
        let (Some(first), Some(last)) = ends else {
            return Ok(());
        };
        let [first, last] = [first, last].map(|pair| pair.record.index as i64);
        // Asked each time: another process may migrate the file meanwhile. What
        // is recorded of a pair never changes, so no transaction is needed.
        if stamp(&self.conn).map_err(fail)?.version < SINCE {
            return Ok(());
        }
        let mut statement = self.conn.prepare_cached(SELECT).map_err(fail)?;
        let mut rows = statement
            .query(params![run.key, first, last])
            .map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let index: i64 = row.get(0).map_err(fail)?;
            let fault = fault(row).map_err(fail)?.ok_or_else(|| {
                self.damaged(format!(
                    "pair {index} of run `{}`: an attempt at it failed in no known way",
                    run.id
                ))
            })?;
            // One of a pair that has come since is not asked for.
            let found = pairs.binary_search_by_key(&(index as u64), |pair| pair.record.index);
            if let Ok(place) = found {
                pairs[place].record.spoilt.push(fault);
            }
        }
        Ok(())
    }
}

/// A row of [`SELECT`]; `None` if it is not what was written.
fn fault(row: &Row<'_>) -> rusqlite::Result<Option<Fault>> {
    let cause: String = row.get(4)?;
    let number = |column| row.get::<_, i64>(column);
    let (attempt, game, variant) = (number(1)?, number(2)?, number(3)?);
    let parts = (
        u32::try_from(attempt),
        usize::try_from(game),
        usize::try_from(variant),
        Cause::from_name(&cause),
    );
    let (Ok(attempt), Ok(game), Ok(variant), Some(cause)) = parts else {
        return Ok(None);
    };
    Ok(Some(Fault {
        attempt,
        game,
        variant,
        cause,
    }))
}
