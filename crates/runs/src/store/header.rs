//! Inspects a file before SQLite opens it.
//!
//! SQLite opens any file: it replays a foreign journal, leaves a `-wal` and a `-shm` file, and
//! initializes an empty file. Therefore the header is read here first, and files of other programs
//! are never passed to SQLite. (The format: <https://www.sqlite.org/fileformat.html>, section 1.3.)

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use leitai_platform::files::{FileKind, FileStatus};

use super::files::{other_names, sibling};
use super::schema::Stamp;
use super::{Result, StoreError, StoreProblem};

/// The first bytes of every SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Length of the header in bytes.
const HEADER: usize = 100;

/// The state of an acceptable path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileState {
    /// The file does not exist.
    Nothing,
    /// An empty file, from an interrupted creation.
    Empty,
    /// A record, which needs further checks.
    Record,
}

/// Inspects `path` without changing anything.
///
/// # Errors
/// Any problem that is visible from outside: not a file, not readable, not SQLite, of another
/// program, newer, truncated.
pub(super) fn inspect(path: &Path) -> Result<FileState> {
    match look(path) {
        // Another process may be creating the file now.
        Err(StoreError {
            problem: StoreProblem::Damaged(_),
            ..
        }) => {
            std::thread::sleep(Duration::from_millis(100));
            look(path)
        }
        other => other,
    }
}

/// Returns whether the file next to `path` with that suffix exists and is not empty.
pub(super) fn has_sibling(path: &Path, suffix: &str) -> bool {
    sibling_length(path, suffix).is_some_and(|length| length > 0)
}

/// Returns the length in bytes of the file next to `path` with that suffix, if it exists.
pub(super) fn sibling_length(path: &Path, suffix: &str) -> Option<u64> {
    let found = fs::metadata(sibling(path, suffix));
    found.ok().map(|meta| meta.len())
}

/// Returns whether a file is an SQLite file of any program. Must not be called for a file that this
/// process has open through SQLite: closing it again would drop the locks on it.
pub fn is_sqlite(path: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    let mut read = || File::open(path)?.read_exact(&mut head);
    path.is_file() && read().is_ok() && head == *MAGIC
}

fn look(path: &Path) -> Result<FileState> {
    let unreadable = |reason| StoreProblem::Unreadable(reason).at(path);
    let damaged = |damage: String| Err(StoreProblem::Damaged(damage).at(path));

    let found = match FileStatus::of(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return if has_sibling(path, "-wal") {
                damaged("it is gone, but its `-wal` file is still there".to_owned())
            } else {
                Ok(FileState::Nothing)
            };
        }
        Err(error) => return Err(unreadable(error)),
    };
    match found.kind {
        FileKind::Regular => {}
        FileKind::Folder => return Err(StoreProblem::NotAFile("a folder").at(path)),
        _ => return Err(StoreProblem::NotAFile("not a regular file").at(path)),
    }

    // Checked before the length is read: with a log or a journal, a shorter length is legitimate.
    let recovering = has_sibling(path, "-wal") || has_sibling(path, "-journal");
    let mut file = File::open(path).map_err(unreadable)?;
    let mut head = Vec::with_capacity(HEADER);
    file.by_ref()
        .take(HEADER as u64)
        .read_to_end(&mut head)
        .map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();

    let seen = head.len().min(MAGIC.len());
    if head[..seen] != MAGIC[..seen] {
        return Err(StoreProblem::NotARecord("not an SQLite file").at(path));
    }
    // SQLite finds a log by the file's name: another name would show fewer pairs, and two processes
    // could write at once without noticing each other.
    if found.links > 1 {
        return Err(StoreProblem::Linked(found.links, other_names(path, found.id)).at(path));
    }
    if head.is_empty() {
        return if has_sibling(path, "-wal") {
            damaged("it is empty, but its `-wal` file is not".to_owned())
        } else {
            Ok(FileState::Empty)
        };
    }
    let Some((whole, stamp)) = parse(&head) else {
        return damaged(format!("it ends after {length} bytes"));
    };
    stamp.check(path)?;
    if length < whole && !recovering {
        return damaged(format!("it ends after {length} of {whole} bytes"));
    }
    Ok(FileState::Record)
}

/// Parses the header at the beginning of a file: its nominal length in bytes (0 if unknown) and its
/// stamp. `None` if there are too few bytes.
fn parse(head: &[u8]) -> Option<(u64, Stamp)> {
    let word = |at: usize| -> Option<u32> {
        let bytes = head.get(at..at + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    };
    if head.len() < HEADER {
        return None;
    }
    let page_size = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    // The page count is valid only if the change counter equals the counter for which it was
    // written.
    let known = word(24)? == word(92)?;
    let pages = u64::from(word(28)?);
    let length = if known { page_size * pages } else { 0 };
    let stamp = Stamp {
        application: word(68)? as i32,
        version: word(60)? as i32,
    };
    Some((length, stamp))
}
