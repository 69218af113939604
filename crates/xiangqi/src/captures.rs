//! Captures and quiet moves for the search.

use super::board::Xiangqi;
use super::kind::Kind;
use leitai_game::{Move, MoveList, Side};

impl Xiangqi {
    /// Appends the legal captures, in the order of the generator of all legal moves.
    pub fn legal_captures(&self, moves: &mut MoveList) {
        self.generate(self.sides[self.to_move.other().index()], moves);
    }

    /// Appends the legal moves that do not capture, in the order of the generator of all legal
    /// moves.
    pub fn legal_quiets(&self, moves: &mut MoveList) {
        self.generate(!self.occupied.by_rank, moves);
    }

    /// Returns whether `side` has a rook, cannon or horse.
    pub fn has_strong_piece(&self, side: Side) -> bool {
        let strong = self.kinds[Kind::Rook.index()]
            | self.kinds[Kind::Cannon.index()]
            | self.kinds[Kind::Horse.index()];
        strong & self.sides[side.index()] != 0
    }

    /// Returns whether the other side could recapture after the legal capture `mv`, ignoring pins.
    pub fn can_take_back(&self, mv: Move) -> bool {
        self.is_protected_against(mv)
    }

    /// Returns whether a pawn of `side` on the rank `rank` (0 to 9) is across the river.
    pub const fn is_across(side: Side, rank: usize) -> bool {
        match side {
            Side::First => rank >= 5,
            Side::Second => rank < 5,
        }
    }
}
