//! A play as text.

use super::{PASS, Point, move_at, point_of};
use leitai_game::Move;

/// A stone on a point, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// No stone.
    Pass,
    /// A stone on this point.
    At(Point),
}

impl Play {
    /// The play as a move.
    pub const fn to_move(self) -> Move {
        match self {
            Play::Pass => PASS,
            Play::At(point) => move_at(point),
        }
    }

    /// The play of a move.
    pub const fn of(mv: Move) -> Play {
        match point_of(mv) {
            None => Play::Pass,
            Some(point) => Play::At(point),
        }
    }

    /// The name on a board of `size`: `D6`, or `pass`.
    pub fn name(self, size: u8) -> String {
        match self {
            Play::Pass => "pass".to_owned(),
            Play::At(point) => point.name(size),
        }
    }

    /// Reads a name of a point of a board of `size`, or `pass`, in any case.
    pub fn from_name(name: &str, size: u8) -> Option<Play> {
        if name.eq_ignore_ascii_case("pass") {
            return Some(Play::Pass);
        }
        Point::from_name(name, size).map(Play::At)
    }
}
