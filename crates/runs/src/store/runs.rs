//! Finds runs.

use rusqlite::Row;
use sha2::{Digest, Sha256};

use super::begin::time_of;
use super::side_digests::{DigestKind, of_run};
use super::{Result, RunEntry, RunHandle, RunMeta, Store, StoreProblem};

/// Greatest number of matching ids in the error about an ambiguous name.
const SHOWN: usize = 4;

/// Selects runs with their counts; the condition follows.
const SELECT: &str = "\
    SELECT run.key, run.id, game, config, source_name, source_text, seed, version, variants, \
        pairs, reproducible, book, coalesce(created_at, 0), \
        (SELECT count(*) FROM pair WHERE pair.run = run.key), \
        coalesce((SELECT openings FROM book WHERE book.key = run.book), 0), run.digest \
    FROM run LEFT JOIN run_timing ON run_timing.run = run.key ";

impl Store {
    /// Returns all runs, in the order of their starts.
    ///
    /// # Errors
    /// Reading fails.
    pub fn runs(&self) -> Result<Vec<RunEntry>> {
        self.find("WHERE run.id >= ?1 ORDER BY run.key", "")
    }

    /// Returns the run with that `name`: `latest` (the one begun last), an id, or the beginning of
    /// an id that no other run shares.
    ///
    /// # Errors
    /// No run or several runs match, or reading fails.
    pub fn run(&self, name: &str) -> Result<RunEntry> {
        let lower = name.to_ascii_lowercase();
        let mut fits = match name {
            "latest" => self.find("WHERE run.id >= ?1 ORDER BY run.key DESC LIMIT 1", "")?,
            _ => self.find("WHERE run.id = ?1", &lower)?,
        };
        if fits.is_empty() {
            let begins = "WHERE substr(run.id, 1, length(?1)) = ?1 ORDER BY run.key LIMIT 5";
            fits = self.find(begins, &lower)?;
        }
        let name = name.to_owned();
        if fits.len() > 1 {
            let mut ids: Vec<String> = fits.into_iter().map(|entry| entry.meta.id).collect();
            if ids.len() > SHOWN {
                ids.truncate(SHOWN);
                ids.push("...".to_owned());
            }
            return Err(self.fail(StoreProblem::AmbiguousRun(name, ids)));
        }
        fits.pop()
            .ok_or_else(|| self.fail(StoreProblem::NoRun(name)))
    }

    /// Returns the run with exactly that id, if it exists.
    ///
    /// # Errors
    /// Reading fails.
    pub fn known_run(&self, id: &str) -> Result<Option<RunEntry>> {
        Ok(self.find("WHERE run.id = ?1", id)?.pop())
    }

    /// Returns the runs that satisfy the condition, whose parameter is `?1`.
    pub(super) fn find(&self, condition: &str, parameter: &str) -> Result<Vec<RunEntry>> {
        let read = |row: &Row<'_>| {
            let id: String = row.get(1).unwrap_or_default();
            let broken = move || format!("run `{id:.16}` is not as it was begun");
            Ok(entry(row)?.ok_or_else(broken))
        };
        let entries = self.rows(&format!("{SELECT}{condition}"), [parameter], read)?;
        let entries: Result<Vec<RunEntry>, String> = entries.into_iter().collect();
        let entries = entries.map_err(|what| self.damaged(what))?;
        for entry in &entries {
            let begun = of_run(&entry.meta.id, entry.created_at);
            self.check_apart(&entry.handle, DigestKind::Run, &[begun])?;
        }
        Ok(entries)
    }
}

/// Computes the SHA-256 of all data with which a run was begun.
pub(super) fn meta_digest(meta: &RunMeta) -> [u8; 32] {
    let mut hasher = Sha256::new();
    let texts = [&meta.id, &meta.game, &meta.config].into_iter();
    let texts = texts.chain([&meta.source_name, &meta.source_text, &meta.version]);
    for text in texts.chain(&meta.variants) {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    for number in [meta.seed, meta.pairs, u64::from(meta.reproducible)] {
        hasher.update(number.to_le_bytes());
    }
    hasher.finalize().into()
}

/// Reads a row of [`SELECT`]; `None` if it is damaged.
fn entry(row: &Row<'_>) -> rusqlite::Result<Option<RunEntry>> {
    let seed: String = row.get(6)?;
    let variants: String = row.get(8)?;
    let pairs: i64 = row.get(9)?;
    let created_at: i64 = row.get(12)?;
    let recorded: i64 = row.get(13)?;
    let openings: i64 = row.get(14)?;
    let (Ok(seed), Ok(variants)) = (seed.parse(), serde_json::from_str::<Vec<String>>(&variants))
    else {
        return Ok(None);
    };
    let meta = RunMeta {
        id: row.get(1)?,
        game: row.get(2)?,
        config: row.get(3)?,
        source_name: row.get(4)?,
        source_text: row.get(5)?,
        seed,
        version: row.get(7)?,
        variants,
        pairs: pairs.max(0) as u64,
        reproducible: row.get(10)?,
    };
    if row.get_ref(15)?.as_blob().ok() != Some(&meta_digest(&meta)) {
        return Ok(None);
    }
    let handle = RunHandle {
        key: row.get(0)?,
        book: row.get(11)?,
        id: meta.id.clone(),
        reproducible: meta.reproducible,
        variants: meta.variants.len(),
        openings: openings.max(0) as usize,
    };
    Ok(Some(RunEntry {
        handle,
        meta,
        created_at: time_of(created_at),
        recorded: recorded.max(0) as u64,
    }))
}
