//! Legal moves.
//!
//! What can make a move illegal is found once per position: pieces that
//! shield their king (`pinned`), empty squares that would become the single
//! screen of an enemy cannon (`forbidden`). Moves from the first or to the
//! second are tested one by one, as are all moves out of check and those of
//! the king; every other move is legal as it stands.

use super::attacks;
use super::board::{Xiangqi, decode, encode};
use super::kind::Kind;
use super::square::{Square, squares};
use super::tables::{BETWEEN, CROSS, PAWN};
use crate::game::{Move, MoveList, Side};

/// Which moves need a test of their own.
struct Danger {
    /// Moves from these squares.
    pinned: u128,
    /// Moves to these squares.
    forbidden: u128,
}

/// The order in which the pieces are asked for their moves.
const ORDER: [Kind; 6] = [
    Kind::Rook,
    Kind::Cannon,
    Kind::Horse,
    Kind::Pawn,
    Kind::Advisor,
    Kind::Elephant,
];

impl Xiangqi {
    fn danger(&self) -> Danger {
        let us = self.to_move;
        if self.checked {
            return Danger {
                pinned: u128::MAX,
                forbidden: u128::MAX,
            };
        }
        let king = self.kings[us.index()];
        let (ours, theirs) = (self.sides[us.index()], self.sides[us.other().index()]);
        let occupied = self.occupied.by_rank;
        let cannons = self.kinds[Kind::Cannon.index()];
        let mut danger = Danger {
            pinned: 0,
            forbidden: 0,
        };
        let sliders = cannons | self.kinds[Kind::Rook.index()] | self.kinds[Kind::King.index()];
        for slider in squares(sliders & theirs & CROSS[king.index()]) {
            let between = BETWEEN[king.index()][slider.index()];
            let screens = between & occupied;
            if cannons & slider.bit() == 0 {
                if screens & (screens.wrapping_sub(1)) == 0 {
                    danger.pinned |= screens & ours;
                }
            } else if screens == 0 {
                danger.forbidden |= between;
            } else if screens.count_ones() == 2 {
                danger.pinned |= screens & ours;
            }
        }
        // A horse that would give check but for its leg.
        let horses = attacks::horse_to(king, attacks::Occupancy::default())
            & self.kinds[Kind::Horse.index()]
            & theirs;
        for horse in squares(horses) {
            danger.pinned |= leg(horse, king).bit() & ours;
        }
        danger
    }

    /// Where the piece on `from` can go by its way of moving.
    #[inline]
    pub(super) fn targets(&self, kind: Kind, from: Square, us: Side) -> u128 {
        let ours = self.sides[us.index()];
        let reached = match kind {
            Kind::Rook => attacks::rook(from, self.occupied),
            Kind::Cannon => {
                (attacks::rook(from, self.occupied) & !self.occupied.by_rank)
                    | attacks::cannon_capture(from, self.occupied)
            }
            Kind::Horse => attacks::horse(from, self.occupied),
            Kind::Pawn => PAWN[us.index()][from.index()],
            Kind::Advisor => attacks::advisor(from),
            Kind::Elephant => attacks::elephant(from, self.occupied),
            Kind::King => attacks::king(from),
        };
        reached & !ours
    }

    /// Whether a move that the piece can make leaves its own king safe.
    #[inline]
    pub(super) fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let us = self.to_move;
        let king = if self.kings[us.index()] == from {
            to
        } else {
            self.kings[us.index()]
        };
        let occupied = self.occupied.after(from, to);
        self.king_attackers(king, us.other(), occupied, to.bit()) == 0
    }

    /// Calls `visit` with every origin and its set of legal targets within
    /// `within`; the set may be empty.
    #[inline]
    fn visit_moves(&self, within: u128, mut visit: impl FnMut(Square, u128)) {
        let us = self.to_move;
        let danger = self.danger();
        for kind in ORDER {
            for from in squares(self.set(us, kind)) {
                let targets = self.targets(kind, from, us) & within;
                let doubtful = if danger.pinned & from.bit() == 0 {
                    targets & danger.forbidden
                } else {
                    targets
                };
                visit(
                    from,
                    if doubtful == 0 {
                        targets
                    } else {
                        self.safe(from, targets, doubtful)
                    },
                );
            }
        }
        let king = self.kings[us.index()];
        let targets = self.targets(Kind::King, king, us) & within;
        visit(king, self.safe(king, targets, targets));
    }

    /// `targets` without those of `doubtful` that would expose the king.
    fn safe(&self, from: Square, targets: u128, doubtful: u128) -> u128 {
        squares(doubtful)
            .filter(|&to| !self.leaves_king_safe(from, to))
            .fold(targets, |left, to| left & !to.bit())
    }

    pub(super) fn generate(&self, within: u128, moves: &mut MoveList) {
        self.visit_moves(within, |from, targets| {
            moves.extend(squares(targets).map(|to| encode(from, to)));
        });
    }

    pub(super) fn count(&self) -> usize {
        let mut count = 0;
        self.visit_moves(u128::MAX, |_, targets| {
            count += targets.count_ones() as usize
        });
        count
    }

    pub(super) fn is_legal_move(&self, mv: Move) -> bool {
        let Some((from, to)) = Self::squares_of(mv) else {
            return false;
        };
        self.piece_at(from).is_some_and(|piece| {
            piece.side == self.to_move
                && self.targets(piece.kind, from, piece.side) & to.bit() != 0
                && self.leaves_king_safe(from, to)
        })
    }

    /// Whether a capture on the target of the capture `mv` could be answered
    /// by taking back, pins left out of account.
    pub(super) fn is_protected_against(&self, mv: Move) -> bool {
        let (from, to) = decode(mv);
        self.recapturers(self.to_move.other(), from, to) != 0
    }

    /// The pieces of `by` that could take back on `to` once a piece of the
    /// other side has captured there, coming from `from`, pins left out of
    /// account.
    pub(super) fn recapturers(&self, by: Side, from: Square, to: Square) -> u128 {
        let occupied = self.occupied.after(from, to);
        let kings = attacks::king(to) & self.kinds[Kind::King.index()];
        let advisors = attacks::advisor(to) & self.kinds[Kind::Advisor.index()];
        let elephants = attacks::elephant(to, occupied) & self.kinds[Kind::Elephant.index()];
        let rooks = attacks::rook(to, occupied) & self.kinds[Kind::Rook.index()];
        let cannons = attacks::cannon_capture(to, occupied) & self.kinds[Kind::Cannon.index()];
        let horses = attacks::horse_to(to, occupied) & self.kinds[Kind::Horse.index()];
        let pawns = attacks::pawn_to(by, to) & self.kinds[Kind::Pawn.index()];
        let all = kings | advisors | elephants | rooks | cannons | horses | pawns;
        all & self.sides[by.index()] & !to.bit()
    }
}

/// The leg of a horse that attacks `king`: the orthogonal neighbour of the
/// horse in the long direction.
pub(super) fn leg(horse: Square, king: Square) -> Square {
    let (hf, hr) = (horse.file() as i32, horse.rank() as i32);
    let (df, dr) = (king.file() as i32 - hf, king.rank() as i32 - hr);
    // The half of (2, 1) rounded towards zero is the step (1, 0).
    Square::at(hf + df / 2, hr + dr / 2).unwrap_or(horse)
}
