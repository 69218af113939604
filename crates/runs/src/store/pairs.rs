//! Reads pairs in pages.

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::codec::{decode, encode, pair_digest, winner_of_code};
use super::side_digests::{DigestKind, of_pair};
use super::{FinishedAt, PairRow, PlayedBy, Result, RunHandle, Store};
use leitai_game::{Cause, Verdict};
use leitai_players::play::{EvidenceList, GameRecord, MoveTimes, PairRecord};

/// Number of pairs per page, which the iterator holds in memory.
const PAGE: usize = 64;

const SELECT: &str = "\
    SELECT p.idx, p.pairing, p.a, p.b, p.opening, p.digest, coalesce(t.elapsed_us, 0), \
        g.first, g.second, g.winner, g.cause, g.hash, g.moves, g.scores, g.depths, g.nodes, \
        h.first, h.second, h.winner, h.cause, h.hash, h.moves, h.scores, h.depths, h.nodes \
    FROM pair p \
    LEFT JOIN game g ON g.id = 2 * p.key \
    LEFT JOIN game h ON h.id = 2 * p.key + 1 \
    LEFT JOIN timing t ON t.pair = p.key \
    WHERE p.run = ?1 AND p.idx >= ?2 ORDER BY p.idx LIMIT ?3";
/// The first column of [`SELECT`] for each of the games.
const GAMES: [usize; 2] = [7, 16];

/// The pairs of a run in the order of their numbers. Holds some 64 of them in memory, and no lock
/// between pages, so that recording can continue. Ends after the first error.
#[derive(Debug)]
pub struct Pairs<'s> {
    store: &'s Store,
    run: RunHandle,
    /// The first number of the next page; `None` after the last page.
    next: Option<u64>,
    page: VecDeque<PairRow>,
}

impl Iterator for Pairs<'_> {
    type Item = Result<PairRow>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.is_empty() {
            let from = self.next.take()?;
            match self.store.page(&self.run, from, PAGE) {
                Ok(page) => self.page = page,
                Err(error) => return Some(Err(error)),
            }
            if self.page.len() == PAGE {
                self.next = self.page.back().map(|last| last.record.index + 1);
            }
        }
        self.page.pop_front().map(Ok)
    }
}

impl Store {
    /// Returns the recorded pairs of `run` in the order of their numbers; skips missing numbers.
    pub fn pairs(&self, run: &RunHandle) -> Pairs<'_> {
        self.pairs_from(run, 0)
    }

    /// Returns the recorded pairs of `run` from number `first` on.
    pub fn pairs_from(&self, run: &RunHandle, first: u64) -> Pairs<'_> {
        Pairs {
            store: self,
            run: run.clone(),
            next: Some(first),
            page: VecDeque::new(),
        }
    }

    /// Returns the pair of that number, if it is recorded.
    ///
    /// # Errors
    /// Reading fails, or the pair is damaged.
    pub fn pair(&self, run: &RunHandle, index: u64) -> Result<Option<PairRow>> {
        let first = self.page(run, index, 1)?.pop_front();
        Ok(first.filter(|pair| pair.record.index == index))
    }

    /// Reads at most `limit` pairs from number `from` on.
    pub(super) fn page(
        &self,
        run: &RunHandle,
        from: u64,
        limit: usize,
    ) -> Result<VecDeque<PairRow>> {
        let Ok(from) = i64::try_from(from) else {
            return Ok(VecDeque::new());
        };
        let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, pair(row)));
        let rows = self.rows(SELECT, [run.key, from, limit as i64], read)?;
        let broken = |index: u64, error: RowError| {
            self.damaged(format!("pair {index} of run `{}`: {error}", run.id))
        };
        let (mut page, mut digests) = (VecDeque::new(), Vec::new());
        for (index, read) in rows {
            let (pair, digest) = read.map_err(|error| broken(index, error))?;
            page.push_back(pair);
            digests.push(digest);
        }
        let pairs = page.make_contiguous();
        self.attach_failures(run, pairs)?;
        let times = self.attach_times(run, pairs)?;
        self.attach_pv_warnings(run, pairs)?;
        self.attach_workers(run, pairs)?;
        for (pair, digest) in page.iter().zip(digests) {
            check(&run.id, pair, &digest).map_err(|error| broken(pair.record.index, error))?;
        }
        let apart = page.iter().zip(&times);
        let apart = apart.map(|(pair, times)| {
            of_pair(&run.id, pair, pair.finished.0.unwrap_or_default(), times)
        });
        self.check_apart(run, DigestKind::Pair, &apart.collect::<Vec<_>>())?;
        Ok(page)
    }

    /// Adds the rows of a query about these pairs, which are in the order of their numbers: the
    /// first column is the number of a pair, and `put` adds the others to the pair at that place of
    /// the slice. `put` returns `None` for a row with that `damage`.
    pub(super) fn attach(
        &self,
        sql: &str,
        run: &RunHandle,
        pairs: &mut [PairRow],
        damage: &str,
        mut put: impl FnMut(usize, &mut PairRow, &Row<'_>) -> rusqlite::Result<Option<()>>,
    ) -> Result<()> {
        let (Some(first), Some(last)) = (pairs.first(), pairs.last()) else {
            return Ok(());
        };
        let [first, last] = [first, last].map(|pair| pair.record.index as i64);
        let mut damaged = None;
        self.rows(sql, [run.key, first, last], |row| {
            let index = row.get::<_, i64>(0)? as u64;
            // Skips pairs that were recorded in the meantime.
            if let Ok(place) = pairs.binary_search_by_key(&index, |pair| pair.record.index)
                && put(place, &mut pairs[place], row)?.is_none()
            {
                damaged = damaged.or(Some(index));
            }
            Ok(())
        })?;
        match damaged {
            Some(index) => Err(self.damaged(format!("pair {index} of run `{}`: {damage}", run.id))),
            None => Ok(()),
        }
    }
}

/// The reason why a row is not a pair.
#[derive(Debug, thiserror::Error)]
enum RowError {
    #[error(transparent)]
    Column(#[from] rusqlite::Error),
    #[error("{0}")]
    Content(String),
}

/// Reads a row of [`SELECT`] and its digest, without failed attempts.
fn pair(row: &Row<'_>) -> Result<(PairRow, Vec<u8>), RowError> {
    let is_single = row.get_ref(GAMES[1])? == ValueRef::Null;
    let places = GAMES.iter().take(if is_single { 1 } else { 2 });
    let (mut games, mut hashes) = (ArrayVec::new(), ArrayVec::new());
    for place in places {
        let (game, hash) = game(row, *place)?;
        games.push(game);
        hashes.push(hash);
    }
    let pair = PairRow {
        record: PairRecord {
            index: unsigned(row, 0)?,
            games,
            hashes,
            spoilt: Vec::new(),
            evidence: EvidenceList::default(),
        },
        pairing: unsigned(row, 1)? as usize,
        variants: [unsigned(row, 2)? as usize, unsigned(row, 3)? as usize],
        opening: unsigned(row, 4)? as usize,
        elapsed_us: unsigned(row, 6)?,
        finished: FinishedAt::default(),
        worker: PlayedBy::default(),
    };
    Ok((pair, row.get(5)?))
}

/// Checks a pair against its digest.
fn check(run: &str, pair: &PairRow, digest: &[u8]) -> Result<(), RowError> {
    let games = pair.record.games.iter();
    let columns: Result<Vec<_>, String> = games.map(|game| encode(&game.plies)).collect();
    if pair_digest(run, pair, &columns.map_err(RowError::Content)?) == digest {
        Ok(())
    } else {
        Err(RowError::Content(
            "its content does not match its digest".to_owned(),
        ))
    }
}

/// Reads the game whose columns begin at `at`, and its transcript hash.
fn game(row: &Row<'_>, at: usize) -> Result<(GameRecord, u64), RowError> {
    let content = |what: &str| RowError::Content(what.to_owned());
    let blob = |column: usize| {
        let value = row.get_ref(at + column)?;
        value
            .as_blob()
            .map_err(|_| content("a game of it is missing"))
    };
    let plies = decode(blob(5)?, blob(6)?, blob(7)?, blob(8)?).map_err(RowError::Content)?;
    let [winner, drawn_by] = winner_of_code(row.get(at + 2)?).map_err(RowError::Content)?;
    let cause: String = row.get(at + 3)?;
    let cause = Cause::from_name(&cause)
        .ok_or_else(|| RowError::Content(format!("a game of it ended by `{cause}`")))?;
    let hash: i64 = row.get(at + 4)?;
    let game = GameRecord {
        first: unsigned(row, at)? as usize,
        second: unsigned(row, at + 1)? as usize,
        plies,
        verdict: Verdict { winner, cause },
        drawn_by,
        times: MoveTimes::default(),
        pv_warnings: Vec::new(),
    };
    Ok((game, hash as u64))
}

fn unsigned(row: &Row<'_>, column: usize) -> Result<u64, RowError> {
    let value: i64 = row.get(column)?;
    u64::try_from(value)
        .map_err(|_| RowError::Content(format!("it has the negative number {value}")))
}
