//! Tables that tell how endgames end.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::{AnyPosition, Game, Rules, typed};
use crate::Verdict;

/// Which tables are wanted, and how they are read.
#[derive(Clone, Copy, Debug)]
pub struct TableOptions<'a> {
    /// The folders with their files.
    pub folders: &'a [PathBuf],
    /// Most pieces on the board at which they are asked; `None`: as many as the files have.
    pub pieces: Option<u32>,
    /// Whether a win that takes longer than the rule against moves without progress allows
    /// is a draw.
    pub fifty: bool,
}

/// Tables of the endgames of the game `G`. Threads share them.
pub trait Tables<G: Game>: Send + Sync {
    /// A hash over what they hold, as hexadecimal digits: tables that give the same
    /// answers have the same one wherever they lie.
    fn digest(&self) -> &str;

    /// In words what was found, for the user.
    fn summary(&self) -> String;

    /// How the game ends from here if both sides play as well as can be, with the
    /// cause [`TablebaseAdjudication`](crate::Cause::TablebaseAdjudication);
    /// `None` if the tables do not know. It depends on the position and the rules alone.
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

/// Tables of any game that have been opened, or none. They are no part of what a config
/// says: two of them are always equal.
#[derive(Clone, Default)]
pub struct OpenTables(Option<Arc<dyn AnyTables>>);

impl OpenTables {
    /// These tables.
    pub fn new<G: Game>(tables: Box<dyn Tables<G>>) -> Self {
        Self(Some(Arc::new(Erased(tables))))
    }

    /// Whether there are any.
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
