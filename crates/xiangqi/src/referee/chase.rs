//! Threats against a piece. Repeating one with every move is a chase.

use crate::attacks::Occupancy;
use crate::board::Xiangqi;
use crate::kind::Kind;
use crate::square::{Square, squares};
use crate::tables::RED_HALF;
use leitai_game::Side;

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
/// - It must win something: see [`is_threat`].
pub(super) fn threatened(position: &Xiangqi, by: Side, candidates: u128) -> u128 {
    let them = by.other();
    let half = [RED_HALF, !RED_HALF][them.index()];
    let exempt = position.set(them, Kind::King) | position.set(them, Kind::Pawn) & half;
    let prey = candidates & position.sides[them.index()] & !exempt;
    if prey == 0 {
        return 0;
    }
    let mut found = 0;
    for kind in CHASERS {
        for from in squares(position.set(by, kind)) {
            let targets = position.targets(kind, from, by) & prey & !found;
            for to in squares(targets) {
                let is_safe = is_safe_after(position, by, position.occupied.after(from, to), to);
                if is_safe && is_threat(position, by, kind, from, to) {
                    found |= to.bit();
                }
            }
        }
    }
    found
}

/// Returns whether a legal capture is a threat.
///
/// A lesser piece always threatens a greater one: horse or cannon a rook, advisor or elephant a
/// rook, horse or cannon. All other captures threaten only unprotected pieces, and a piece of the
/// attacker's own kind only if that piece could not legally capture the attacker: otherwise the
/// move offers an exchange.
fn is_threat(position: &Xiangqi, by: Side, kind: Kind, from: Square, to: Square) -> bool {
    use Kind::{Advisor, Cannon, Elephant, Horse, Rook};
    let Some(victim) = position.piece_at(to) else {
        return false;
    };
    match (kind, victim.kind) {
        (Horse | Cannon, Rook) | (Advisor | Elephant, Rook | Horse | Cannon) => true,
        (attacker, victim) => {
            let offers = attacker == victim && can_strike_back(position, by, kind, from, to);
            !offers && !is_protected(position, by, from, to)
        }
    }
}

/// Returns whether the piece on `to`, of the same kind as its attacker on `from`, could legally
/// capture that attacker first. A horse might be blocked, any piece pinned.
fn can_strike_back(position: &Xiangqi, by: Side, kind: Kind, from: Square, to: Square) -> bool {
    let them = by.other();
    let occupied = position.occupied.after(to, from);
    position.targets(kind, to, them) & from.bit() != 0
        && is_safe_after(position, them, occupied, from)
}

/// Returns whether the other side can legally recapture on the same square. A piece that would
/// expose its own king does not protect; one whose way is opened by the capture does.
fn is_protected(position: &Xiangqi, by: Side, from: Square, to: Square) -> bool {
    let them = by.other();
    let captured = position.occupied.after(from, to);
    squares(position.recapturers(them, from, to)).any(|guard| {
        let king = position.kings[them.index()];
        let king = if king == guard { to } else { king };
        // The board still has the captured attacker on `from`.
        position.king_attackers(king, by, captured.after(guard, to), from.bit()) == 0
    })
}

/// Returns whether the king of `side` is safe on its square, with the occupancy `occupied` and
/// without the enemy piece on `captured`.
fn is_safe_after(position: &Xiangqi, side: Side, occupied: Occupancy, captured: Square) -> bool {
    let king = position.kings[side.index()];
    position.king_attackers(king, side.other(), occupied, captured.bit()) == 0
}
