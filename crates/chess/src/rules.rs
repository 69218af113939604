//! The configurable rules of Chess.

use leitai_base::settings::{choice, settings};

choice! {
    /// The limits for draws by repetition and by lack of progress.
    pub enum Draws {
        /// At the third occurrence of a position, and after fifty moves of each side without a
        /// capture or a pawn move: as if the side to move claimed the draw, which is the custom in
        /// games between programs (FIDE Laws 9.2 and 9.3).
        Claimed = "claimed",
        /// At the fifth occurrence, and after 75 moves: no claim is needed (FIDE Laws 9.6).
        Forced = "forced",
    }
}

settings! {
    /// The configurable rules of Chess.
    #[derive(Copy)]
    pub struct ChessRules {
        /// Limits for draws by repetition, and without captures and pawn moves: at the third
        /// occurrence and after 50 moves (`claimed`), or at the fifth and after 75 (`forced`).
        draws: Draws = Draws::Claimed;
        /// Plays Chess960: programs write castling as the king capturing its own rook, and Leitai
        /// sets their Chess960 option.
        chess960: bool = false;
    }
}
