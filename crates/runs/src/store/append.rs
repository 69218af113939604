//! Recording a pair, exactly once.

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde::{Deserialize, Serialize};

use super::begin::now_ms;
use super::codec::{Columns, encode, pair_digest, winner_code};
use super::connection::execute;
use super::difference::difference;
use super::side_digests::DigestKind;
use super::times::TimeBlobs;
use super::{
    Opening, PlayedBy, Result, RunHandle, Store, books, failures, pv_warnings, side_digests, times,
    workers,
};
use leitai_players::play::PairRecord;

/// A pair as it is recorded: the games, their place in the schedule, and their duration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PairRow {
    /// The two games.
    pub record: PairRecord,
    /// Number of the pairing.
    pub pairing: usize,
    /// The two variants; the first one moves first in game 0.
    pub variants: [usize; 2],
    /// Index of the opening in the run's book.
    pub opening: usize,
    /// Wall-clock time for the two games in microseconds. Never compared.
    pub elapsed_us: u64,
    /// Time of its end.
    pub finished: FinishedAt,
    /// The worker that played it; not part of messages.
    #[serde(skip)]
    pub worker: PlayedBy,
}

/// The time of an end, in milliseconds since 1970 UTC; `None` for the time of recording. Never
/// compared.
#[derive(Clone, Copy, Debug, Default, Eq, Deserialize, Serialize)]
pub struct FinishedAt(pub Option<i64>);

impl PartialEq for FinishedAt {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The result of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The pair was added.
    New,
    /// The pair was recorded before; nothing has changed.
    AlreadyThere,
}

const INSERT_PAIR: &str = "\
    INSERT INTO pair (run, idx, pairing, a, b, opening, digest) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (run, idx) DO NOTHING";
// Replaces the rows of a pair that another program deleted, because the next pair gets the same
// key.
const INSERT_GAME: &str = "\
    INSERT OR REPLACE INTO game (id, first, second, winner, cause, hash, moves, scores, depths, nodes) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

/// Statements that delete a pair, dependent rows first.
const REMOVE: [&str; 11] = [
    "DELETE FROM game WHERE id IN (2 * ?1, 2 * ?1 + 1)",
    "DELETE FROM failure WHERE pair = ?1",
    "DELETE FROM evidence WHERE pair = ?1",
    "DELETE FROM timing WHERE pair = ?1",
    "DELETE FROM move_time WHERE pair = ?1",
    "DELETE FROM reported_time WHERE pair = ?1",
    "DELETE FROM move_report WHERE pair = ?1",
    "DELETE FROM pv_warning WHERE pair = ?1",
    "DELETE FROM played_by WHERE pair = ?1",
    "DELETE FROM apart_digest WHERE kind = 1 AND (run, number) = \
     (SELECT run, idx FROM pair WHERE key = ?1)",
    "DELETE FROM pair WHERE key = ?1",
];
const REMOVE_BATCHES: [&str; 4] = [
    "DELETE FROM batch_failure WHERE run = ?1 AND number >= ?2",
    "DELETE FROM batch_timing WHERE run = ?1 AND number >= ?2",
    "DELETE FROM apart_digest WHERE kind = 2 AND run = ?1 AND number >= ?2",
    "DELETE FROM batch WHERE run = ?1 AND number >= ?2",
];
const KEY: &str = "SELECT key FROM pair WHERE run = ?1 AND idx = ?2";

impl Store {
    /// Records a pair. When this returns `Ok`, the pair survives the death of the process.
    ///
    /// A recorded pair is not changed. With a time limit it may have other games (the first
    /// ones remain); in a reproducible run it may not.
    ///
    /// # Errors
    /// A different pair is recorded under that number ([`Conflict`](super::StoreProblem::Conflict)), a value
    /// has no stored form, or writing fails (disk full, lock held for too long, record gone). In
    /// each case nothing of the pair is recorded, all earlier pairs are, and the store remains
    /// usable.
    pub fn append(&self, run: &RunHandle, pair: &PairRow) -> Result<Appended> {
        let appended = self.append_all(run, &[(pair, &[])], |_| None)?;
        Ok(appended[0])
    }

    /// Records pairs like [`append`](Self::append), in one transaction. With each pair it records
    /// its opening and those to which its games came, if the record does not have them: `opening`
    /// returns an opening of the book.
    ///
    /// # Errors
    /// As for [`append`](Self::append), of the first pair that fails, and all pairs before it are
    /// recorded; or a pair's opening is unknown.
    pub fn append_all(
        &self,
        run: &RunHandle,
        pairs: &[(&PairRow, &[usize])],
        opening: impl Fn(usize) -> Option<Opening>,
    ) -> Result<Vec<Appended>> {
        let together = self.append_together(run, pairs, &opening);
        if together.is_ok() || pairs.len() == 1 {
            return together;
        }
        let singly = pairs.iter().map(|pair| {
            let appended = self.append_together(run, &[*pair], &opening)?;
            Ok(appended[0])
        });
        singly.collect()
    }

    /// Records all pairs in one transaction, or none.
    fn append_together(
        &self,
        run: &RunHandle,
        pairs: &[(&PairRow, &[usize])],
        opening: &impl Fn(usize) -> Option<Opening>,
    ) -> Result<Vec<Appended>> {
        let tx = self.begin()?;
        let appended = pairs.iter().map(|(pair, passed)| {
            if self.insert(&tx, run, pair, (passed, opening))? {
                Ok(Appended::New)
            } else {
                self.compare(run, pair)
            }
        });
        let appended = appended.collect::<Result<_>>()?;
        tx.commit().map_err(|source| self.fail(source))?;
        Ok(appended)
    }

    /// Writes a pair within a transaction. Returns whether its number was free.
    pub(super) fn insert(
        &self,
        tx: &Transaction,
        run: &RunHandle,
        pair: &PairRow,
        (passed, opening): (&[usize], &impl Fn(usize) -> Option<Opening>),
    ) -> Result<bool> {
        let index = self.to_integer("a pair number", pair.record.index)?;
        self.check_fits(run, pair)?;
        let games = pair.record.games.iter();
        let columns: Result<Vec<Columns>, String> = games.map(|it| encode(&it.plies)).collect();
        let columns = columns.map_err(|what| self.unstorable(what))?;
        let digest = pair_digest(&run.id, pair, &columns);

        let fail = |source| self.fail(source);
        let [pairing, start] = [pair.pairing, pair.opening].map(|number| number as i64);
        let [a, b] = pair.variants.map(|variant| variant as i64);
        let values = params![run.key, index, pairing, a, b, start, digest];
        if execute(tx, INSERT_PAIR, values).map_err(fail)? == 0 {
            return Ok(false);
        }
        let key = tx.last_insert_rowid();
        let hold = |index: usize| books::hold(tx, run.book, index, || opening(index));
        if !hold(pair.opening).map_err(fail)? {
            let problem = format!("a game from opening {}, which is unknown", pair.opening);
            return Err(self.unstorable(problem));
        }
        passed
            .iter()
            .try_for_each(|&index| hold(index).map(drop))
            .map_err(fail)?;
        let (finished, times) = (
            pair.finished.0.unwrap_or_else(now_ms),
            TimeBlobs::of(pair, &self.packer),
        );
        let apart = side_digests::of_pair(&run.id, pair, finished, &times);
        insert_games(tx, key, pair, &columns)
            .and_then(|()| times::insert(tx, key, (pair.elapsed_us, finished), &times))
            .and_then(|()| failures::insert(tx, key, pair))
            .and_then(|()| pv_warnings::insert(tx, key, pair))
            .and_then(|()| workers::insert(tx, key, pair))
            .and_then(|()| side_digests::insert(tx, run.key, DigestKind::Pair, apart))
            .map_err(fail)?;
        Ok(true)
    }

    /// Removes pairs of a run, and a tune's batches from number `batches` on, all or none, so that
    /// they can be played again. Returns `false` and removes nothing if a process is playing the
    /// run.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn remove_pairs(
        &self,
        run: &RunHandle,
        pairs: &[u64],
        batches: Option<u64>,
    ) -> Result<bool> {
        let fail = |source| self.fail(source);
        let tx = self.begin()?;
        if self.is_played(run)? {
            return Ok(false);
        }
        for &pair in pairs {
            let index = self.to_integer("a pair number", pair)?;
            let key: Option<i64> = tx
                .query_row(KEY, [run.key, index], |row| row.get(0))
                .optional()
                .map_err(fail)?;
            for (remove, key) in REMOVE.iter().zip(key.iter().cycle()) {
                execute(&tx, remove, [key]).map_err(fail)?;
            }
        }
        if let Some(first) = batches {
            let first = self.to_integer("a batch number", first)?;
            for remove in REMOVE_BATCHES {
                execute(&tx, remove, [run.key, first]).map_err(fail)?;
            }
        }
        tx.commit().map_err(fail)?;
        Ok(true)
    }

    /// Refuses a pair that is invalid for the run.
    fn check_fits(&self, run: &RunHandle, pair: &PairRow) -> Result<()> {
        let games = pair.record.games.iter();
        let mut variants = games
            .flat_map(|game| [game.first, game.second])
            .chain(pair.variants)
            .chain(pair.record.spoilt.iter().map(|fault| fault.variant));
        // The two players of a tune are one variant with different values.
        if let Some(variant) = variants.find(|&variant| variant >= run.variants.max(2)) {
            let known = run.variants;
            let problem = format!("a game of variant {variant}: the run has {known}");
            return Err(self.unstorable(problem));
        }
        if pair.opening >= run.openings {
            let (opening, known) = (pair.opening, run.openings);
            let problem = format!("a game from opening {opening}: the run has {known}");
            return Err(self.unstorable(problem));
        }
        Ok(())
    }

    /// Returns the result of appending `pair` under a number that is taken.
    fn compare(&self, run: &RunHandle, pair: &PairRow) -> Result<Appended> {
        let index = pair.record.index;
        let stored = self
            .pair(run, index)?
            .ok_or_else(|| self.damaged(format!("pair {index} is in the index only")))?;
        match difference(&stored, pair, run.reproducible) {
            None => Ok(Appended::AlreadyThere),
            Some(difference) => Err(self.conflict(run, index, difference)),
        }
    }
}

fn insert_games(
    conn: &Connection,
    key: i64,
    pair: &PairRow,
    columns: &[Columns],
) -> rusqlite::Result<()> {
    let mut insert = conn.prepare_cached(INSERT_GAME)?;
    let games = pair.record.games.iter().zip(&pair.record.hashes);
    for (number, ((game, hash), columns)) in (0..).zip(games.zip(columns)) {
        insert.execute(params![
            2 * key + number,
            game.first as i64,
            game.second as i64,
            winner_code(game.verdict.winner, game.drawn_by),
            game.verdict.cause.name(),
            *hash as i64,
            columns.moves,
            columns.scores,
            columns.depths,
            columns.nodes,
        ])?;
    }
    Ok(())
}
