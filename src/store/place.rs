//! Whether an open record still lies where it was opened.
//!
//! SQLite goes on writing into a file that was removed, moved or replaced: nothing of
//! it would be found afterwards. So the names are looked up before every transaction
//! that writes, every second while one is waited for, and at the end. No file is
//! opened for that, for closing it again would drop the locks that SQLite holds on it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::header::sibling;

/// What became of a record that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing is there by its name any more.
    Removed,
    /// Another file is there by its name.
    Replaced,
    /// It is shorter than it was, in bytes.
    Cut {
        /// How long it was.
        from: u64,
        /// How long it is.
        to: u64,
    },
    /// One of the two files that SQLite keeps beside it is gone, or is another one.
    LogReplaced,
    /// Its write-ahead log is shorter than it was, in bytes.
    LogCut {
        /// How long it was.
        from: u64,
        /// How long it is.
        to: u64,
    },
}

/// Device and number of a file.
type Id = (u64, u64);

/// The files of a record as they were found when it was opened.
#[derive(Clone, Debug)]
pub(super) struct Place {
    main: PathBuf,
    main_id: Id,
    main_length: u64,
    /// The write-ahead log, and the index of it that processes share.
    beside: [(PathBuf, Id); 2],
    log_length: u64,
}

impl Place {
    /// The place of a record that was just opened to write; `None` if it is gone already.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let found = |path: &Path| fs::metadata(path).ok();
        let main = found(path)?;
        let [log, index] = ["-wal", "-shm"].map(|suffix| sibling(path, suffix));
        let (log_found, index_found) = (found(&log)?, found(&index)?);
        Some(Self {
            main: path.to_owned(),
            main_id: id(&main),
            main_length: main.len(),
            beside: [(log, id(&log_found)), (index, id(&index_found))],
            log_length: log_found.len(),
        })
    }

    /// Looks whether all is as it was, but for what was added. A log that is shorter may
    /// be whole: `is_emptied` is asked whether somebody has folded it in.
    pub(super) fn look(&mut self, is_emptied: impl FnOnce(u64) -> bool) -> Result<(), Loss> {
        let main = fs::metadata(&self.main).map_err(|_| Loss::Removed)?;
        if id(&main) != self.main_id {
            return Err(Loss::Replaced);
        }
        let (from, to) = (self.main_length, main.len());
        if to < from {
            return Err(Loss::Cut { from, to });
        }
        let [log, _] = self.beside.each_ref().map(|(path, was)| {
            let found = fs::metadata(path).ok();
            found.filter(|found| id(found) == *was)
        });
        let index = fs::metadata(&self.beside[1].0).ok();
        let index = index.filter(|found| id(found) == self.beside[1].1);
        let (Some(log), Some(_)) = (log, index) else {
            return Err(Loss::LogReplaced);
        };
        let (was, is) = (self.log_length, log.len());
        if is < was && !is_emptied(is) {
            return Err(Loss::LogCut { from: was, to: is });
        }
        (self.main_length, self.log_length) = (to, is);
        Ok(())
    }
}

fn id(found: &fs::Metadata) -> Id {
    (found.dev(), found.ino())
}
