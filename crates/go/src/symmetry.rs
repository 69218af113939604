//! The eight symmetries of the board and the exchange of colours.

use super::board::Board;
use super::point::Point;
use super::set::PointSet;
use super::{Move, move_at, point_of};

/// One of the eight ways to turn and mirror a square board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symmetry {
    /// No change.
    Identity,
    /// Exchanges left and right.
    FlipColumns,
    /// Exchanges top and bottom.
    FlipRows,
    /// Half a turn.
    HalfTurn,
    /// Rows become columns: mirrored at the diagonal from the top left.
    Transpose,
    /// A quarter turn to the right.
    TurnRight,
    /// A quarter turn to the left.
    TurnLeft,
    /// Mirrored at the diagonal from the top right.
    FlipAntidiagonal,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::FlipColumns,
        Symmetry::FlipRows,
        Symmetry::HalfTurn,
        Symmetry::Transpose,
        Symmetry::TurnRight,
        Symmetry::TurnLeft,
        Symmetry::FlipAntidiagonal,
    ];

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::TurnRight => Symmetry::TurnLeft,
            Symmetry::TurnLeft => Symmetry::TurnRight,
            other => other,
        }
    }

    /// The image of a move; the pass is unchanged.
    #[must_use]
    pub fn apply_move(self, mv: Move, size: u8) -> Move {
        point_of(mv).map_or(mv, |point| move_at(self.apply(point, size)))
    }

    /// The image of a point of a board of `size`; points outside are unchanged.
    #[must_use]
    pub fn apply(self, point: Point, size: u8) -> Point {
        if !point.is_on(size) {
            return point;
        }
        let (col, row) = (point.col(), point.row());
        let far = |it: u8| size - 1 - it;
        match self {
            Symmetry::Identity => point,
            Symmetry::FlipColumns => Point::new(far(col), row),
            Symmetry::FlipRows => Point::new(col, far(row)),
            Symmetry::HalfTurn => Point::new(far(col), far(row)),
            Symmetry::Transpose => Point::new(row, col),
            Symmetry::TurnRight => Point::new(far(row), col),
            Symmetry::TurnLeft => Point::new(row, far(col)),
            Symmetry::FlipAntidiagonal => Point::new(far(row), far(col)),
        }
    }
}

impl Board {
    /// The board turned or mirrored, including the ko, without its history.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Board {
        self.version(symmetry, false)
    }

    /// The board with black and white exchanged, without its history.
    #[must_use]
    pub fn swapped_colours(&self) -> Board {
        self.version(Symmetry::Identity, true)
    }

    /// The board turned or mirrored, with exchanged colours if `swaps`, without its history.
    #[must_use]
    pub fn version(&self, symmetry: Symmetry, swaps: bool) -> Board {
        let size = self.size();
        let image = |point| symmetry.apply(point, size);
        let mut sets = super::Colour::BOTH
            .map(|colour| -> PointSet { self.all(colour).iter().map(image).collect() });
        if swaps {
            sets.reverse();
        }
        // The same blocks in another place: each keeps its liberties.
        let mut board =
            Board::from_stones(size, &sets[0], &sets[1]).unwrap_or_else(|_| Board::empty(size));
        board.set_ko(self.ko().map(image));
        board
    }
}
