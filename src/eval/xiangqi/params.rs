//! The numbers of the Xiangqi evaluation.

use serde::Serialize;

/// Material and square values, in evaluation units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct XiangqiParams {
    /// Value of each kind of piece, by [`Kind::index`].
    ///
    /// [`Kind::index`]: crate::game::xiangqi::Kind::index
    pub material: [i32; 7],
    /// What each square adds, by kind: 10 rows of 9 from the far side (rank 9
    /// as Red sees it) to home (rank 0), files a to i. Black reads the table
    /// from its own side (rotated by 180 degrees).
    pub pst: [[[i32; 9]; 10]; 7],
    /// Bonus for the side to move.
    pub tempo: i32,
}
