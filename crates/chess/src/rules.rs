//! Which rules of Chess can be chosen.

use leitai_base::settings::{choice, settings};

choice! {
    /// When a game is drawn by repetition or for want of progress.
    pub enum Draws {
        /// At the third occurrence of a position, and after fifty moves of each side without
        /// a capture or a move of a pawn: as if whoever is to move claimed it, which games
        /// between programs take for granted (FIDE Laws 9.2 and 9.3).
        Claimed = "claimed",
        /// At the fifth occurrence, and after 75 moves: where no claim is needed (9.6).
        Forced = "forced",
    }
}

settings! {
    /// The rules of a game of Chess that can be chosen.
    #[derive(Copy)]
    pub struct ChessRules {
        /// When a game is drawn by repetition or without captures and moves of pawns: at
        /// the third occurrence and after 50 moves (`claimed`), or at the fifth and after
        /// 75 (`forced`).
        draws: Draws = Draws::Claimed;
        /// Whether it is Chess960: programs castle by the king that takes its own rook, and
        /// are told so.
        chess960: bool = false;
    }
}
