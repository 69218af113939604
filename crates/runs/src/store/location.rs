//! Checks that an open record is still at its path.
//!
//! SQLite continues to write into a file that was removed, moved or replaced, and the data would be
//! lost. Therefore the paths are checked before every write transaction, every second during a wait
//! for one, and at the end. The check opens neither the file nor the index, because closing them
//! again would drop SQLite's locks.
//!
//! Other programs may write the record, too. A checkpoint by another program may empty the log; a
//! `VACUUM` may shorten the file. A shorter file is complete if it contains all pages that SQLite
//! knows of.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use leitai_platform::files::{FileId, FileStatus, read_at};
use rusqlite::Connection;

use super::files::sibling;

/// The loss of an open record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The path does not exist any more.
    Removed,
    /// Another file is at the path.
    Replaced,
    /// The file was truncated and is incomplete; lengths in bytes.
    Cut {
        /// Previous length.
        from: u64,
        /// Present length.
        to: u64,
    },
    /// One of the two files that SQLite keeps next to it is missing, or is another one.
    LogReplaced,
    /// Its write-ahead log was truncated, even if the log has grown since.
    LogCut,
}

/// The problem found by a check.
#[derive(Debug)]
pub(super) enum LocationError {
    /// Data is lost.
    Lost(Loss),
    /// The check is impossible now, for instance for lack of rights, memory or open files.
    Unseen(io::Error),
}

impl From<Loss> for LocationError {
    fn from(loss: Loss) -> Self {
        Self::Lost(loss)
    }
}

impl From<io::Error> for LocationError {
    fn from(error: io::Error) -> Self {
        Self::Unseen(error)
    }
}

impl From<rusqlite::Error> for LocationError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unseen(io::Error::other(error))
    }
}

/// Bytes of a log before its first frame, and of a frame before its page.
const LOG_HEADER: u64 = 32;
const LOG_FRAME: u64 = 24;
/// Number of checks before a file counts as truncated, and the pause between them, since another
/// process may just have shortened the file.
const LOOKS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(20);

/// The files of a record at its opening, or at the last check.
#[derive(Clone, Debug)]
pub(super) struct RecordLocation {
    main: PathBuf,
    main_id: FileId,
    main_length: u64,
    /// The write-ahead log, and the index of it that processes share.
    beside: [(PathBuf, FileId); 2],
    /// Number of frames in the log.
    frames: u64,
    /// Page size in bytes.
    page: u64,
}

/// SQLite's state of a log.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogState {
    /// Number of frames.
    frames: u64,
    /// Number of frames, from the first on, that are already checkpointed.
    folded: u64,
}

impl LogState {
    /// Reads the state from SQLite without changing anything.
    fn ask(conn: &Connection) -> rusqlite::Result<Self> {
        // The row: whether it was blocked, frames, checkpointed frames.
        let mut ask = conn.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?;
        ask.query_row([], |row| {
            let count = |column| row.get::<_, i64>(column).map(|count| count.max(0) as u64);
            Ok(Self {
                frames: count(1)?,
                folded: count(2)?,
            })
        })
    }

    /// Returns whether it has at least `frames` frames, and some of them are not checkpointed.
    pub(super) fn is_long(self, frames: u64) -> bool {
        self.frames >= frames && self.folded < self.frames
    }
}

impl RecordLocation {
    /// Creates the place of a record that was just opened for writing, with its page size in bytes.
    pub(super) fn of(path: &Path, page: u64) -> Result<Self, LocationError> {
        let main = find(path, Loss::Removed)?;
        let beside = |suffix| {
            let file = sibling(path, suffix);
            let found = find(&file, Loss::LogReplaced)?;
            Ok::<_, LocationError>((file, found.id))
        };
        Ok(Self {
            main: path.to_owned(),
            main_id: main.id,
            main_length: main.length,
            beside: [beside("-wal")?, beside("-shm")?],
            frames: 0,
            page: page.max(1),
        })
    }

    /// Checks that the paths lead to the same files, and that the file was not truncated in a way
    /// that SQLite never uses: within a page, or to nothing.
    pub(super) fn look(&self) -> Result<(), LocationError> {
        let main = find(&self.main, Loss::Removed)?;
        if main.id != self.main_id {
            return Err(Loss::Replaced.into());
        }
        for (path, was) in &self.beside {
            if find(path, Loss::LogReplaced)?.id != *was {
                return Err(Loss::LogReplaced.into());
            }
        }
        let (from, to) = (self.main_length, main.length);
        if to < from && (to == 0 || to % self.page != 0) {
            return Err(Loss::Cut { from, to }.into());
        }
        Ok(())
    }

    /// Checks with the connection that file and log are complete. Returns the state of the log.
    pub(super) fn examine(&mut self, conn: &Connection) -> Result<LogState, LocationError> {
        let mut left = LOOKS;
        loop {
            self.look()?;
            // Read first: newer data may already be in the files, and older data must be, unless
            // another process has just shortened them.
            let logged = LogState::ask(conn)?;
            left -= 1;
            match self.compare(conn, logged) {
                Err(LocationError::Lost(_)) if left > 0 => sleep(PAUSE),
                other => return other.map(|()| logged),
            }
        }
    }

    fn compare(&mut self, conn: &Connection, logged: LogState) -> Result<(), LocationError> {
        let log = Log::open(&self.beside[0].0, self.page)?;
        // SQLite continues at its old offset, so a truncated log has a hole after it has grown
        // again: the last frame of the previous check is then missing.
        let ends = [self.frames.min(logged.frames), logged.frames];
        if log.file.metadata()?.len() < log_length(logged.frames, self.page) {
            return Err(Loss::LogCut.into());
        }
        for end in ends.into_iter().filter(|&end| end > 0) {
            if log.page_of(end)? == 0 {
                return Err(Loss::LogCut.into());
            }
        }
        let (from, to) = (self.main_length, find(&self.main, Loss::Removed)?.length);
        if to < from {
            let pages: i64 = conn.pragma_query_value(None, "page_count", |row| row.get(0))?;
            let beyond = to / self.page + 1..=pages.max(0) as u64;
            if !log.has_pages(logged.folded + 1..=logged.frames, beyond)? {
                return Err(Loss::Cut { from, to }.into());
            }
        }
        (self.main_length, self.frames) = (to, logged.frames);
        Ok(())
    }
}

/// An open write-ahead log. (The format: <https://www.sqlite.org/fileformat2.html#walformat>.)
/// SQLite holds no lock on it, so it may be opened and closed.
struct Log {
    file: File,
    /// Page size in bytes.
    page: u64,
}

impl Log {
    fn open(path: &Path, page: u64) -> Result<Self, LocationError> {
        let file = File::open(path).map_err(|error| sort(error, Loss::LogReplaced))?;
        Ok(Self { file, page })
    }

    /// Returns the number of the page in that frame, both counted from 1; 0 for a hole, and after
    /// the end.
    fn page_of(&self, frame: u64) -> io::Result<u64> {
        let mut number = [0; 4];
        let at = log_length(frame - 1, self.page).max(LOG_HEADER);
        match read_at(&self.file, &mut number, at) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            read => read.map(|()| u64::from(u32::from_be_bytes(number))),
        }
    }

    /// Returns the number of the last frame that ends a transaction of this log, whether the frames
    /// before it are whole or not; 0 without any. Frames of earlier logs have another salt.
    fn last_commit(&self) -> io::Result<u64> {
        let length = self.file.metadata()?.len();
        let frames = length.saturating_sub(LOG_HEADER) / (LOG_FRAME + self.page);
        let mut header = [0; LOG_HEADER as usize];
        if frames == 0 {
            return Ok(0);
        }
        read_at(&self.file, &mut header, 0)?;
        // The salt of a damaged header is unknown.
        let salt = is_whole_header(&header).then_some(&header[16..24]);
        let mut last = 0;
        for frame in 1..=frames {
            let mut head = [0; 16];
            read_at(
                &self.file,
                &mut head,
                log_length(frame - 1, self.page).max(LOG_HEADER),
            )?;
            let is_commit = head[4..8] != [0; 4];
            if is_commit && salt.is_none_or(|salt| head[8..] == *salt) {
                last = frame;
            }
        }
        Ok(last)
    }

    /// Returns whether these frames contain all of these pages.
    fn has_pages(
        &self,
        frames: RangeInclusive<u64>,
        mut pages: RangeInclusive<u64>,
    ) -> io::Result<bool> {
        let held: io::Result<BTreeSet<u64>> = frames.map(|frame| self.page_of(frame)).collect();
        let held = held?;
        Ok(pages.all(|page| held.contains(&page)))
    }
}

/// Returns whether the header of a log has the checksum in its last eight bytes
/// (<https://www.sqlite.org/fileformat2.html#checksum_algorithm>).
fn is_whole_header(header: &[u8; LOG_HEADER as usize]) -> bool {
    let words = header.as_chunks::<4>().0;
    let is_big = words[0][3] & 1 == 1;
    let number = |word: &[u8; 4]| {
        if is_big {
            u32::from_be_bytes(*word)
        } else {
            u32::from_le_bytes(*word)
        }
    };
    let (mut one, mut other) = (0_u32, 0_u32);
    for pair in words[..6].as_chunks::<2>().0 {
        one = one.wrapping_add(number(&pair[0])).wrapping_add(other);
        other = other.wrapping_add(number(&pair[1])).wrapping_add(one);
    }
    // Always stored with the first byte first.
    words[6..] == [one.to_be_bytes(), other.to_be_bytes()]
}

/// Returns whether all `pages` pages of a record, with `page` bytes each, are in its log.
pub(super) fn is_in_log(conn: &Connection, path: &Path, page: u64, pages: u64) -> bool {
    let logged = LogState::ask(conn);
    let log = Log::open(&sibling(path, "-wal"), page);
    let (Ok(logged), Ok(log)) = (logged, log) else {
        return false;
    };
    log.has_pages(1..=logged.frames, 1..=pages).unwrap_or(false)
}

/// Returns whether the log of a record has commits that SQLite cannot read, because something before
/// them is damaged.
pub(super) fn has_lost_commits(conn: &Connection, path: &Path, page: u64) -> bool {
    let log = || Log::open(&sibling(path, "-wal"), page).ok();
    (0..LOOKS).all(|look| {
        if look > 0 {
            // Another process may be writing.
            sleep(PAUSE);
        }
        let Some(log) = log() else { return false };
        let last = log.last_commit().unwrap_or_default();
        LogState::ask(conn).is_ok_and(|logged| last > logged.frames)
    })
}

/// Returns the length in bytes of a log with that number of frames.
fn log_length(frames: u64, page: u64) -> u64 {
    match frames {
        0 => 0,
        _ => LOG_HEADER + frames.saturating_mul(LOG_FRAME + page),
    }
}

/// Returns the status of a path; `loss` if it does not exist.
fn find(path: &Path, loss: Loss) -> Result<FileStatus, LocationError> {
    FileStatus::of(path).map_err(|error| sort(error, loss))
}

/// Converts an error; only a missing path is a loss.
fn sort(error: io::Error, loss: Loss) -> LocationError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => loss.into(),
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_begin_behind_the_header_of_the_log() {
        let frame = 24 + 4096;
        assert_eq!(
            [0, 1, 3].map(|frames| log_length(frames, 4096)),
            [0, 32 + frame, 32 + 3 * frame]
        );
    }

    #[test]
    fn only_a_name_that_is_gone_is_a_loss() {
        use std::io::ErrorKind;
        for (error, is_loss) in [
            (ErrorKind::NotFound, true),
            (ErrorKind::NotADirectory, true),
            (ErrorKind::PermissionDenied, false),
            (ErrorKind::OutOfMemory, false),
            (ErrorKind::Other, false),
        ] {
            let trouble = sort(error.into(), Loss::Removed);
            assert_eq!(
                matches!(trouble, LocationError::Lost(Loss::Removed)),
                is_loss,
                "{trouble:?}"
            );
        }
    }
}
