//! Detects moves that give check without playing them.

use super::attacks;
use super::board::{Xiangqi, encode};
use super::kind::Kind;
use super::square::{Square, squares};
use super::tables::{BETWEEN, CROSS, LINES_AND_LEGS};
use leitai_game::{Move, MoveList};

impl Xiangqi {
    /// Returns whether the legal move `mv` gives check, with the piece that moves or with one
    /// behind it.
    #[inline]
    pub fn is_check(&self, mv: Move) -> bool {
        Self::squares_of(mv).is_some_and(|(from, to)| {
            self.piece_at(from)
                .is_some_and(|piece| self.checks_by(piece.kind, from, to))
        })
    }

    /// Appends the legal moves that give check without a capture, in the order of the generator of
    /// all legal moves.
    pub fn legal_quiet_checks(&self, moves: &mut MoveList) {
        let king = self.kings[self.to_move.other().index()];
        let switches = LINES_AND_LEGS[king.index()];
        // Rooks, cannons and pawns check from a rank or file of the king, so a piece that changes
        // none of its lines can only be a horse.
        let horses = attacks::horse_to(king, attacks::Occupancy::default());
        self.visit_moves(!self.occupied.by_rank, |from, targets| {
            let Some(piece) = self.piece_at(from) else {
                return;
            };
            let near = if switches & from.bit() != 0 {
                targets
            } else {
                targets & (switches | horses)
            };
            moves.extend(
                squares(near)
                    .filter(|&to| self.checks_by(piece.kind, from, to))
                    .map(|to| encode(from, to)),
            );
        });
    }

    #[inline]
    fn checks_by(&self, kind: Kind, from: Square, to: Square) -> bool {
        let us = self.to_move;
        let king = self.kings[us.other().index()];
        let occupied = self.occupied.after(from, to);
        let screens = || {
            let on_line = CROSS[king.index()] & to.bit() != 0;
            let between = BETWEEN[king.index()][to.index()] & occupied.by_rank;
            on_line.then(|| between.count_ones())
        };
        let direct = match kind {
            Kind::Rook => screens() == Some(0),
            Kind::Cannon => screens() == Some(1),
            Kind::Horse => attacks::horse_to(king, occupied) & to.bit() != 0,
            Kind::Pawn => attacks::pawn_to(us, king) & to.bit() != 0,
            Kind::King | Kind::Advisor | Kind::Elephant => false,
        };
        // The king is not attacked now. The other pieces attack it afterwards only if the move
        // changes the pieces between.
        direct
            || LINES_AND_LEGS[king.index()] & (from.bit() | to.bit()) != 0 && {
                let others = self.sides[us.index()] & !from.bit();
                self.attacks_king(king, us, others, occupied)
            }
    }
}
