//! Scoring of a finished game of Othello.

use leitai_base::settings::{choice, settings};

choice! {
    /// The owner of the squares that are empty when neither side can move.
    ///
    /// It never changes the winner, only the margin.
    #[non_exhaustive]
    pub enum EmptySquares {
        /// The winner, as in the World Othello Federation, the FFO test suite, WTHOR and most
        /// programs; in a draw neither side.
        Winner = "winner",
        /// Neither side: the score is the difference of the discs on the board.
        Nobody = "nobody",
    }
}

settings! {
    /// The options of the rules of Othello.
    #[derive(Copy)]
    pub struct OthelloRules {
        /// The owner of the squares that stay empty.
        empties: EmptySquares = EmptySquares::Winner;
    }
}
