//! Go block capture: rules, notation and solvers.
//!
//! Points are padded indices ([`Point`]), the same for all board sizes. The [`Board`] updates
//! blocks (connected stones of one colour) and their liberties at every play, and undoes plays from
//! its own stack. Suicide is illegal; simple ko forbids a point for one play. A move of a game or a
//! search is `Move(point.0)`, and [`PASS`] is the pass.

mod board;
mod capture;
mod colour;
#[doc(hidden)]
pub mod cut;
mod game;
mod goal;
mod life;
mod play;
mod point;
mod problem;
pub mod reading;
mod rules;
mod set;
mod symmetry;
mod tactics;
mod text;
mod verdict;
mod view;
mod zobrist;

#[cfg(test)]
pub(crate) mod tests;

pub use board::{Board, BoardError, LARGEST, SMALLEST};
pub use capture::{Capture, CaptureUndo};
pub use colour::Colour;
pub use game::card;
pub use goal::Goal;
pub use life::{is_alive, life_zone};
pub use play::Play;
pub use point::Point;
pub use problem::{PROBLEM_SIZES, Problem, ProblemFault};
pub use rules::GoRules;
pub use set::{PointSet, Points};
pub use symmetry::Symmetry;
pub use text::{Setup, SetupError};
pub use verdict::CaptureVerdict;

use leitai_game::Move;

/// The pass as a move: index 0 belongs to the border.
pub const PASS: Move = Move(0);

/// The point of a move; `None` for the pass.
#[inline]
pub const fn point_of(mv: Move) -> Option<Point> {
    if mv.0 == PASS.0 {
        None
    } else {
        Some(Point(mv.0))
    }
}

/// The move that plays on a point.
#[inline]
pub const fn move_at(point: Point) -> Move {
    Move(point.0)
}
