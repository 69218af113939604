//! When a game is ended early.

use serde::Serialize;

/// When a game is ended early. Scores are those of the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Adjudication {
    /// Lost for the side that both players have seen so far behind for so long.
    pub resign: Option<ResignRule>,
    /// Drawn when both players have seen it level for so long.
    pub draw: Option<DrawRule>,
    /// Drawn after so many plies from the opening, at least 1.
    pub max_plies: Option<u32>,
}

/// Both players agree for `plies` consecutive plies that one side is ahead by
/// at least `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ResignRule {
    /// Evaluation units, above 0.
    pub score: i32,
    /// Consecutive plies of the game, both players' counted, at least 1.
    pub plies: u32,
}

/// Both players' scores stay within plus or minus `score` for `plies`
/// consecutive plies, from ply `after_ply` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DrawRule {
    /// Evaluation units, at least 0.
    pub score: i32,
    /// Consecutive plies of the game, both players' counted, at least 1.
    pub plies: u32,
    /// Plies from the opening before which no draw is adjudicated.
    pub after_ply: u32,
}
