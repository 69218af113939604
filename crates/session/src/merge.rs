//! Merges records.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::bail;
use serde::Serialize;

use super::recorded::open_to_read;
use super::{Failure, Session};
use leitai_base::count::{count, quoted};
use leitai_base::foreign::shown_path;
use leitai_runs::store::{Appended, RunEntry, Store, difference};

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// The record that contains everything.
    pub store: PathBuf,
    /// Number of distinct runs in the source records.
    pub runs: u64,
    /// Number of pairs added.
    pub new: u64,
    /// Number of pairs that were there already, with the same games.
    pub known: u64,
    /// True if everything was merged; false if the user cancelled the merge, which the same call
    /// continues.
    pub complete: bool,
}

impl Session<'_> {
    /// Adds the content of these records to the session's record, which is created if necessary.
    /// Runs are equal if their identities are, and pairs if their numbers are. The source records
    /// stay unchanged.
    ///
    /// # Errors
    /// The same pair is recorded twice with different games, or a record is damaged, including the
    /// session's: then nothing is added. Or the session's record cannot be written.
    pub fn merge(&self, records: &[PathBuf]) -> Result<Merged, Failure> {
        let mut sources = Vec::new();
        for path in records {
            let store = open_to_read(path)?;
            let runs = store.runs()?;
            sources.push((path.as_path(), store, runs));
        }
        let all_runs = || sources.iter().flat_map(|(_, _, runs)| runs);
        let pairs: u64 = all_runs().map(|run| run.recorded).sum();
        if all_runs().next().is_none() {
            let names = quoted(records.iter().map(|path| shown_path(path)));
            bail!("{names} hold no runs");
        }
        let work = self.work("pairs", 3 * pairs);
        let mut done = 0;
        for (_, source, runs) in &sources {
            self.check_whole(source, |pairs| work.set(done + pairs))?;
            done += runs.iter().map(|run| run.recorded).sum::<u64>();
            work.set(done);
        }
        // Checks the record before it is opened for writing. A file that is not a record yet has
        // nothing to check.
        if let Ok(output) = open_to_read(&self.store) {
            self.check_whole(&output, |_| {})?;
        }
        let store = self.open()?;
        let mut merged = Merged {
            store: self.store.clone(),
            ..Merged::default()
        };
        for (at, (path, source, runs)) in sources.iter().enumerate() {
            let former = sources[..at].iter();
            let mut former: Vec<(&Path, &Store)> = former.map(|it| (it.0, &it.1)).collect();
            former.push((&self.store, &store));
            for run in runs {
                for other in &former {
                    self.compare((path, source), *other, run)?;
                }
                done += run.recorded;
                work.set(done);
            }
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Ok(merged);
        }
        let mut joined = HashSet::new();
        for (_, source, runs) in &sources {
            for run in runs {
                merged.runs += u64::from(joined.insert(&run.meta.id));
                let begun = store.begin_run(&run.meta, &source.openings(&run.handle)?)?;
                let speeds = source.speeds(&run.handle)?;
                let known = store.speeds(&begun)?;
                let is_known = known.windows(speeds.len().max(1)).any(|own| own == speeds);
                for speed in speeds.into_iter().filter(|_| !is_known) {
                    store.add_speed(&begun, speed)?;
                }
                for pair in source.pairs(&run.handle) {
                    if self.cancel.load(Ordering::Relaxed) {
                        return Ok(merged);
                    }
                    match store.append(&begun, &pair?)? {
                        Appended::New => merged.new += 1,
                        Appended::AlreadyThere => merged.known += 1,
                    }
                    done += 1;
                    work.set(done);
                }
                for batch in source.batches(&run.handle)? {
                    store.append_batch(&begun, &batch)?;
                }
            }
            store.take_cells(source)?;
        }
        drop(work);
        store.close()?;
        merged.complete = true;
        Ok(merged)
    }

    /// Refuses a damaged record.
    fn check_whole(&self, store: &Store, progress: impl Fn(u64)) -> Result<(), Failure> {
        let content = store.content(|pairs| {
            progress(pairs);
            !self.cancel.load(Ordering::Relaxed)
        })?;
        let damage = content.damages.into_iter().next();
        damage.map_or(Ok(()), |damage| Err(damage.into()))
    }

    /// Refuses a run if another record has one of its pairs with different games.
    fn compare(
        &self,
        (path, store): (&Path, &Store),
        (other_path, other): (&Path, &Store),
        run: &RunEntry,
    ) -> Result<(), Failure> {
        let Some(known) = other.known_run(&run.meta.id)? else {
            return Ok(());
        };
        let id = run.meta.id.get(..12).unwrap_or(&run.meta.id);
        let (path, other_path) = (shown_path(path), shown_path(other_path));
        let theirs = other.batches(&known.handle)?;
        for batch in store.batches(&run.handle)? {
            let known = theirs.binary_search_by_key(&batch.number, |it| it.number);
            let known = known.ok().and_then(|at| theirs.get(at));
            if known.is_some_and(|known| !known.agrees(&batch)) {
                bail!(
                    "batch {} of run {id} is recorded in {other_path} and in {path} with different \
                     results\n\
                     help: nothing was merged: use the two records separately",
                    batch.number,
                );
            }
        }
        for pair in store.pairs(&run.handle) {
            if self.cancel.load(Ordering::Relaxed) {
                break;
            }
            let pair = pair?;
            let index = pair.record.index;
            if let Some(theirs) = other.pair(&known.handle, index)?
                && let Some(difference) = difference(&theirs, &pair, true)
            {
                let help = if run.meta.reproducible {
                    "The same players play the same games: `leitai verify` finds the record whose \
                     games do not replay"
                } else {
                    "The clock, or another program, affected them: use the two records separately; \
                     `leitai rate` reads the games of both"
                };
                bail!(
                    "pair {index} of run {id} is recorded in {other_path} and in {path} with \
                     different games: {difference}\nhelp: nothing was merged. {help}"
                );
            }
        }
        Ok(())
    }
}

/// Describes the merge to the user.
impl std::fmt::Display for Merged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: {} of {} added, {} there already",
            shown_path(&self.store),
            count(self.new, "pair", "pairs"),
            count(self.runs, "run", "runs"),
            self.known
        )
    }
}
