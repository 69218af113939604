//! Checks all content of a record against its digests.

use rusqlite::Row;
use serde::Serialize;

use super::header::sibling_length;
use super::{PairNumbers, Result, RunEntry, Store, StoreError, StoreProblem};

/// Number of pairs that are read at once.
const PAGE: usize = 64;

/// The content of a record, with its damages.
#[derive(Debug, Default)]
pub struct Content {
    /// The runs in the order of their starts.
    pub runs: Vec<RunContent>,
    /// Number of whole searches of studies.
    pub searches: u64,
    /// Number of games against a person.
    pub human_games: u64,
    /// The damages.
    pub damages: Vec<StoreError>,
    /// The rows that another program has removed: the same command plays their pairs again.
    pub removed: Vec<StoreError>,
}

/// The content of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunContent {
    /// Its identity.
    pub run: String,
    /// The name of its config.
    pub config: String,
    /// The name of its game.
    pub game: String,
    /// Number of recorded pairs.
    pub pairs: u64,
    /// Number of whole pairs.
    pub whole: u64,
    /// Number of recorded batches of a tune.
    pub batches: u64,
    /// Number of whole batches.
    pub whole_batches: u64,
    /// The first pair that is missing, if later ones are recorded; reports leave those out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<u64>,
}

/// The space that a record takes, in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DiskUse {
    /// The file.
    pub file: u64,
    /// The log next to it.
    pub log: u64,
    /// The part of the file that is free for further rows.
    pub free: u64,
}

impl Content {
    /// Notes damage. Other errors end the check.
    fn note<T>(&mut self, read: Result<T>) -> Result<Option<T>> {
        match read {
            Ok(value) => Ok(Some(value)),
            Err(error) if matches!(error.problem, StoreProblem::Damaged(_)) => {
                self.damages.push(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

impl Store {
    /// Reads all content, and compares it with its digests. `goes_on` gets the number of pairs
    /// read so far; the check stops if it returns false.
    ///
    /// # Errors
    /// The record cannot be read, for another reason than damage.
    pub fn content(&self, mut goes_on: impl FnMut(u64) -> bool) -> Result<Content> {
        let mut content = Content::default();
        let keys = self.rows("SELECT CAST(key AS TEXT) FROM run ORDER BY key", [], text);
        let mut before = 0;
        for key in content.note(keys)?.unwrap_or_default() {
            let found = self.find("WHERE run.key = ?1", &key);
            for run in content.note(found)?.unwrap_or_default() {
                let goes_on = |pairs| goes_on(before + pairs);
                let run = self.run_content(&run, &mut content, goes_on)?;
                before += run.pairs;
                content.runs.push(run);
            }
        }
        let searches = self.cells(|_, _| content.searches += 1);
        if let Some(damaged) = content
            .note(searches)?
            .filter(|damaged| !damaged.is_empty())
        {
            let what = format!("{} searches of studies", damaged.len());
            content.damages.push(self.damaged(what));
        }
        let orphans = self.rows("PRAGMA foreign_key_check", [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(2)?))
        });
        let mut orphans = content.note(orphans)?.unwrap_or_default();
        orphans.sort();
        for rows in orphans.chunk_by(|one, other| one == other) {
            let ((table, parent), count) = (&rows[0], rows.len());
            let what = format!("{count} rows of `{table}` have lost their rows of `{parent}`");
            content.removed.push(self.damaged(what));
        }
        let games = content.note(self.human_games())?;
        content.human_games = games.map_or(0, |games| games.len() as u64);
        Ok(content)
    }

    fn run_content(
        &self,
        entry: &RunEntry,
        content: &mut Content,
        mut goes_on: impl FnMut(u64) -> bool,
    ) -> Result<RunContent> {
        let run = &entry.handle;
        content.note(self.check_openings(run))?;
        content.note(self.speeds(run))?;
        let mut found = RunContent {
            run: entry.meta.id.clone(),
            config: entry.meta.source_name.clone(),
            game: entry.meta.game.clone(),
            pairs: 0,
            whole: 0,
            batches: 0,
            whole_batches: 0,
            gap: None,
        };
        let select = "SELECT number FROM batch WHERE run = ?1 ORDER BY number";
        let numbers = self.rows(select, [run.key], |row| row.get::<_, i64>(0));
        for number in content.note(numbers)?.unwrap_or_default() {
            found.batches += 1;
            let is_whole = content.note(self.batch(run, number as u64))?.is_some();
            found.whole_batches += u64::from(is_whole);
        }
        let numbers = content.note(self.recorded_indices(run))?;
        found.gap = numbers.as_ref().and_then(PairNumbers::gap);
        let digests = "SELECT number FROM apart_digest WHERE run = ?1 AND kind = 1 ORDER BY number";
        let digests = self.rows(digests, [run.key], |row| row.get::<_, i64>(0));
        for number in content.note(digests)?.unwrap_or_default() {
            let is_there = |all: &PairNumbers| all.contains(number as u64);
            if numbers.as_ref().is_some_and(|all| !is_there(all)) {
                let what = format!("pair {number} of run `{}` was removed", run.id);
                content.removed.push(self.damaged(what));
            }
        }
        let numbers: Vec<u64> = numbers.iter().flat_map(PairNumbers::numbers).collect();
        for page in numbers.chunks(PAGE) {
            if !goes_on(found.pairs) {
                break;
            }
            found.pairs += page.len() as u64;
            // A damaged page has whole pairs.
            match self.page(run, page[0], page.len()) {
                Ok(_) => found.whole += page.len() as u64,
                Err(_) => {
                    for &number in page {
                        let is_whole = content.note(self.pair(run, number))?.is_some();
                        found.whole += u64::from(is_whole);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns the space that the record takes.
    ///
    /// # Errors
    /// Reading fails.
    pub fn disk_use(&self) -> Result<DiskUse> {
        let page = self.page_size()?;
        let pages = |pragma| Ok::<_, StoreError>(self.number_of(pragma)?.max(0) as u64 * page);
        Ok(DiskUse {
            file: pages("page_count")?,
            log: sibling_length(self.path(), "-wal").unwrap_or_default(),
            free: pages("freelist_count")?,
        })
    }
}

fn text(row: &Row<'_>) -> rusqlite::Result<String> {
    row.get(0)
}
