//! Rules for ending games early.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use leitai_base::settings::choice;
use leitai_game::Verdict;
use leitai_game::card::OpenTables;

/// Rules for ending games early. Scores are those of the players.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Adjudication {
    /// Ends a game as lost for a side that was far behind for a number of plies.
    pub resign: Option<ResignRule>,
    /// Ends a game as drawn if both players saw it level for a number of plies.
    pub draw: Option<DrawRule>,
    /// Ends a game as drawn after this number of plies from the opening, at least 1.
    pub max_plies: Option<u32>,
    /// Ends a game with the result from endgame tables. Part of the resolved form only if set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<EndgameTables>,
}

impl Adjudication {
    /// Returns whether tables are configured but not opened.
    pub fn lacks_tables(&self) -> bool {
        let tables = self.syzygy.as_ref();
        tables.is_some_and(|tables| !tables.opened.are_there())
    }

    /// Takes the digest of the tables from the resolved form of a recorded run.
    pub fn recall(&mut self, resolved: &serde_json::Value) {
        if let Some(tables) = &mut self.syzygy {
            tables.found = Option::deserialize(&resolved["syzygy"]["found"]).unwrap_or_default();
        }
    }
}

/// A side loses after `plies` consecutive scores at or below minus `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ResignRule {
    /// Evaluation units, above 0. A mate against the side counts as lower than any score.
    pub score: i32,
    /// Consecutive plies, at least 1: of the game if both players must agree, otherwise of the
    /// loser.
    pub plies: u32,
    /// The players whose scores count. Part of the resolved form only if it is not the usual value.
    #[serde(skip_serializing_if = "is_usual")]
    pub by: ResignBy,
}

choice! {
    /// The players whose scores end a game.
    #[derive(Default)]
    pub enum ResignBy {
        /// Both players agree at each ply which side is ahead.
        #[default]
        Both = "both",
        /// Only the loser's own scores count.
        Loser = "loser",
    }
}

/// Both players' scores stay within plus or minus `score` for `plies`
/// consecutive plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DrawRule {
    /// Evaluation units, at least 0.
    pub score: i32,
    /// Consecutive plies of the game by both players, at least 1.
    pub plies: u32,
    /// The earliest point for an adjudicated draw.
    #[serde(flatten)]
    pub start: DrawStart,
    /// The events that restart the count of plies. Part of the resolved form only if it is not the
    /// usual value.
    #[serde(skip_serializing_if = "is_usual")]
    pub reset: DrawReset,
}

/// The earliest point for an adjudicated draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawStart {
    /// This number of plies after the opening.
    AfterPly(u32),
    /// After both sides have made the move of this number, as counted in the texts of positions.
    AfterMove(u32),
}

choice! {
    /// The events, other than scores that are not level, that restart the count of a draw.
    #[derive(Default)]
    pub enum DrawReset {
        /// No other event.
        #[default]
        Never = "never",
        /// A move after which no earlier position can repeat (see
        /// [`Position::reversible_plies`](leitai_game::Position::reversible_plies)): its ply counts
        /// as the first.
        Irreversible = "irreversible",
    }
}

/// Endgame tables and the settings for looking up results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndgameTables {
    /// The folders with the table files, resolved from the config's folder. Not part of the
    /// resolved form, which depends only on the contents of the files.
    #[serde(skip)]
    pub folders: Vec<PathBuf>,
    /// Maximum number of pieces on the board, kings included, for a lookup; `None` for the maximum
    /// of the files.
    pub pieces: Option<u32>,
    /// True if a win that takes longer than the rule against moves without progress allows is a
    /// draw.
    pub fifty: bool,
    /// The results that end a game.
    pub results: TableResults,
    /// A hash of the tables; `None` until they are opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The opened tables, if the config is for playing games.
    #[serde(skip)]
    pub opened: OpenTables,
}

choice! {
    /// The table results that end a game.
    #[derive(Default)]
    pub enum TableResults {
        /// All games.
        #[default]
        All = "all",
        /// Wins of either side.
        Wins = "wins",
        /// Draws.
        Draws = "draws",
    }
}

impl TableResults {
    /// Returns whether a game with this result in the tables ends.
    pub fn include(self, verdict: Verdict) -> bool {
        match self {
            Self::All => true,
            Self::Wins => verdict.winner.is_some(),
            Self::Draws => verdict.winner.is_none(),
        }
    }
}

fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
