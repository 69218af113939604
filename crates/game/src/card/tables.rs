//! Endgame tables.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::{AnyPosition, Rules};
use crate::Verdict;

/// Locations of endgame tables and options for reading them.
#[derive(Clone, Copy, Debug)]
pub struct TableOptions<'a> {
    /// The folders with their files.
    pub folders: &'a [PathBuf],
    /// Maximum number of pieces on the board for a lookup; `None` for the maximum of the files.
    pub pieces: Option<u32>,
    /// True if a win that takes longer than the rule against moves without progress allows is a
    /// draw.
    pub fifty: bool,
}

/// Tables of the endgames of a game. Threads share them.
pub trait Tables: Send + Sync {
    /// A hash of their content, in hexadecimal digits: tables with the same answers have the same
    /// hash in any folder.
    fn digest(&self) -> &str;

    /// A summary of the tables for the user.
    fn summary(&self) -> String;

    /// The first failure of a lookup, with the name of a file. The tables have fewer positions from
    /// then on.
    fn failure(&self) -> Option<String> {
        None
    }

    /// The result of perfect play by both sides, with the cause
    /// [`TablebaseAdjudication`](crate::Cause::TablebaseAdjudication); `None` if the tables
    /// do not have the position. Without a [failure](Self::failure) it depends on the position and
    /// the rules alone.
    fn verdict(&self, position: &dyn AnyPosition, rules: &Rules) -> Option<Verdict>;
}

/// Opened tables of any game, or none. They are not part of a config's value: two of them are
/// always equal.
#[derive(Clone, Default)]
pub struct OpenTables(Option<Arc<dyn Tables>>);

impl OpenTables {
    /// Wraps these tables.
    pub fn new(tables: Box<dyn Tables>) -> Self {
        Self(Some(tables.into()))
    }

    /// Returns whether there are tables.
    pub fn are_there(&self) -> bool {
        self.0.is_some()
    }

    /// See [`Tables::digest`]; empty without tables.
    pub fn digest(&self) -> &str {
        self.0.as_ref().map_or("", |tables| tables.digest())
    }

    /// See [`Tables::summary`]; empty without tables.
    pub fn summary(&self) -> String {
        let tables = self.0.as_ref();
        tables.map_or_else(String::new, |tables| tables.summary())
    }

    /// See [`Tables::failure`]; `None` without tables.
    pub fn failure(&self) -> Option<String> {
        self.0.as_ref()?.failure()
    }

    /// See [`Tables::verdict`]; `None` without tables.
    pub fn verdict(&self, position: &dyn AnyPosition, rules: &Rules) -> Option<Verdict> {
        self.0.as_ref()?.verdict(position, rules)
    }
}

impl PartialEq for OpenTables {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for OpenTables {}

impl fmt::Debug for OpenTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.digest())
    }
}
