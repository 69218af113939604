//! Warnings about the principal variations that players reported.

use rusqlite::{Connection, Row, params};

use super::connection::execute;
use super::{PairRow, RunHandle, Store, StoreError};
use leitai_game::{Cause, Side};
use leitai_players::player::{PvFault, PvWarning, PvWarnings};

const INSERT: &str = "\
    INSERT INTO pv_warning (pair, game, side, fault, count, ply, cause, move, position, line) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
/// Removes rows of a pair that another program deleted.
const CLEAR: &str = "DELETE FROM pv_warning WHERE pair = ?1";
const SELECT: &str = "\
    SELECT p.idx, w.game, w.side, w.fault, w.count, w.ply, w.cause, w.move, w.position, w.line \
    FROM pair p JOIN pv_warning w ON w.pair = p.key \
    WHERE p.run = ?1 AND p.idx BETWEEN ?2 AND ?3 ORDER BY p.idx, w.game, w.side, w.ply, w.fault";

/// Writes the warnings of the pair with that key.
pub(super) fn insert(conn: &Connection, key: i64, pair: &PairRow) -> rusqlite::Result<()> {
    execute(conn, CLEAR, [key])?;
    for (number, game) in (0_i64..).zip(&pair.record.games) {
        for warnings in &game.pv_warnings {
            let first = &warnings.first;
            let values = params![
                key,
                number,
                warnings.side.index() as i64,
                first.kind.name(),
                warnings.count,
                first.ply,
                first.cause.map(Cause::name),
                first.word,
                first.position,
                first.line,
            ];
            execute(conn, INSERT, values)?;
        }
    }
    Ok(())
}

impl Store {
    /// Adds the recorded warnings to pairs in the order of their numbers. A file of an earlier
    /// version has none.
    pub(super) fn attach_pv_warnings(
        &self,
        run: &RunHandle,
        pairs: &mut [PairRow],
    ) -> Result<(), StoreError> {
        let (Some(first), Some(last)) = (pairs.first(), pairs.last()) else {
            return Ok(());
        };
        let ends = [first, last].map(|pair| pair.record.index as i64);
        let of = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, warnings(row)?));
        for (index, found) in self.rows(SELECT, [run.key, ends[0], ends[1]], of)? {
            let (game, warnings) = found.ok_or_else(|| {
                self.damaged(format!(
                    "pair {index} of run `{}`: a player is warned of what nobody knows",
                    run.id
                ))
            })?;
            if let Ok(place) = pairs.binary_search_by_key(&index, |pair| pair.record.index) {
                pairs[place].record.games[game].pv_warnings.push(warnings);
            }
        }
        Ok(())
    }
}

/// Reads the columns after the first: the game, and the warnings of a player in it; `None` if they
/// are damaged.
fn warnings(row: &Row<'_>) -> rusqlite::Result<Option<(usize, PvWarnings)>> {
    let (fault, cause): (String, Option<String>) = (row.get(3)?, row.get(6)?);
    let number = |column| row.get::<_, i64>(column);
    let parts = (
        usize::try_from(number(1)?).ok().filter(|&game| game < 2),
        usize::try_from(number(2)?)
            .ok()
            .and_then(|side| Side::BOTH.get(side)),
        PvFault::from_name(&fault),
        u32::try_from(number(4)?).ok().filter(|&count| count > 0),
        u32::try_from(number(5)?).ok(),
    );
    let (Some(game), Some(&side), Some(kind), Some(count), Some(ply)) = parts else {
        return Ok(None);
    };
    let known = cause.as_deref().map(Cause::from_name);
    let cause = match known {
        Some(None) => return Ok(None),
        known => known.flatten(),
    };
    let first = PvWarning {
        kind,
        cause,
        word: row.get(7)?,
        ply,
        position: row.get(8)?,
        line: row.get(9)?,
    };
    Ok(Some((game, PvWarnings { side, count, first })))
}
