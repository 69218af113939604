//! Begins or continues a run.

use std::iter;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, params};

use super::books::{book_key, hold, insert_book};
use super::runs::meta_digest;
use super::side_digests::{self, DigestKind, of_run};
use super::{
    Opening, PairRow, Result, RunEntry, RunHandle, RunMeta, Store, StoreError, StoreProblem,
    StoredBook,
};

impl Store {
    /// Begins a run, or continues the run of the same id. Runs can share a stored book; its openings
    /// that the record does not have yet are added. A run without a book has one opening, the usual
    /// start.
    ///
    /// # Errors
    /// The run was begun with different data under the same id, the metadata are not well formed
    /// (id, JSON), or writing fails.
    pub fn begin_run(&self, meta: &RunMeta, book: &StoredBook) -> Result<RunHandle> {
        self.begin_with(meta, book, iter::empty(), |_| None)
    }

    /// Begins or continues a run like [`begin_run`](Self::begin_run). A new run also receives
    /// copies of these recorded pairs, with the openings to which each came, as in
    /// [`append_with`](Self::append_with).
    ///
    /// # Errors
    /// As for [`begin_run`](Self::begin_run); or the pairs cannot be read. Then nothing is begun.
    pub fn begin_with(
        &self,
        meta: &RunMeta,
        book: &StoredBook,
        others: impl Iterator<Item = Result<(PairRow, Vec<usize>)>>,
        opening: impl Fn(usize) -> Option<Opening>,
    ) -> Result<RunHandle> {
        self.check_meta(meta)?;
        let fail = |source| self.fail(source);
        let pairs = self.to_integer("a number of pairs", meta.pairs)?;
        let variants = serde_json::to_string(&meta.variants)
            .map_err(|error| self.unstorable(format!("these variants: {error}")))?;

        let tx = self.begin()?;
        if let Some(entry) = self.known_run(&meta.id)? {
            self.check_same(&entry.meta, meta)?;
            if book_key(&tx, book).map_err(fail)? != Some(entry.handle.book) {
                return Err(self.other_run(meta, "book", "one list of openings", "another"));
            }
            hold_all(&tx, entry.handle.book, book).map_err(fail)?;
            tx.commit().map_err(fail)?;
            return Ok(entry.handle);
        }
        let key = match book_key(&tx, book).map_err(fail)? {
            Some(key) => key,
            None => insert_book(&tx, book).map_err(fail)?,
        };
        hold_all(&tx, key, book).map_err(fail)?;
        tx.execute(
            "INSERT INTO run (id, game, config, source_name, source_text, seed, version, \
             variants, pairs, reproducible, book, digest) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            params![
                meta.id,
                meta.game,
                meta.config,
                meta.source_name,
                meta.source_text,
                meta.seed.to_string(),
                meta.version,
                variants,
                pairs,
                meta.reproducible,
                key,
                meta_digest(meta),
            ],
        )
        .map_err(fail)?;
        let (key, now) = (tx.last_insert_rowid(), now_ms());
        tx.execute(
            "INSERT OR REPLACE INTO run_timing (run, created_at) VALUES (?1, ?2)",
            [key, now],
        )
        .and_then(|_| {
            side_digests::insert(&tx, key, DigestKind::Run, of_run(&meta.id, time_of(now)))
        })
        .map_err(fail)?;
        let begun = self.known_run(&meta.id)?;
        let Some(RunEntry { handle, .. }) = begun else {
            return Err(self.damaged("a run that was just begun is not there"));
        };
        for other in others {
            let (pair, passed) = other?;
            self.insert(&tx, &handle, &pair, (&passed, &opening))?;
        }
        tx.commit().map_err(fail)?;
        Ok(handle)
    }

    /// Replaces the recorded config text of a run that continues with another text, which may judge
    /// the same games differently, for instance with another `tolerate`.
    ///
    /// # Errors
    /// The record cannot be read or written.
    pub fn update_source(&self, meta: &RunMeta) -> Result<()> {
        let is_other = |entry: &RunEntry| entry.meta.source_text != meta.source_text;
        if !self.known_run(&meta.id)?.as_ref().is_some_and(is_other) {
            return Ok(());
        }
        let sql = "UPDATE run SET source_name = ?1, source_text = ?2, digest = ?3 WHERE id = ?4";
        let (name, text) = (&meta.source_name, &meta.source_text);
        self.write(|tx| tx.execute(sql, params![name, text, meta_digest(meta), meta.id]))
            .map(drop)
    }

    /// Refuses metadata that could not be found or read back.
    fn check_meta(&self, meta: &RunMeta) -> Result<()> {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let id = &meta.id;
        if id.is_empty() || !id.bytes().all(hex) {
            let problem = format!("a run id `{id}`: it is not lowercase hexadecimal");
            return Err(self.unstorable(problem));
        }
        serde_json::from_str::<serde::de::IgnoredAny>(&meta.config)
            .map(drop)
            .map_err(|error| self.unstorable(format!("a config that is not JSON: {error}")))
    }

    /// Refuses to continue a run with different data.
    fn check_same(&self, stored: &RunMeta, given: &RunMeta) -> Result<()> {
        type Field = (&'static str, fn(&RunMeta) -> String);
        let fields: [Field; 7] = [
            ("game", |meta| meta.game.clone()),
            ("config", |meta| meta.config.clone()),
            ("seed", |meta| meta.seed.to_string()),
            ("version of leitai", |meta| meta.version.clone()),
            ("list of variants", |meta| meta.variants.join(", ")),
            ("number of pairs", |meta| meta.pairs.to_string()),
            ("kind of limit (true: reproducible)", |meta| {
                meta.reproducible.to_string()
            }),
        ];
        for (field, text) in fields {
            let (was, is) = (text(stored), text(given));
            if was != is {
                let (was, is) = (excerpt(&was, &is), excerpt(&is, &was));
                return Err(self.other_run(given, field, &was, &is));
            }
        }
        Ok(())
    }

    fn other_run(&self, run: &RunMeta, field: &str, was: &str, is: &str) -> StoreError {
        let difference = format!("{field}: {was}, now {is}");
        self.fail(StoreProblem::OtherRun(run.id.clone(), difference))
    }
}

/// Writes the openings of a book that the record does not have.
fn hold_all(conn: &Connection, key: i64, book: &StoredBook) -> rusqlite::Result<()> {
    let mut held = book.held.iter();
    held.try_for_each(|(index, opening)| {
        hold(conn, key, *index, || Some(opening.clone())).map(drop)
    })
}

/// Returns a short part of `text`, from shortly before its first difference from `other`.
fn excerpt(text: &str, other: &str) -> String {
    const BEFORE: usize = 24;
    const LENGTH: usize = 60;
    let same = text.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let start = same.count().saturating_sub(BEFORE);
    let piece: String = text.chars().skip(start).take(LENGTH).collect();
    let more = |there: bool| if there { "..." } else { "" };
    let cut = start + LENGTH < text.chars().count();
    format!("`{}{piece}{}`", more(start > 0), more(cut))
}

/// Returns the time `ms` milliseconds after 1970 UTC; 1970 if `ms` is negative.
pub(super) fn time_of(ms: i64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(ms.max(0) as u64)
}

/// Returns the present time in milliseconds since 1970 UTC; 0 if the clock is set to an earlier
/// time.
pub(super) fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as i64)
}
