//! Warnings about the principal variations that players reported.

use rusqlite::{Connection, Row, params};

use super::connection::execute;
use super::{PairRow, Result, RunHandle, Store};
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
                first.cause.as_ref().map(Cause::name),
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
    /// Adds the recorded warnings to pairs in the order of their numbers.
    pub(super) fn attach_pv_warnings(&self, run: &RunHandle, pairs: &mut [PairRow]) -> Result<()> {
        let damage = "a warning about a player has an unknown fault or cause";
        self.attach(SELECT, run, pairs, damage, |_, pair, row| {
            let games = &mut pair.record.games;
            Ok(warnings(row)?.map(|(game, warnings)| games[game].pv_warnings.push(warnings)))
        })
    }
}

/// Reads the columns after the first: the game, and the warnings of a player in it; `None` if they
/// are damaged.
fn warnings(row: &Row<'_>) -> rusqlite::Result<Option<(usize, PvWarnings)>> {
    let [game, side, count, ply]: [i64; 4] = [row.get(1)?, row.get(2)?, row.get(4)?, row.get(5)?];
    let (fault, cause): (String, Option<String>) = (row.get(3)?, row.get(6)?);
    let [word, position, line] = [row.get(7)?, row.get(8)?, row.get(9)?];
    let read = || {
        let cause = cause.map(|name| Cause::from_name(&name).ok_or(name));
        let cause = cause.transpose().ok()?;
        let first = PvWarning {
            kind: PvFault::from_name(&fault)?,
            cause,
            word,
            ply: ply.try_into().ok()?,
            position,
            line,
        };
        let side = *Side::BOTH.get(usize::try_from(side).ok()?)?;
        let count = u32::try_from(count).ok().filter(|&count| count > 0)?;
        let game = usize::try_from(game).ok().filter(|&game| game < 2)?;
        Some((game, PvWarnings { side, count, first }))
    };
    Ok(read())
}
