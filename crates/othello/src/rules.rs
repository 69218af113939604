//! How a finished game of Othello is counted.

use leitai_base::settings::{choice, settings};

choice! {
    /// Who gets the squares that are empty when neither side can move.
    ///
    /// It never changes who wins, only by how much.
    pub enum EmptySquares {
        /// The winner, as the World Othello Federation, the FFO test suite, WTHOR
        /// and most programs count; in a draw nobody.
        Winner = "winner",
        /// Nobody: the score is the difference of the discs on the board.
        Nobody = "nobody",
    }
}

settings! {
    /// The rules of a game of Othello that can be chosen.
    #[derive(Copy)]
    pub struct OthelloRules {
        /// Who gets the squares that stay empty.
        empties: EmptySquares = EmptySquares::Winner;
    }
}
