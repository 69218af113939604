//! Trees from which the winner's strategy can be read.

use super::tree::Sure;
use crate::PointSet;
use leitai_game::Move;
use leitai_game::search::proof::AndOr;

/// A tree from which strategies can be read.
pub trait Strategic: Sure + AndOr<Move = Move, Zone = PointSet> {
    /// Returns whether the attacker has reached the goal.
    fn is_reached(&self) -> bool;

    /// Returns whether the defender has succeeded with nothing left to play, when the
    /// [`outcome`](AndOr::outcome) is that the goal is not reached.
    fn is_saved(&self) -> bool;

    /// The moves of [`widen`](AndOr::widen), and the moves that it leaves out.
    fn widen_all(
        &mut self,
        tried: &[Move],
        passed: Option<&PointSet>,
        zone: &mut PointSet,
        moves: &mut Vec<Move>,
    );
}
