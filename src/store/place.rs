//! Whether an open record still lies where it was opened.
//!
//! SQLite goes on writing into a file that was removed, moved or replaced: nothing of
//! it would be found afterwards. So the names are looked up before every transaction
//! that writes, every second while one is waited for, and at the end. Neither the file
//! nor the index is opened for that: closing it again would drop SQLite's locks on it.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
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
    /// Its write-ahead log was cut, whether it has grown since or not.
    LogCut,
}

/// Bytes of a log before its first frame, and of a frame before its page.
const LOG_HEADER: u64 = 32;
const LOG_FRAME: u64 = 24;

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
    /// Bytes of a page.
    page: u64,
}

impl Place {
    /// The place of a record that was just opened to write, with pages of so many bytes;
    /// `None` if it is gone already.
    pub(super) fn of(path: &Path, page: u64) -> Option<Self> {
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
            page,
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
        let is = log.len();
        let is_whole = if is < self.log_length {
            is_emptied(is)
        } else {
            self.has_last_frame()
        };
        if !is_whole {
            return Err(Loss::LogCut);
        }
        (self.main_length, self.log_length) = (to, is);
        Ok(())
    }

    /// Whether the last frame that the log had is there, or another one: SQLite writes
    /// on where it was, so that a log that was cut has a hole there when it has grown
    /// again. (The format: <https://www.sqlite.org/fileformat2.html#walformat>.)
    fn has_last_frame(&self) -> bool {
        let Some(at) = last_frame(self.log_length, self.page) else {
            return true;
        };
        // No lock is held on the log itself, so that it may be opened.
        let mut number = [0; 4];
        let read = File::open(&self.beside[0].0)
            .and_then(|log| log.read_exact_at(&mut number, at))
            .is_ok();
        read && number != [0; 4]
    }
}

/// Where the last whole frame of a log of that length begins, with the number of its
/// page, which is not 0.
fn last_frame(length: u64, page: u64) -> Option<u64> {
    let frame = LOG_FRAME + page;
    let frames = length.checked_sub(LOG_HEADER)? / frame;
    Some(LOG_HEADER + frames.checked_sub(1)? * frame)
}

/// The length in bytes of a log of so many frames.
pub(super) fn log_length(frames: u64, page: u64) -> u64 {
    match frames {
        0 => 0,
        _ => LOG_HEADER + frames.saturating_mul(LOG_FRAME + page),
    }
}

fn id(found: &fs::Metadata) -> Id {
    (found.dev(), found.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_begin_behind_the_header_of_the_log() {
        let frame = 24 + 4096;
        for (length, at) in [
            (0, None),
            (32 + frame - 1, None),
            (32 + frame, Some(32)),
            (32 + 2 * frame - 1, Some(32)),
            (32 + 2 * frame, Some(32 + frame)),
        ] {
            assert_eq!(last_frame(length, 4096), at, "{length}");
        }
        assert_eq!(
            [0, 1, 3].map(|frames| log_length(frames, 4096)),
            [0, 32 + frame, 32 + 3 * frame]
        );
    }
}
