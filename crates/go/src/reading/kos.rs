//! Ko rights.

use crate::{Board, Colour, Point};

/// The side that may take a ko. Reading with a master has no ko bans: the other side never takes a
/// ko, because the master would retake it at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kos {
    /// The attacker may take every ko, the defender none.
    Attacker,
    /// The defender may take every ko, the attacker none.
    Defender,
    /// Both sides may, except at the point that simple ko forbids on the board.
    Both,
}

impl Kos {
    /// Returns whether the attacker (or else the defender) may take a ko.
    pub fn may_take(self, is_attacker: bool) -> bool {
        match self {
            Kos::Attacker => is_attacker,
            Kos::Defender => !is_attacker,
            Kos::Both => true,
        }
    }

    /// Returns whether `colour` may play at `point`, when `defender` is the target's colour.
    pub fn may_play(self, board: &Board, point: Point, colour: Colour, defender: Colour) -> bool {
        if self == Kos::Both {
            return board.is_legal(point, colour);
        }
        board.is_empty(point)
            && !board.is_suicide(point, colour)
            && (self.may_take(colour != defender) || !board.is_ko_capture(point, colour))
    }
}
