//! What a search asks about captures and the moves that are none.

use super::board::Xiangqi;
use super::kind::Kind;
use leitai_game::{Move, MoveList, Side};

impl Xiangqi {
    /// Appends the legal captures, in the order in which the generator of all
    /// legal moves has them.
    pub fn legal_captures(&self, moves: &mut MoveList) {
        self.generate(self.sides[self.to_move.other().index()], moves);
    }

    /// Appends the legal moves that do not capture, in the order in which the
    /// generator of all legal moves has them.
    pub fn legal_quiets(&self, moves: &mut MoveList) {
        self.generate(!self.occupied.by_rank, moves);
    }

    /// Whether `side` has a rook, cannon or horse.
    pub fn has_strong_piece(&self, side: Side) -> bool {
        let strong = self.kinds[Kind::Rook.index()]
            | self.kinds[Kind::Cannon.index()]
            | self.kinds[Kind::Horse.index()];
        strong & self.sides[side.index()] != 0
    }

    /// Whether the other side could take back, pins left out of account, after
    /// the legal capture `mv`.
    pub fn can_take_back(&self, mv: Move) -> bool {
        self.is_protected_against(mv)
    }

    /// Whether a pawn of `side` on the rank `rank` (0 to 9) is across the
    /// river.
    pub const fn is_across(side: Side, rank: usize) -> bool {
        match side {
            Side::First => rank >= 5,
            Side::Second => rank < 5,
        }
    }
}
