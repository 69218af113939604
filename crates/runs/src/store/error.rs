//! Errors of a record, with messages for the user.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use leitai_base::count::quoted;
use leitai_base::foreign::{Foreign, shown_path};
use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use thiserror::Error;

use super::{Loss, SCHEMA_VERSION};

/// SQLite's code for an invalid statement.
const SQLITE_ERROR: i32 = 1;

/// The result of an operation on a record.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// An error while opening, reading or writing a record. Messages are lowercase fragments that name
/// the file; [`hint`](StoreError::hint) returns a remedy.
#[derive(Debug, Error)]
#[error("{}", message(.path, .problem))]
pub struct StoreError {
    /// The path as given.
    pub path: PathBuf,
    /// The problem.
    pub problem: StoreProblem,
}

/// The problem of a record. Errors of the system are not the `source`, which would be printed
/// twice.
#[derive(Debug)]
pub enum StoreProblem {
    /// The path does not exist, or the directory for a new file does not exist: `record` or
    /// `folder`.
    Missing(&'static str),
    /// A directory, a pipe, or a device: the kind of the path, with its article.
    NotAFile(&'static str),
    /// A file with several names (hard links): their number, and the others in its directory. The
    /// name to which its log belongs is unknown.
    Linked(u64, Vec<PathBuf>),
    /// Opened for reading before its first recording.
    Empty,
    /// Not an SQLite file, or one of another program: the actual kind of the file.
    NotARecord(&'static str),
    /// Written by a newer version of this program with this later schema.
    Newer(i32),
    /// Written by an earlier version of this program with this schema.
    Older(i32),
    /// Truncated, overwritten, or changed by another program: the first problem found.
    Damaged(String),
    /// Another process held the lock for longer than the timeout.
    Locked,
    /// The file has disappeared since it was opened for writing: the kind of loss, and the path of
    /// a file with all that was recorded, if it could be saved.
    Lost(Loss, Option<PathBuf>),
    /// The location of the file cannot be checked.
    Unseen(io::Error),
    /// The file or its directory is not writable: the reason.
    Unwritable(String),
    /// The operating system refuses read access.
    Unreadable(io::Error),
    /// The disk or the quota is full. Committed data is kept.
    Full,
    /// A run with that id exists, but with different data: the id, and the field that differs with
    /// both values.
    OtherRun(String, String),
    /// The pair is recorded with different content: its number, the run's id, and the first
    /// difference.
    Conflict(u64, String, String),
    /// No run has an id that begins like this name.
    NoRun(String),
    /// Several runs have an id that begins like this name: the name, and the matching ids.
    AmbiguousRun(String, Vec<String>),
    /// A value that cannot be stored: a bug of the caller.
    Unstorable(String),
    /// Any other SQLite error.
    Sqlite(rusqlite::Error),
}

impl StoreProblem {
    /// The error about the record at `path`.
    pub(super) fn at(self, path: &Path) -> StoreError {
        StoreError {
            path: path.to_owned(),
            problem: self,
        }
    }
}

impl From<rusqlite::Error> for StoreProblem {
    fn from(source: rusqlite::Error) -> Self {
        use rusqlite::Error;
        match &source {
            // A statement does not fit the tables (also as SQLITE_ERROR below): another program
            // changed the tables.
            Error::SqlInputError { msg, .. } => Self::Damaged(msg.clone()),
            Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..)
            | Error::QueryReturnedNoRows => Self::Damaged(source.to_string()),
            Error::SqliteFailure(failure, message) => {
                let reason = message.clone().unwrap_or_else(|| failure.to_string());
                match failure.code {
                    // The index of the log does not fit the disk.
                    _ if failure.extended_code == SQLITE_IOERR_SHMSIZE => Self::Full,
                    ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Locked,
                    ErrorCode::DiskFull => Self::Full,
                    ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                        Self::Unwritable(reason)
                    }
                    ErrorCode::DatabaseCorrupt => Self::Damaged(reason),
                    // Our writes are checked beforehand, so existing rows are inconsistent.
                    ErrorCode::ConstraintViolation => {
                        Self::Damaged(format!("rows were removed or changed in it ({reason})"))
                    }
                    ErrorCode::Unknown if failure.extended_code == SQLITE_ERROR => {
                        Self::Damaged(reason)
                    }
                    ErrorCode::NotADatabase => Self::NotARecord("not an SQLite file"),
                    _ => Self::Sqlite(source),
                }
            }
            _ => Self::Sqlite(source),
        }
    }
}

impl StoreError {
    /// Returns a remedy for the user, as a lowercase fragment.
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match &self.problem {
            StoreProblem::Lost(loss, saved) => {
                return Some(after(&self.path, *loss, saved.as_deref()));
            }
            StoreProblem::Missing("folder") => "create the folder first",
            StoreProblem::NotAFile(_) | StoreProblem::NotARecord(_) => {
                "name another file; this one was not changed"
            }
            StoreProblem::Linked(..) => {
                "remove the other names (`find FOLDER -samefile FILE` lists them), but keep the \
                 one with a `-wal` file next to it; or copy both files to a new name"
            }
            StoreProblem::Newer(_) => "use that newer leitai, or record into another file",
            StoreProblem::Older(_) => {
                "read it with that leitai, or record into another file: the same config and seed \
                 play the same games again"
            }
            StoreProblem::Damaged(_) => {
                "restore a copy (with its `-wal` file, if there is one), or record into another \
                 file (`--store FILE`): the same config and seed play the same games again"
            }
            StoreProblem::Locked => {
                "wait until the other process is done, or stop it; the same command continues"
            }
            StoreProblem::Sqlite(error)
                if error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure) =>
            {
                "see that the disk has room and is sound, and that no limit on the size of files \
                 holds (`ulimit -f`); the same command continues"
            }
            StoreProblem::Full => "make room and repeat the command; it continues where it stopped",
            StoreProblem::OtherRun(..) => "record into another file",
            StoreProblem::Conflict(..) => {
                "play is not reproducible here: compare the versions and machines of both, and \
                 report it if they are the same"
            }
            StoreProblem::AmbiguousRun(..) => "give more characters of the id",
            StoreProblem::Unseen(_) => {
                "the recorded data is there unless the file was removed: the same command \
                 continues with it"
            }
            StoreProblem::Unwritable(_) | StoreProblem::Unreadable(_) => {
                "name another file, in a folder that you may read and write"
            }
            _ => return None,
        };
        Some(hint.into())
    }
}

/// Describes the problem of the record at `path`.
fn message(path: &Path, problem: &StoreProblem) -> String {
    let name = shown_path(path);
    match problem {
        StoreProblem::Missing(kind) => format!("there is no {kind} `{name}`"),
        StoreProblem::NotAFile(kind) => format!("`{name}` is {kind}, not a record"),
        StoreProblem::Linked(names, others) => format!(
            "`{name}` is a file of {names} names{}: SQLite finds its log by the name, so that the \
             last recorded data may be missing under this name",
            also(others)
        ),
        StoreProblem::Empty => format!("`{name}` is empty: nothing has been recorded in it yet"),
        StoreProblem::NotARecord(kind) => {
            format!("`{name}` is not a record of leitai: it is {kind}")
        }
        StoreProblem::Newer(found) => format!(
            "`{name}` was written by a newer leitai (schema version {found}); this one reads up to \
             version {SCHEMA_VERSION}"
        ),
        StoreProblem::Older(found) => format!(
            "`{name}` was written by an earlier leitai (schema version {found}); this one reads \
             version {SCHEMA_VERSION}"
        ),
        StoreProblem::Damaged(damage) => format!("`{name}` is damaged: {damage}"),
        StoreProblem::Locked => format!("`{name}` is locked by another process"),
        StoreProblem::Lost(loss, _) => lost(&name, *loss),
        StoreProblem::Unseen(reason) => {
            format!("cannot check whether `{name}` is still at its path: {reason}")
        }
        StoreProblem::Unwritable(reason) => format!("`{name}` cannot be written: {reason}"),
        StoreProblem::Unreadable(reason) => format!("`{name}` cannot be read: {reason}"),
        StoreProblem::Full => format!("no room is left to write `{name}`"),
        StoreProblem::OtherRun(run, difference) => {
            format!("run `{run}` in `{name}` was begun with another {difference}")
        }
        StoreProblem::Conflict(index, run, difference) => format!(
            "another process wrote a different pair {index} of run `{run}` in `{name}`: {difference}"
        ),
        StoreProblem::NoRun(run) => format!("no run `{run}` in `{name}`"),
        StoreProblem::AmbiguousRun(run, fits) => {
            format!("`{run}` fits several runs in `{name}`: {}", fits.join(", "))
        }
        StoreProblem::Unstorable(value) => format!("`{name}` cannot hold {value}"),
        StoreProblem::Sqlite(report) => format!("`{name}`: {report}"),
    }
}

/// Describes the loss of an open record.
fn lost(name: &Foreign, loss: Loss) -> String {
    let what = match loss {
        Loss::Removed => format!("`{name}` was removed or moved away"),
        Loss::Replaced => format!("`{name}` was replaced by another file"),
        Loss::Cut { from, to } => format!("`{name}` was cut from {from} to {to} bytes"),
        Loss::LogReplaced => {
            format!("the `-wal` or `-shm` file of `{name}` was removed or replaced")
        }
        Loss::LogCut => format!("the `-wal` file of `{name}` was cut"),
    };
    what + " during recording; nothing more is recorded"
}

/// Returns a remedy for the loss. It must never suggest removing a file that may contain games.
fn after(path: &Path, loss: Loss, saved: Option<&Path>) -> Cow<'static, str> {
    match (loss, saved) {
        (Loss::Removed | Loss::Replaced, Some(file)) if file == path => {
            "it is back, with all recorded data: the same command continues".into()
        }
        (Loss::Removed | Loss::Replaced, Some(copy)) => format!(
            "all recorded data is copied to `{0}`: with `--store {0}` the same command continues",
            shown_path(copy)
        )
        .into(),
        (Loss::Removed, None) => {
            "if it was moved, move it back next to its `-wal` file, and the same command \
             continues; otherwise the recorded data is lost: record into another file with \
             `--store`"
                .into()
        }
        (Loss::Replaced, None) => {
            "if it was moved, the recorded data is at its new path, with its `-wal` file; \
             otherwise it is lost: nothing was added to the other one; record into another file \
             with `--store`"
                .into()
        }
        (Loss::Cut { .. }, _) => "restore a copy; or leave it with its `-wal` file, which may \
             hold games, as it is, and record into another file with `--store`: the same config \
             and seed play the same games again"
            .into(),
        (Loss::LogReplaced, Some(file)) => format!(
            "all recorded data is in `{0}`: move `{0}-wal` and `{0}-shm` elsewhere, if they \
             exist, and the same command continues",
            shown_path(file)
        )
        .into(),
        (Loss::LogReplaced | Loss::LogCut, _) => {
            "the last recorded data may be lost: the same command continues with the rest".into()
        }
    }
}

/// Formats other names of a file, in parentheses.
fn also(names: &[PathBuf]) -> String {
    match names {
        [] => String::new(),
        _ => format!(
            " (also {})",
            quoted(names.iter().map(|name| shown_path(name)))
        ),
    }
}
