//! A look at a file before SQLite touches it.
//!
//! SQLite opens whatever it is given: it replays a foreign journal, leaves a
//! `-wal` and a `-shm` file beside, and takes an empty file for its own. So
//! the header is read here first, and what is not ours is never handed on.
//! (The format: <https://www.sqlite.org/fileformat.html>, section 1.3.)

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use super::StoreError;
use super::files::{other_names, sibling};
use super::schema::Stamp;

/// The first bytes of every SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Length of the header in bytes.
const HEADER: usize = 100;

/// What stands at the path, if it is not to be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing.
    Nothing,
    /// An empty file: a creation that was interrupted.
    Empty,
    /// A record, to be checked further.
    Record,
}

/// Looks at `path` without changing anything.
///
/// # Errors
/// Whatever can be told from outside: not a file, not readable, not SQLite,
/// not ours, newer, truncated.
pub(super) fn inspect(path: &Path) -> Result<Found, StoreError> {
    match look(path) {
        // Perhaps another process is creating it at this moment.
        Err(StoreError::Damaged { .. }) => {
            std::thread::sleep(Duration::from_millis(100));
            look(path)
        }
        other => other,
    }
}

/// Whether the file beside `path` whose name ends in `suffix` exists with
/// something in it.
pub(super) fn has_sibling(path: &Path, suffix: &str) -> bool {
    sibling_length(path, suffix).is_some_and(|length| length > 0)
}

/// The length in bytes of the file beside `path` whose name ends in `suffix`,
/// if there is one.
pub(super) fn sibling_length(path: &Path, suffix: &str) -> Option<u64> {
    let found = fs::metadata(sibling(path, suffix));
    found.ok().map(|meta| meta.len())
}

/// Whether a file is one of SQLite, of whatever program. Must not be asked of a file that
/// this process has open through SQLite: closing it again would drop the locks on it.
pub fn is_sqlite(path: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    let mut read = || File::open(path)?.read_exact(&mut head);
    path.is_file() && read().is_ok() && head == *MAGIC
}

fn look(path: &Path) -> Result<Found, StoreError> {
    let unreadable = |reason| StoreError::Unreadable {
        path: path.to_owned(),
        reason,
    };
    let damaged = |what: String| {
        Err(StoreError::Damaged {
            path: path.to_owned(),
            what,
        })
    };
    let not_a_record = |what| {
        Err(StoreError::NotARecord {
            path: path.to_owned(),
            what,
        })
    };

    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return if has_sibling(path, "-wal") {
                damaged("it is gone, but its `-wal` file is still there".to_owned())
            } else {
                Ok(Found::Nothing)
            };
        }
        Err(error) => return Err(unreadable(error)),
    };
    if !meta.is_file() {
        return Err(StoreError::NotAFile {
            path: path.to_owned(),
            what: if meta.is_dir() {
                "a folder"
            } else {
                "not a regular file"
            },
        });
    }

    // Before the length is read: with either of them there, the length may
    // rightly lag behind.
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
        return not_a_record("not an SQLite file");
    }
    // A log is found by the name: by another one fewer pairs would be seen, and two could
    // write at once without hearing of each other.
    if meta.nlink() > 1 {
        return Err(StoreError::Linked {
            path: path.to_owned(),
            names: meta.nlink(),
            others: other_names(path, &meta),
        });
    }
    if head.is_empty() {
        return if has_sibling(path, "-wal") {
            damaged("it is empty, but its `-wal` file is not".to_owned())
        } else {
            Ok(Found::Empty)
        };
    }
    let Some((whole, stamp)) = parse(&head) else {
        return damaged(format!("it ends after {length} bytes"));
    };
    stamp.check(path)?;
    if length < whole && !recovering {
        return damaged(format!("it ends after {length} of {whole} bytes"));
    }
    Ok(Found::Record)
}

/// What the header in the first bytes of a file says: the length that the file should have,
/// in bytes (0 where the header does not know), and the stamp. `None` if they are too few.
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
    // The page count stands only if the change counter agrees with the
    // counter that it was written for.
    let known = word(24)? == word(92)?;
    let length = if known {
        page_size * u64::from(word(28)?)
    } else {
        0
    };
    let (application, version) = (word(68)? as i32, word(60)? as i32);
    Some((
        length,
        Stamp {
            application,
            version,
        },
    ))
}
