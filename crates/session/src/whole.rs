//! Checks and copies of whole records.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::output::OutputFile;
use super::recorded::open_to_read;
use super::{Failure, Session};
use leitai_runs::store::{Content, DiskUse, Store};

/// A record that was read from beginning to end.
#[derive(Debug)]
pub struct CheckedRecord {
    /// Its content.
    pub content: Content,
    /// The space that it takes.
    pub disk: DiskUse,
}

impl Session<'_> {
    /// Compares all content of the session's record with its digests, even if the file is damaged.
    ///
    /// # Errors
    /// The record cannot be read at all.
    pub fn check_record(&self) -> Result<CheckedRecord, Failure> {
        let (store, damage) = Store::open_to_check(&self.store)?;
        let mut checked = self.read_whole(&store)?;
        checked.content.damages.extend(damage);
        Ok(checked)
    }

    /// Copies the session's record as of this moment, checks the copy, and moves it to its place.
    ///
    /// # Errors
    /// The record is damaged, the copy cannot be written, or the user has stopped it.
    pub fn back_up(&self, output: OutputFile) -> Result<CheckedRecord, Failure> {
        let store = open_to_read(&self.store)?;
        output.refuse_siblings()?;
        output.fill(|file: &Path| {
            store.copy_to(file)?;
            let mut checked = self.read_whole(&open_to_read(file)?)?;
            if let Some(mut damage) = checked.content.damages.pop() {
                damage.path.clone_from(&self.store);
                return Err(damage.into());
            }
            if self.cancel.load(Ordering::Relaxed) {
                return Err(Failure::msg("stopped"));
            }
            Ok(checked)
        })
    }

    fn read_whole(&self, store: &Store) -> Result<CheckedRecord, Failure> {
        let runs = store.runs().unwrap_or_default();
        let work = self.work("pairs", runs.iter().map(|run| run.recorded).sum());
        let mut content = store.content(|pairs| {
            work.set(pairs);
            !self.cancel.load(Ordering::Relaxed)
        })?;
        let disk = store.disk_use()?;
        content.damages.append(&mut content.removed);
        Ok(CheckedRecord { content, disk })
    }
}
