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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    #[test]
    fn gains_weigh_the_attacker_only_where_the_victim_is_protected() {
        // A rook that can take a bare horse, a horse that a rook protects, a
        // pawn at home and one beyond the river.
        for (fen, mv, gain) in [
            ("3k5/9/9/2n6/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 4),
            ("3k5/9/9/2n5r/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 4 - 10),
            ("3k5/9/9/2p6/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 1),
            ("3k5/9/9/9/2R6/9/2p6/9/9/4K4 w - - 0 1", "c5c3", 2),
            ("3k5/9/9/9/2R5r/2r6/9/9/9/4K4 w - - 0 1", "c5c4", 10),
        ] {
            let position = Xiangqi::from_fen(fen).unwrap();
            let mv = position.parse_move(mv).unwrap();
            assert!(position.is_capture(mv));
            assert_eq!(position.static_gain(mv), gain, "{fen}");
        }
    }

    #[test]
    fn slots_and_ranks_fit_the_moves() {
        let position = Xiangqi::initial();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        assert!(moves.is_sorted_by_key(|&mv| position.piece_rank(mv)));
        let mut slots: Vec<usize> = moves.iter().map(|&mv| position.history_slot(mv)).collect();
        assert!(slots.iter().all(|&slot| slot < Xiangqi::HISTORY_SLOTS));
        slots.sort_unstable();
        slots.dedup();
        // The elephants meet on e2, the horses do not; the advisors on e1.
        assert!(slots.len() < moves.len());
        // Nonsense is harmless.
        assert_eq!(position.history_slot(Move(u16::MAX)), 0);
        assert!(!position.is_capture(Move(u16::MAX)));
        assert_eq!(position.static_gain(Move(u16::MAX)), 0);
        assert_eq!(position.piece_rank(Move(u16::MAX)), u8::MAX);
    }
}
