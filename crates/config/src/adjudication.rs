//! When a game is ended early.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use leitai_base::settings::choice;
use leitai_game::Verdict;
use leitai_game::card::OpenTables;

/// When a game is ended early. Scores are those of the players.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Adjudication {
    /// Lost for a side that has been seen far behind for so long.
    pub resign: Option<ResignRule>,
    /// Drawn when both players have seen it level for so long.
    pub draw: Option<DrawRule>,
    /// Drawn after so many plies from the opening, at least 1.
    pub max_plies: Option<u32>,
    /// Ended as tables of endgames tell. Part of the resolved form only where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<EndgameTables>,
}

impl Adjudication {
    /// Whether games are to be ended by tables that are not there.
    pub fn lacks_tables(&self) -> bool {
        let tables = self.syzygy.as_ref();
        tables.is_some_and(|tables| !tables.opened.are_there())
    }

    /// Takes over from the resolved form of a recorded run which tables were found.
    pub fn recall(&mut self, resolved: &serde_json::Value) {
        if let Some(tables) = &mut self.syzygy {
            tables.found = Option::deserialize(&resolved["syzygy"]["found"]).unwrap_or_default();
        }
    }
}

/// A side is lost after `plies` consecutive scores at or below minus `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ResignRule {
    /// Evaluation units, above 0. A mate against the side is below any.
    pub score: i32,
    /// Consecutive plies, at least 1: of the game where both players must agree, otherwise
    /// of the loser.
    pub plies: u32,
    /// Whose scores count. Part of the resolved form only where it is not the usual.
    #[serde(skip_serializing_if = "is_usual")]
    pub by: ResignBy,
}

choice! {
    /// Whose scores give a game up.
    #[derive(Default)]
    pub enum ResignBy {
        /// Both players agree ply after ply who is ahead.
        #[default]
        Both = "both",
        /// The loser's own alone.
        Loser = "loser",
    }
}

/// Both players' scores stay within plus or minus `score` for `plies`
/// consecutive plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DrawRule {
    /// Evaluation units, at least 0.
    pub score: i32,
    /// Consecutive plies of the game, both players' counted, at least 1.
    pub plies: u32,
    /// Before that no draw is adjudicated.
    #[serde(flatten)]
    pub start: DrawStart,
    /// What the counted plies begin again after. Part of the resolved form only where it is
    /// not the usual.
    #[serde(skip_serializing_if = "is_usual")]
    pub reset: DrawReset,
}

/// From where on draws are adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawStart {
    /// So many plies after the opening.
    AfterPly(u32),
    /// When both sides have made the move of this number, as the texts of positions count
    /// them.
    AfterMove(u32),
}

choice! {
    /// What the counted plies of a draw begin again after, beside scores that are not level.
    #[derive(Default)]
    pub enum DrawReset {
        /// Nothing else.
        #[default]
        Never = "never",
        /// A move after which no earlier position can come again (see
        /// [`Position::reversible_plies`](leitai_game::Position::reversible_plies)): its
        /// ply is counted as the first.
        Irreversible = "irreversible",
    }
}

/// Tables that tell how endgames end, and what is asked of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndgameTables {
    /// The folders with their files, as found from the config's folder. Not part of the
    /// resolved form: what counts is what the files hold.
    #[serde(skip)]
    pub folders: Vec<PathBuf>,
    /// Most pieces on the board, kings included, at which they are asked; `None`: as many as
    /// the files have.
    pub pieces: Option<u32>,
    /// Whether a win that takes longer than the rule against moves without progress allows
    /// is a draw.
    pub fifty: bool,
    /// Which results end a game.
    pub results: TableResults,
    /// A hash over the tables that were found; `None` until they are opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The tables themselves, where games are played.
    #[serde(skip)]
    pub opened: OpenTables,
}

choice! {
    /// Which results in tables of endgames end a game.
    #[derive(Default)]
    pub enum TableResults {
        /// All of them.
        #[default]
        All = "all",
        /// Wins of either side.
        Wins = "wins",
        /// Draws.
        Draws = "draws",
    }
}

impl TableResults {
    /// Whether a game that the tables know to end so is ended.
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
