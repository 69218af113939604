//! The numbers of the Xiangqi evaluation.

use super::terms::Terms;

/// All numbers, in evaluation units. Every one but `tempo` is there twice, once
/// for each [`Phase`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XiangqiParams {
    /// Bonus for the side to move.
    pub tempo: i32,
    /// What counts with all pieces on the board.
    pub middle: Weights,
    /// What counts when rooks, horses and cannons are gone.
    pub end: Weights,
}

/// The numbers of one phase of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// Value of each kind of piece, by [`Kind::index`].
    ///
    /// [`Kind::index`]: crate::Kind::index
    pub material: [i32; 7],
    /// What each square adds, by kind: 10 rows of 9 from the far side (rank 9
    /// as Red sees it) to home (rank 0), files a to i. Black reads the table
    /// from its own side (rotated by 180 degrees).
    pub pst: [[[i32; 9]; 10]; 7],
    /// What each term is worth, each time that it is met.
    pub terms: Terms,
}

/// A phase of the game. Positions lie between the two by what is left on the
/// board: see [`PHASES`](super::PHASES).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// All rooks, horses and cannons are there.
    Middle,
    /// None is.
    End,
}

impl Phase {
    /// Both, in order.
    pub const BOTH: [Phase; 2] = [Phase::Middle, Phase::End];
}
