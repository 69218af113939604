//! The errors of a session.

use std::fmt;

use leitai_players::player::ProgramError;
use leitai_players::schedule::ScheduleError;
use leitai_runs::store::{StoreError, StoreProblem};
use leitai_session as inner;
use leitai_session::MissingSection;

use crate::config::ConfigError;

/// A failure of a session. Displays as a message with all causes and a remedy, so that
/// [`source`](std::error::Error::source) has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The config lacks the section for this call, or cannot be played.
    Config,
    /// The file of the record stayed locked by another process for half a minute.
    Locked,
    /// The record is damaged, of another version, or cannot be read or written.
    Record,
    /// A program does not start, or does not play the game.
    Program,
    /// A file cannot be read or written.
    File,
    /// Another problem, which the message explains.
    Other,
}

impl Error {
    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    pub(super) fn of_unknown_game(game: &str) -> Self {
        Self {
            kind: ErrorKind::Config,
            message: format!(
                "the session has no game `{game}`\nhelp: pass the list of games of the config to \
                 `Session::new`"
            ),
        }
    }

    pub(super) fn of(failure: &inner::Failure) -> Self {
        let store_error = || {
            failure
                .chain()
                .find_map(|it| it.downcast_ref::<StoreError>())
        };
        let is_of_config = failure.is::<leitai_config::ConfigError>()
            || failure.is::<MissingSection>()
            || failure.is::<ScheduleError>();
        let kind = if is_of_config {
            ErrorKind::Config
        } else if let Some(error) = store_error() {
            match error.problem {
                StoreProblem::Locked => ErrorKind::Locked,
                _ => ErrorKind::Record,
            }
        } else if failure.is::<ProgramError>() {
            ErrorKind::Program
        } else if failure
            .chain()
            .any(<dyn std::error::Error>::is::<std::io::Error>)
        {
            ErrorKind::File
        } else {
            ErrorKind::Other
        };
        let message = format!("{failure:#}");
        Self { kind, message }
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        let kind = ErrorKind::Config;
        Self {
            kind,
            message: error.message,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
