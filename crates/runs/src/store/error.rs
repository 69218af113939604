//! Errors of a record, with messages for the user.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use leitai_base::foreign::shown_path;
use rusqlite::ErrorCode;
use thiserror::Error;

use super::Loss;

/// SQLite's code for an invalid statement.
const SQLITE_ERROR: i32 = 1;

/// An error while opening, reading or writing a record. Messages are lowercase fragments that name
/// the file; [`hint`](StoreError::hint) returns a remedy.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The path does not exist, or the directory for a new file does not exist.
    #[error("there is no {what} `{}`", shown_path(.path))]
    Missing {
        /// The missing file or directory.
        path: PathBuf,
        /// `record` or `folder`.
        what: &'static str,
    },
    /// A directory, a pipe, or a device.
    #[error("`{}` is {what}, not a record", shown_path(.path))]
    NotAFile {
        /// The path as given.
        path: PathBuf,
        /// The kind of the path, with its article.
        what: &'static str,
    },
    /// A file with several names (hard links). The name to which its log belongs is unknown.
    #[error(
        "`{}` is a file of {names} names{}: SQLite finds its log by the name, so that the last \
         recorded data may be missing under this name", shown_path(.path), also(.others)
    )]
    Linked {
        /// The path as given.
        path: PathBuf,
        /// Number of its names.
        names: u64,
        /// Other names in its directory.
        others: Vec<PathBuf>,
    },
    /// Opened for reading before its first recording.
    #[error("`{}` is empty: nothing has been recorded in it yet", shown_path(.path))]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Not an SQLite file, or one of another program.
    #[error("`{}` is not a record of leitai: it is {what}", shown_path(.path))]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// The actual kind of the file.
        what: &'static str,
    },
    /// Written by a newer version of this program with a later schema.
    #[error(
        "`{}` was written by a newer leitai (schema version {found}); \
         this one reads up to version {supported}", shown_path(.path)
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i32,
        /// The latest version that this program supports.
        supported: i32,
    },
    /// Truncated, overwritten, or changed by another program.
    #[error("`{}` is damaged: {what}", shown_path(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first problem found.
        what: String,
    },
    /// Another process held the lock for longer than the timeout.
    #[error("`{}` is locked by another process", shown_path(.path))]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file has disappeared since it was opened for writing.
    #[error("{}", lost(.path, *.loss))]
    Lost {
        /// The file.
        path: PathBuf,
        /// The kind of loss.
        loss: Loss,
        /// Path of a file with all that was recorded, if it could be saved.
        saved: Option<PathBuf>,
    },
    /// The location of the file cannot be checked.
    #[error(
        "cannot check whether `{}` is still at its path: {reason}", shown_path(.path)
    )]
    Unseen {
        /// The file.
        path: PathBuf,
        /// The system's error. Not the `source`, which would be printed twice.
        reason: io::Error,
    },
    /// The file or its directory is not writable.
    #[error("`{}` cannot be written: {reason}", shown_path(.path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason, if known.
        reason: String,
    },
    /// The operating system refuses read access.
    #[error("`{}` cannot be read: {reason}", shown_path(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error. Not the `source`, which would be printed twice.
        reason: io::Error,
    },
    /// The disk or the quota is full. Committed data is kept.
    #[error("no room is left to write `{}`", shown_path(.path))]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// A run with that id exists, but with different data.
    #[error(
        "run `{run}` in `{}` was begun with another {field}: {stored}, now {given}", shown_path(.path)
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The run's id.
        run: String,
        /// The field that differs.
        field: &'static str,
        /// The recorded value.
        stored: String,
        /// The given value.
        given: String,
    },
    /// The pair is recorded with different content.
    #[error(
        "another process wrote a different pair {index} of run `{run}` in `{}`: {what}",
        shown_path(.path)
    )]
    Conflict {
        /// The file.
        path: PathBuf,
        /// The run's id.
        run: String,
        /// The pair's number.
        index: u64,
        /// The first difference.
        what: String,
    },
    /// No run has an id that begins like this.
    #[error("no run `{name}` in `{}`", shown_path(.path))]
    NoRun {
        /// The file.
        path: PathBuf,
        /// The name as given.
        name: String,
    },
    /// Several runs have an id that begins like this.
    #[error("`{name}` fits several runs in `{}`: {}", shown_path(.path), .fits.join(", "))]
    AmbiguousRun {
        /// The file.
        path: PathBuf,
        /// The name as given.
        name: String,
        /// The matching ids.
        fits: Vec<String>,
    },
    /// A value that cannot be stored: a bug of the caller.
    #[error("`{}` cannot hold {what}", shown_path(.path))]
    Unstorable {
        /// The file.
        path: PathBuf,
        /// The value.
        what: String,
    },
    /// Any other SQLite error.
    #[error("`{}`: {report}", shown_path(.path))]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's error. Not the `source`, which would be printed twice.
        report: rusqlite::Error,
    },
}

impl StoreError {
    /// Returns a remedy for the user, as a lowercase fragment.
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        if let StoreError::Lost { path, loss, saved } = self {
            return Some(after(path, *loss, saved.as_deref()));
        }
        self.usual_hint().map(Cow::Borrowed)
    }

    fn usual_hint(&self) -> Option<&'static str> {
        match self {
            StoreError::Missing { what: "folder", .. } => Some("create the folder first"),
            StoreError::NotAFile { .. } | StoreError::NotARecord { .. } => {
                Some("name another file; this one was not changed")
            }
            StoreError::Linked { .. } => Some(
                "remove the other names (`find FOLDER -samefile FILE` lists them), but keep the \
                 one with a `-wal` file next to it; or copy both files to a new name",
            ),
            StoreError::Newer { .. } => Some("use that newer leitai, or record into another file"),
            StoreError::Damaged { .. } => Some(
                "restore a copy (with its `-wal` file, if there is one), or record into another \
                 file: the same config and seed play the same games again",
            ),
            StoreError::Locked { .. } => {
                Some("wait until the other process is done, or stop it; the same command continues")
            }
            StoreError::Full { .. } => {
                Some("make room and repeat the command; it continues where it stopped")
            }
            StoreError::OtherRun { .. } => Some("record into another file"),
            StoreError::Conflict { .. } => Some(
                "play is not reproducible here: compare the versions and machines of both, and \
                 report it if they are the same",
            ),
            StoreError::AmbiguousRun { .. } => Some("give more characters of the id"),
            StoreError::Unseen { .. } => Some(
                "the recorded data is there unless the file was removed: the same command \
                 continues with it",
            ),
            StoreError::Unwritable { .. } | StoreError::Unreadable { .. } => {
                Some("name another file, in a folder that you may read and write")
            }
            _ => None,
        }
    }

    /// Converts an SQLite error about `path`.
    pub(super) fn from_sqlite(path: &Path, source: rusqlite::Error) -> Self {
        use rusqlite::Error;
        let path = path.to_owned();
        let what = match &source {
            // A statement does not fit the tables (also as SQLITE_ERROR below): another program
            // changed the tables.
            Error::SqlInputError { msg, .. } => msg.clone(),
            Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..)
            | Error::QueryReturnedNoRows => source.to_string(),
            Error::SqliteFailure(failure, message) => {
                let reason = message.clone().unwrap_or_else(|| failure.to_string());
                match failure.code {
                    ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                        return Self::Locked { path };
                    }
                    ErrorCode::DiskFull => return Self::Full { path },
                    ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                        return Self::Unwritable { path, reason };
                    }
                    ErrorCode::DatabaseCorrupt => reason,
                    // Our writes are checked beforehand, so existing rows are inconsistent.
                    ErrorCode::ConstraintViolation => {
                        format!("rows were removed or changed in it ({reason})")
                    }
                    ErrorCode::Unknown if failure.extended_code == SQLITE_ERROR => reason,
                    ErrorCode::NotADatabase => {
                        let what = "not an SQLite file";
                        return Self::NotARecord { path, what };
                    }
                    _ => {
                        return Self::Sqlite {
                            path,
                            report: source,
                        };
                    }
                }
            }
            _ => {
                return Self::Sqlite {
                    path,
                    report: source,
                };
            }
        };
        Self::Damaged { path, what }
    }
}

/// Describes the loss of an open record.
fn lost(path: &Path, loss: Loss) -> String {
    let name = shown_path(path);
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
    let names: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", shown_path(name)))
        .collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!(" (also {})", names.join(", ")),
    }
}
