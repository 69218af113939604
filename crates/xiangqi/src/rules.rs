//! History rules that end a game of Xiangqi.

use leitai_base::settings::{choice, settings};

choice! {
    /// The rule that judges threefold repetition.
    #[non_exhaustive]
    pub enum RepetitionRule {
        /// Forbids only perpetual check: a side that alone checked with every move of the cycle
        /// loses, all else is a draw.
        Check = "check",
        /// The "computer rule" of current engine testing (Pikafish 2026): forbids perpetual check,
        /// and a side that alone chased the same piece throughout loses.
        Computer = "computer",
        /// The rules of the Asian and the World Xiangqi Federation: perpetual check and perpetual
        /// chase of one piece lose, independent of the other side; a threat of mate is allowed.
        Asian = "asian",
        /// The rules of the Chinese Xiangqi Association: a side that alone attacked with every move
        /// loses, by check, threat of mate or chase of any pieces, in any order.
        Chinese = "chinese",
    }
}

settings! {
    /// The history rules of a game of Xiangqi.
    #[derive(Copy)]
    pub struct XiangqiRules {
        /// The rule that judges threefold repetition (docs/xiangqi-rules.md).
        repetition: RepetitionRule = RepetitionRule::Computer;
        /// Draws the game after 120 plies without a capture (each side's checks beyond the tenth,
        /// and the replies to them, are not counted).
        move_limit: bool = true;
        /// Draws at once a position in which neither side can win.
        material: bool = true;
    }
}

impl XiangqiRules {
    /// Returns the same rules without the move limit, for games that continue beyond it.
    pub(super) fn without_move_limit(self) -> Self {
        Self {
            move_limit: false,
            ..self
        }
    }
}
