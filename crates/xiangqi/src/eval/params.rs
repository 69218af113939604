//! The numbers of the Xiangqi evaluation.

use super::terms::Terms;

/// All numbers, in evaluation units. All except `tempo` exist twice, once for each [`Phase`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XiangqiParams {
    /// Bonus for the side to move.
    pub tempo: i32,
    /// The weights with all pieces on the board.
    pub middle: Weights,
    /// The weights without rooks, horses and cannons.
    pub end: Weights,
}

/// The numbers of one phase of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// Value of each kind of piece, by [`Kind::index`].
    ///
    /// [`Kind::index`]: crate::Kind::index
    pub material: [i32; 7],
    /// The additional value of each square, by kind: 10 rows of 9 from the far side (rank 9 from
    /// Red's point of view) to home (rank 0), files a to i. Black reads the table from its own side
    /// (rotated by 180 degrees).
    pub pst: [[[i32; 9]; 10]; 7],
    /// The weight of each term per occurrence.
    pub terms: Terms,
}

/// A phase of the game. Positions are interpolated between the two by the remaining pieces: see
/// [`PHASES`](super::PHASES).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// All rooks, horses and cannons are on the board.
    Middle,
    /// No rook, horse or cannon is on the board.
    End,
}

impl Phase {
    /// Both, in order.
    pub const BOTH: [Phase; 2] = [Phase::Middle, Phase::End];
}
