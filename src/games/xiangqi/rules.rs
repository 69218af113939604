//! Which history rules end a game of Xiangqi.

use serde::{Deserialize, Serialize};

/// How a threefold repetition is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepetitionRule {
    /// Only perpetual check is forbidden: a side that alone checked with every
    /// move of the cycle loses, all else is a draw.
    Check,
    /// The "computer rule" of today's engine testing (Pikafish 2026): besides
    /// perpetual check, a side that alone chased the same piece throughout
    /// loses.
    #[default]
    Computer,
}

/// The history rules of a game of Xiangqi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct XiangqiRules {
    /// How a threefold repetition is judged.
    pub repetition: RepetitionRule,
    /// Whether 120 plies without a capture are a draw (each side's checks
    /// beyond the tenth, and the replies to them, not counted).
    pub move_limit: bool,
    /// Whether a position in which neither side can win is a draw at once.
    pub material: bool,
}

impl Default for XiangqiRules {
    fn default() -> Self {
        Self {
            repetition: RepetitionRule::default(),
            move_limit: true,
            material: true,
        }
    }
}
