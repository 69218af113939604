//! Which history rules end a game of Xiangqi.

use leitai_base::settings::{choice, settings};

choice! {
    /// How a threefold repetition is judged.
    pub enum RepetitionRule {
        /// Only perpetual check is forbidden: a side that alone checked with every
        /// move of the cycle loses, all else is a draw.
        Check = "check",
        /// The "computer rule" of today's engine testing (Pikafish 2026): besides
        /// perpetual check, a side that alone chased the same piece throughout
        /// loses.
        Computer = "computer",
    }
}

settings! {
    /// The history rules of a game of Xiangqi.
    #[derive(Copy)]
    pub struct XiangqiRules {
        /// How a threefold repetition is judged.
        repetition: RepetitionRule = RepetitionRule::Computer;
        /// Whether 120 plies without a capture are a draw (each side's checks
        /// beyond the tenth, and the replies to them, not counted).
        move_limit: bool = true;
        /// Whether a position in which neither side can win is a draw at once.
        material: bool = true;
    }
}

impl XiangqiRules {
    /// The same, for games that have gone on beyond the move limit.
    pub(super) fn without_move_limit(self) -> Self {
        Self {
            move_limit: false,
            ..self
        }
    }
}
