//! Whether an open record still lies where it was opened.
//!
//! SQLite goes on writing into a file that was removed, moved or replaced: nothing of
//! it would be found afterwards. So the names are looked up before every transaction
//! that writes, every second while one is waited for, and at the end. Neither the file
//! nor the index is opened for that: closing it again would drop SQLite's locks on it.
//!
//! Other programs may write the record, too. One that folds the log in may empty it; a
//! `VACUUM` may make the file shorter. What is shorter is whole if it has all that
//! SQLite knows of.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io;
use std::ops::RangeInclusive;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rusqlite::Connection;

use super::files::{Id, id, sibling};

/// What became of a record that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing is there by its name any more.
    Removed,
    /// Another file is there by its name.
    Replaced,
    /// It is shorter than it was, in bytes, and not whole.
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

/// What a look ends with unless all is as it was.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Something is lost.
    Lost(Loss),
    /// Nobody can look at this moment, for want of rights, memory or open files, say.
    Unseen(io::Error),
}

impl From<Loss> for Trouble {
    fn from(loss: Loss) -> Self {
        Self::Lost(loss)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Unseen(error)
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unseen(io::Error::other(error))
    }
}

/// Bytes of a log before its first frame, and of a frame before its page.
const LOG_HEADER: u64 = 32;
const LOG_FRAME: u64 = 24;
/// How often is looked before something is taken for cut that another process may just
/// have made shorter, and how long is waited in between.
const LOOKS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(20);

/// The files of a record as they were found when it was opened, or last looked at.
#[derive(Clone, Debug)]
pub(super) struct Place {
    main: PathBuf,
    main_id: Id,
    main_length: u64,
    /// The write-ahead log, and the index of it that processes share.
    beside: [(PathBuf, Id); 2],
    /// How many frames the log had.
    frames: u64,
    /// Bytes of a page.
    page: u64,
}

/// A log as SQLite knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logged {
    /// Frames that it has.
    frames: u64,
    /// How many of them, from the first on, are folded into the file.
    folded: u64,
}

impl Logged {
    /// Asks SQLite, and changes nothing.
    fn ask(conn: &Connection) -> rusqlite::Result<Self> {
        // The row: whether it was in anybody's way, frames, frames that are folded in.
        conn.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| {
            let count = |column| row.get::<_, i64>(column).map(|count| count.max(0) as u64);
            Ok(Self {
                frames: count(1)?,
                folded: count(2)?,
            })
        })
    }

    /// Whether it has so many frames, and some of them are not folded in yet.
    pub(super) fn is_long(self, frames: u64) -> bool {
        self.frames >= frames && self.folded < self.frames
    }
}

impl Place {
    /// The place of a record that was just opened to write, with pages of so many bytes.
    pub(super) fn of(path: &Path, page: u64) -> Result<Self, Trouble> {
        let main = find(path, Loss::Removed)?;
        let beside = |suffix| {
            let file = sibling(path, suffix);
            let found = find(&file, Loss::LogReplaced)?;
            Ok::<_, Trouble>((file, id(&found)))
        };
        Ok(Self {
            main: path.to_owned(),
            main_id: id(&main),
            main_length: main.len(),
            beside: [beside("-wal")?, beside("-shm")?],
            frames: 0,
            page: page.max(1),
        })
    }

    /// Looks whether the names lead where they led, and whether the file was cut as
    /// SQLite never does: within a page, or to nothing.
    pub(super) fn look(&self) -> Result<(), Trouble> {
        let main = find(&self.main, Loss::Removed)?;
        if id(&main) != self.main_id {
            return Err(Loss::Replaced.into());
        }
        for (path, was) in &self.beside {
            if id(&find(path, Loss::LogReplaced)?) != *was {
                return Err(Loss::LogReplaced.into());
            }
        }
        let (from, to) = (self.main_length, main.len());
        if to < from && (to == 0 || to % self.page != 0) {
            return Err(Loss::Cut { from, to }.into());
        }
        Ok(())
    }

    /// Looks closer, with the connection to the record: whether file and log have all
    /// that they should. Says how far the log is.
    pub(super) fn examine(&mut self, conn: &Connection) -> Result<Logged, Trouble> {
        let mut left = LOOKS;
        loop {
            self.look()?;
            // Asked first: what has come since may be there, what was there must be,
            // unless another process has just made it shorter.
            let logged = Logged::ask(conn)?;
            left -= 1;
            match self.compare(conn, logged) {
                Err(Trouble::Lost(_)) if left > 0 => sleep(PAUSE),
                other => return other.map(|()| logged),
            }
        }
    }

    fn compare(&mut self, conn: &Connection, logged: Logged) -> Result<(), Trouble> {
        let log = Log::open(&self.beside[0].0, self.page)?;
        // SQLite writes on where it was, so that a log that was cut has a hole when it
        // has grown again: the last frame of the look before is missing then.
        let ends = [self.frames.min(logged.frames), logged.frames];
        if log.file.metadata()?.len() < log_length(logged.frames, self.page) {
            return Err(Loss::LogCut.into());
        }
        for end in ends.into_iter().filter(|&end| end > 0) {
            if log.page_of(end)? == 0 {
                return Err(Loss::LogCut.into());
            }
        }
        let (from, to) = (self.main_length, find(&self.main, Loss::Removed)?.len());
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

/// An open write-ahead log. (The format:
/// <https://www.sqlite.org/fileformat2.html#walformat>.) No lock is held on it, so that it
/// may be opened and closed.
struct Log {
    file: File,
    /// Bytes of a page.
    page: u64,
}

impl Log {
    fn open(path: &Path, page: u64) -> Result<Self, Trouble> {
        let file = File::open(path).map_err(|error| sort(error, Loss::LogReplaced))?;
        Ok(Self { file, page })
    }

    /// The number of the page in that frame, both counted from 1; 0 of a hole, and
    /// beyond the end.
    fn page_of(&self, frame: u64) -> io::Result<u64> {
        let mut number = [0; 4];
        let at = log_length(frame - 1, self.page).max(LOG_HEADER);
        match self.file.read_exact_at(&mut number, at) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            read => read.map(|()| u64::from(u32::from_be_bytes(number))),
        }
    }

    /// Whether these frames hold all of these pages.
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

/// Whether a record of so many pages, of so many bytes each, is in its log as a whole.
pub(super) fn is_in_log(conn: &Connection, path: &Path, page: u64, pages: u64) -> bool {
    let logged = Logged::ask(conn);
    let log = Log::open(&sibling(path, "-wal"), page);
    let (Ok(logged), Ok(log)) = (logged, log) else {
        return false;
    };
    log.has_pages(1..=logged.frames, 1..=pages).unwrap_or(false)
}

/// The length in bytes of a log of so many frames.
fn log_length(frames: u64, page: u64) -> u64 {
    match frames {
        0 => 0,
        _ => LOG_HEADER + frames.saturating_mul(LOG_FRAME + page),
    }
}

/// What is there by that name; `loss` if nothing is.
fn find(path: &Path, loss: Loss) -> Result<Metadata, Trouble> {
    fs::metadata(path).map_err(|error| sort(error, loss))
}

/// Only a name that is gone is a loss.
fn sort(error: io::Error, loss: Loss) -> Trouble {
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
        use rustix::io::Errno;
        for (error, is_loss) in [
            (Errno::NOENT, true),
            (Errno::NOTDIR, true),
            (Errno::MFILE, false),
            (Errno::ACCESS, false),
            (Errno::IO, false),
            (Errno::NOMEM, false),
            (Errno::LOOP, false),
        ] {
            let trouble = sort(error.into(), Loss::Removed);
            assert_eq!(
                matches!(trouble, Trouble::Lost(Loss::Removed)),
                is_loss,
                "{trouble:?}"
            );
        }
    }
}
