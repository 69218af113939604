//! What moves mean in Xiangqi.

use super::Tactics;
use crate::game::xiangqi::{Kind, Piece, Square, Xiangqi};
use crate::game::{Move, MoveList};

impl Tactics for Xiangqi {
    const HISTORY_SLOTS: usize = Piece::COUNT * Square::COUNT;

    #[inline]
    fn history_slot(&self, mv: Move) -> usize {
        Self::squares_of(mv)
            .and_then(|(from, to)| Some(self.piece_at(from)?.index() * Square::COUNT + to.index()))
            .unwrap_or(0)
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        Self::squares_of(mv).is_some_and(|(_, to)| self.piece_at(to).is_some())
    }

    #[inline]
    fn captures(&self, moves: &mut MoveList) {
        self.legal_captures(moves);
    }

    /// With fixed values: rook 10, cannon 5, horse 4, advisor and elephant 2,
    /// pawn 1 before and 2 beyond the river, king 100. They order moves and are
    /// no part of the evaluation, so that tuning one does not move the other.
    #[inline]
    fn static_gain(&self, mv: Move) -> i32 {
        let Some((from, to)) = Self::squares_of(mv) else {
            return 0;
        };
        let victim = worth_on(self, to);
        if self.can_take_back(mv) {
            victim - worth_on(self, from)
        } else {
            victim
        }
    }

    /// Rook, cannon, horse, pawn, advisor, elephant, king (Yue & Feng 2009,
    /// section 3.2).
    #[inline]
    fn piece_rank(&self, mv: Move) -> u8 {
        Self::squares_of(mv)
            .and_then(|(from, _)| self.piece_at(from))
            .map_or(u8::MAX, |piece| match piece.kind {
                Kind::Rook => 0,
                Kind::Cannon => 1,
                Kind::Horse => 2,
                Kind::Pawn => 3,
                Kind::Advisor => 4,
                Kind::Elephant => 5,
                Kind::King => 6,
            })
    }
}

#[inline]
fn worth_on(position: &Xiangqi, square: Square) -> i32 {
    position
        .piece_at(square)
        .map_or(0, |piece| match piece.kind {
            Kind::King => 100,
            Kind::Rook => 10,
            Kind::Cannon => 5,
            Kind::Horse => 4,
            Kind::Advisor | Kind::Elephant => 2,
            Kind::Pawn => 1 + i32::from(Xiangqi::is_across(piece.side, square.rank())),
        })
}
