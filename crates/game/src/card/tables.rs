//! Endgame tables.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::{AnyPosition, Game, Rules, typed};
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

/// Tables of the endgames of the game `G`. Threads share them.
pub trait Tables<G: Game>: Send + Sync {
    /// A hash of their content, in hexadecimal digits: tables with the same answers have the same
    /// hash in any folder.
    fn digest(&self) -> &str;

    /// A summary of the tables for the user.
    fn summary(&self) -> String;

    /// The result of perfect play by both sides, with the cause
    /// [`TablebaseAdjudication`](crate::Cause::TablebaseAdjudication); `None` if the tables
    /// do not have the position. It depends on the position and the rules alone.
    fn verdict(&self, position: &G, rules: G::Rules) -> Option<Verdict>;
}

/// [`Tables`] of any game.
trait AnyTables: Send + Sync {
    fn digest(&self) -> &str;
    fn summary(&self) -> String;
    fn verdict(&self, position: &dyn AnyPosition, rules: &Rules) -> Option<Verdict>;
}

struct Erased<G>(Box<dyn Tables<G>>);

impl<G: Game> AnyTables for Erased<G> {
    fn digest(&self) -> &str {
        self.0.digest()
    }

    fn summary(&self) -> String {
        self.0.summary()
    }

    fn verdict(&self, position: &dyn AnyPosition, rules: &Rules) -> Option<Verdict> {
        self.0.verdict(typed(position)?, rules.typed())
    }
}

/// Opened tables of any game, or none. They are not part of a config's value: two of them are
/// always equal.
#[derive(Clone, Default)]
pub struct OpenTables(Option<Arc<dyn AnyTables>>);

impl OpenTables {
    /// Wraps these tables.
    pub fn new<G: Game>(tables: Box<dyn Tables<G>>) -> Self {
        Self(Some(Arc::new(Erased(tables))))
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
        self.0
            .as_ref()
            .map_or_else(String::new, |tables| tables.summary())
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
