//! Evaluation of Othello.

use serde::Serialize;

/// The numbers of the disc-square evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OthelloParams {
    /// Values of the ten square classes a1 b1 c1 d1 b2 c2 d2 c3 d3 d4.
    pub squares: [i32; 10],
    /// Weight of the disc difference.
    pub discs: i32,
}
