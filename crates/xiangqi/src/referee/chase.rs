//! Threats against a piece. Repeating one with every move is a chase.

use leitai_game::{Move, Side};

use super::mate_threat;
use super::rule_book::Gain;
use crate::attacks::Occupancy;
use crate::board::{Xiangqi, decode, encode};
use crate::kind::Kind;
use crate::square::{Square, squares};
use crate::tables::RED_HALF;

/// Kinds whose threats count; kings and pawns may threaten anything.
const CHASERS: [Kind; 5] = [
    Kind::Rook,
    Kind::Cannon,
    Kind::Horse,
    Kind::Advisor,
    Kind::Elephant,
];

/// Returns the squares of `candidates` on which `by` threatens a piece of the other side, as if
/// `by` were to move.
///
/// - The threatened piece is neither a king nor a pawn that has not crossed the river.
/// - The capture must be legal; so a pinned attacker threatens at most the piece that pins it.
///   Where `by` is in check, the capture need not parry it.
/// - It must win something: see [`Capture::is_threat`].
pub(super) fn threatened(position: &Xiangqi, by: Side, candidates: u128, gain: Gain) -> u128 {
    let mut found = 0;
    visit_captures(position, by, candidates, |capture| {
        if found & capture.to.bit() == 0 && capture.is_threat(gain) {
            found |= capture.to.bit();
        }
    });
    found
}

/// Returns the squares of `candidates` that a piece attacks after the move `mv` from `before` to
/// `after`, and did not attack before.
pub(super) fn attacked_anew(before: &Xiangqi, mv: Move, after: &Xiangqi, candidates: u128) -> u128 {
    let by = before.to_move;
    let (from, to) = decode(mv);
    let mut old = [0; 90];
    visit_captures(before, by, candidates, |capture| {
        let now = if capture.from == from {
            to
        } else {
            capture.from
        };
        old[now.index()] |= capture.to.bit();
    });
    let mut found = 0;
    visit_captures(after, by, candidates, |capture| {
        found |= capture.to.bit() & !old[capture.from.index()];
    });
    found
}

/// Calls `visit` with every capture on `candidates` that adds no check and can count as a threat: no
/// capture by a king or pawn, and none of a king or of a pawn that has not crossed the river.
fn visit_captures(position: &Xiangqi, by: Side, candidates: u128, mut visit: impl FnMut(&Capture)) {
    let them = by.other();
    let exempt = position.set(them, Kind::King) | position.set(them, Kind::Pawn) & home_half(them);
    let prey = candidates & position.sides[them.index()] & !exempt;
    if prey == 0 {
        return;
    }
    let king = position.kings[by.index()];
    let checkers = position.king_attackers(king, them, position.occupied, 0);
    for kind in CHASERS {
        for from in squares(position.set(by, kind)) {
            for to in squares(position.targets(kind, from, by) & prey) {
                let capture = Capture {
                    position,
                    by,
                    kind,
                    from,
                    to,
                    checkers,
                };
                if capture.adds_no_check() {
                    visit(&capture);
                }
            }
        }
    }
}

/// The half of the board in which the pawns of `side` have not crossed the river.
fn home_half(side: Side) -> u128 {
    [RED_HALF, !RED_HALF][side.index()]
}

/// A capture of an enemy piece.
struct Capture<'a> {
    position: &'a Xiangqi,
    by: Side,
    kind: Kind,
    from: Square,
    to: Square,
    /// The pieces that give check to `by` before the capture.
    checkers: u128,
}

impl Capture<'_> {
    /// Returns whether the capture exposes the king to no further check.
    fn adds_no_check(&self) -> bool {
        let gone = self.checkers | self.to.bit();
        let occupied = self.position.occupied.after(self.from, self.to);
        self.is_safe(
            self.by,
            self.position.kings[self.by.index()],
            occupied,
            gone,
        )
    }

    /// Returns whether the legal capture is a threat.
    ///
    /// A piece threatens one of its own kind only if that piece could not legally capture it first:
    /// otherwise the move offers an exchange.
    fn is_threat(&self, gain: Gain) -> bool {
        let Some(victim) = self.position.piece_at(self.to) else {
            return false;
        };
        let offers = || self.kind == victim.kind && self.can_be_captured_by_victim();
        match gain {
            Gain::Protection(despite) => {
                despite(self.kind, victim.kind) || !offers() && !self.is_answered()
            }
            Gain::Exchange => !offers() && self.wins_material() && !self.is_mated_at_once(),
        }
    }

    /// Returns whether the victim, of the same kind as the attacker, could legally capture it
    /// first. A horse might be blocked, any piece pinned.
    fn can_be_captured_by_victim(&self) -> bool {
        let (position, them) = (self.position, self.by.other());
        let occupied = position.occupied.after(self.to, self.from);
        position.targets(self.kind, self.to, them) & self.from.bit() != 0
            && self.is_safe(
                them,
                position.kings[them.index()],
                occupied,
                self.from.bit(),
            )
    }

    /// Returns whether the other side can legally recapture on the same square. A piece that would
    /// expose its own king does not protect; one whose way is opened by the capture does.
    fn is_answered(&self) -> bool {
        let occupied = self.position.occupied.after(self.from, self.to);
        self.recapturers(self.by.other(), occupied, self.from.bit())
            .next()
            .is_some()
    }

    /// The pieces of `side` that can legally capture on the square. `gone` has the origins of the
    /// captures so far.
    fn recapturers(
        &self,
        side: Side,
        occupied: Occupancy,
        gone: u128,
    ) -> impl Iterator<Item = Square> {
        let gone = gone | self.to.bit();
        let of_side = self.position.capturers(side, self.to, occupied) & !gone;
        let checkers = if side == self.by { self.checkers } else { 0 };
        squares(of_side).filter(move |&guard| {
            let king = self.position.kings[side.index()];
            let king = if king == guard { self.to } else { king };
            let occupied = occupied.after(guard, self.to);
            self.is_safe(side, king, occupied, gone | checkers)
        })
    }

    /// Returns whether a king of `side` is safe on `king`, with the occupancy `occupied` and
    /// without the pieces on `gone`.
    fn is_safe(&self, side: Side, king: Square, occupied: Occupancy, gone: u128) -> bool {
        self.position
            .king_attackers(king, side.other(), occupied, gone)
            == 0
    }

    /// Returns whether the capture wins material if both sides then capture on the square as long
    /// as that pays.
    fn wins_material(&self) -> bool {
        let occupied = self.position.occupied.after(self.from, self.to);
        let answer = self.best_gain(self.by.other(), occupied, self.from.bit(), self.from);
        self.worth(self.to) > answer
    }

    /// The gain of `side` by the best captures on the square, where the piece from `standing` is
    /// now; 0 without any. `gone` has the origins of the captures so far.
    fn best_gain(&self, side: Side, occupied: Occupancy, gone: u128, standing: Square) -> i32 {
        let taken = self.worth(standing);
        let gains = self.recapturers(side, occupied, gone).map(|from| {
            let occupied = occupied.after(from, self.to);
            taken - self.best_gain(side.other(), occupied, gone | from.bit(), from)
        });
        gains.max().unwrap_or(0).max(0)
    }

    /// The value of the piece on a square: a rook is two horses or cannons, and each of these two
    /// advisors, elephants or pawns beyond the river.
    fn worth(&self, square: Square) -> i32 {
        let Some(piece) = self.position.piece_at(square) else {
            return 0;
        };
        match piece.kind {
            Kind::King => 1_000,
            Kind::Rook => 4,
            Kind::Horse | Kind::Cannon => 2,
            Kind::Advisor | Kind::Elephant => 1,
            Kind::Pawn => i32::from(home_half(piece.side) & square.bit() == 0),
        }
    }

    /// Returns whether the opponent mates with its next move after the capture. Always false in the
    /// position before the attacker's move: otherwise a move that only parries that mate would count
    /// as a new threat.
    fn is_mated_at_once(&self) -> bool {
        let mut position = self.position.clone();
        if position.checked || position.to_move == self.by {
            return false;
        }
        position.pass();
        position.make_move(encode(self.from, self.to));
        mate_threat::can_mate(&mut position, 1)
    }
}
