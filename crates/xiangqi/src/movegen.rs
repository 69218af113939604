//! Legal moves.
//!
//! The reasons for illegal moves are found once per position ([`Guard`]). Individual tests are
//! needed only for moves of pieces that shield their king, for moves of the king, and for the few
//! candidates when in check; every other move is legal.

use super::attacks::{self, Occupancy};
use super::board::{Xiangqi, decode, encode};
use super::kind::Kind;
use super::square::{Square, squares};
use super::tables::{ADVISOR, BETWEEN, KING, PAWN};
use leitai_game::{Move, MoveList, Side};

/// Restrictions on the pieces other than the king, which keep their king safe.
struct Guard {
    /// Pieces whose moves need an individual test.
    tested: u128,
    /// Targets that are not certainly illegal; legal for pieces that are not tested.
    open: u128,
    /// Tested pieces that may leave the open squares.
    free: u128,
}

impl Xiangqi {
    #[inline]
    fn guard(&self) -> Guard {
        if self.checked {
            self.guard_in_check()
        } else {
            self.guard_out_of_check()
        }
    }

    #[inline]
    fn guard_out_of_check(&self) -> Guard {
        let us = self.to_move;
        let king = self.kings[us.index()];
        let theirs = self.sides[us.other().index()];
        let mut tested = 0;
        let mut open = u128::MAX;
        for ray in self.rays_to(king, theirs, self.occupied) {
            let screens = ray.screens.count_ones();
            let attacks_over = u32::from(ray.is_cannon);
            if screens < attacks_over {
                // Any piece that enters would be the cannon's screen.
                open &= !ray.between;
            } else if screens == attacks_over + 1 {
                // With one screen less it would be check.
                tested |= ray.screens;
            }
        }
        // A horse whose leg blocks its check.
        let horses = attacks::horse_to(king, attacks::Occupancy::default())
            & self.kinds[Kind::Horse.index()]
            & theirs;
        for horse in squares(horses) {
            tested |= leg(horse, king).bit();
        }
        Guard {
            tested,
            open,
            free: 0,
        }
    }

    /// A move that parries all checks parries that of the first attacker: it goes to the attacker's
    /// square, to one between, to a horse's leg, or is made by the screen of a cannon.
    #[cold]
    fn guard_in_check(&self) -> Guard {
        let us = self.to_move;
        let king = self.kings[us.index()];
        let attackers = self.king_attackers(king, us.other(), self.occupied, 0);
        let mut guard = Guard {
            tested: u128::MAX,
            open: u128::MAX,
            free: 0,
        };
        if let Some(attacker) = squares(attackers).next() {
            let between = BETWEEN[king.index()][attacker.index()];
            guard.open = attacker.bit() | between;
            guard.free = between & self.occupied.by_rank;
            if self.kinds[Kind::Horse.index()] & attacker.bit() != 0 {
                guard.open |= leg(attacker, king).bit();
            }
        }
        guard
    }

    /// The pseudo-legal targets of the piece on `from`.
    #[inline]
    pub(super) fn targets(&self, kind: Kind, from: Square, us: Side) -> u128 {
        let ours = self.sides[us.index()];
        let reached = match kind {
            Kind::Rook => attacks::rook(from, self.occupied),
            Kind::Cannon => attacks::cannon(from, self.occupied),
            Kind::Horse => attacks::horse(from, self.occupied),
            Kind::Pawn => PAWN[us.index()][from.index()],
            Kind::Advisor => attacks::advisor(from),
            Kind::Elephant => attacks::elephant(from, self.occupied),
            Kind::King => attacks::king(from),
        };
        reached & !ours
    }

    /// Returns whether a pseudo-legal move leaves its own king safe.
    #[inline]
    pub(super) fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let us = self.to_move;
        let king = if self.kings[us.index()] == from {
            to
        } else {
            self.kings[us.index()]
        };
        let theirs = self.sides[us.other().index()] & !to.bit();
        !self.attacks_king(king, us.other(), theirs, self.occupied.after(from, to))
    }

    /// Calls `visit` with every origin and its set of legal targets within `within`; the set may be
    /// empty.
    #[inline]
    pub(super) fn visit_moves(&self, within: u128, mut visit: impl FnMut(Square, u128)) {
        let us = self.to_move;
        let within = within & !self.sides[us.index()];
        let guard = self.guard();
        self.visit_pieces(|from, reached| {
            let targets = reached & within;
            let legal = if guard.tested & from.bit() == 0 {
                targets & guard.open
            } else if guard.free & from.bit() == 0 {
                self.safe(from, targets & guard.open)
            } else {
                self.safe(from, targets)
            };
            visit(from, legal);
        });
        let king = self.kings[us.index()];
        visit(king, self.safe(king, KING[king.index()] & within));
    }

    /// Calls `visit` with every piece except the king and its pseudo-legal targets, including own
    /// pieces.
    #[inline]
    fn visit_pieces(&self, mut visit: impl FnMut(Square, u128)) {
        let us = self.to_move;
        let occupied = self.occupied;
        for from in squares(self.set(us, Kind::Rook)) {
            visit(from, attacks::rook(from, occupied));
        }
        for from in squares(self.set(us, Kind::Cannon)) {
            visit(from, attacks::cannon(from, occupied));
        }
        for from in squares(self.set(us, Kind::Horse)) {
            visit(from, attacks::horse(from, occupied));
        }
        for from in squares(self.set(us, Kind::Pawn)) {
            visit(from, PAWN[us.index()][from.index()]);
        }
        for from in squares(self.set(us, Kind::Advisor)) {
            visit(from, ADVISOR[from.index()]);
        }
        for from in squares(self.set(us, Kind::Elephant)) {
            visit(from, attacks::elephant(from, occupied));
        }
    }

    /// The `targets` that leave the king safe.
    fn safe(&self, from: Square, targets: u128) -> u128 {
        squares(targets)
            .filter(|&to| self.leaves_king_safe(from, to))
            .fold(0, |safe, to| safe | to.bit())
    }

    pub(super) fn generate(&self, within: u128, moves: &mut MoveList) {
        self.visit_moves(within, |from, targets| {
            moves.extend(squares(targets).map(|to| encode(from, to)));
        });
    }

    pub(super) fn count(&self) -> usize {
        let mut count = 0;
        self.visit_moves(u128::MAX, |_, targets| {
            count += targets.count_ones() as usize;
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

    /// Returns whether the other side could recapture on the target of the capture `mv`, ignoring
    /// pins.
    pub(super) fn is_protected_against(&self, mv: Move) -> bool {
        let (from, to) = decode(mv);
        self.recapturers(self.to_move.other(), from, to) != 0
    }

    /// The pieces of `by` that could recapture on `to` after a capture by the other side from
    /// `from`, ignoring pins.
    pub(super) fn recapturers(&self, by: Side, from: Square, to: Square) -> u128 {
        self.capturers(by, to, self.occupied.after(from, to))
    }

    /// The pieces of `by` that could capture on `to` on a board with the pieces of `occupied`,
    /// ignoring pins.
    pub(super) fn capturers(&self, by: Side, to: Square, occupied: Occupancy) -> u128 {
        let kings = attacks::king(to) & self.kinds[Kind::King.index()];
        let advisors = attacks::advisor(to) & self.kinds[Kind::Advisor.index()];
        let elephants = attacks::elephant(to, occupied) & self.kinds[Kind::Elephant.index()];
        let rooks = attacks::rook(to, occupied) & self.kinds[Kind::Rook.index()];
        let cannons = attacks::cannon_capture(to, occupied) & self.kinds[Kind::Cannon.index()];
        let horses = attacks::horse_to(to, occupied) & self.kinds[Kind::Horse.index()];
        let pawns = attacks::pawn_to(by, to) & self.kinds[Kind::Pawn.index()];
        let all = kings | advisors | elephants | rooks | cannons | horses | pawns;
        all & self.sides[by.index()] & occupied.by_rank & !to.bit()
    }
}

/// The leg of a horse that attacks `king`: the orthogonal neighbour of the horse in the long
/// direction.
pub(super) fn leg(horse: Square, king: Square) -> Square {
    let (hf, hr) = (horse.file() as i32, horse.rank() as i32);
    let (df, dr) = (king.file() as i32 - hf, king.rank() as i32 - hr);
    // Half of (2, 1), rounded towards zero, is the step (1, 0).
    Square::at(hf + df / 2, hr + dr / 2).unwrap_or(horse)
}
