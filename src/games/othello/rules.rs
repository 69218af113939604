//! How a finished game of Othello is counted.

use serde::{Deserialize, Serialize};

/// Who gets the squares that are empty when neither side can move.
///
/// It never changes who wins, only by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmptySquares {
    /// The winner, as the World Othello Federation, the FFO test suite, WTHOR
    /// and most programs count; in a draw nobody.
    #[default]
    Winner,
    /// Nobody: the score is the difference of the discs on the board.
    Nobody,
}

impl EmptySquares {
    /// The name in configs and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            EmptySquares::Winner => "winner",
            EmptySquares::Nobody => "nobody",
        }
    }
}

/// The rules of a game of Othello that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct OthelloRules {
    /// Who gets the squares that stay empty.
    pub empties: EmptySquares,
}
