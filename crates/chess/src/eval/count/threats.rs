//! Attacked enemy pieces.

use cozy_chess::{BitBoard, Piece, Rank};

use super::army::{absolute, attacks_up, relative, up};
use super::{Sink, View};
use crate::eval::terms::term;

#[inline]
pub(super) fn count<S: Sink>(view: &View, sink: &mut S) {
    const PAWN_MINOR: usize = term("threats", "pawn_minor");
    const PAWN_MAJOR: usize = term("threats", "pawn_major");
    const PUSH: usize = term("threats", "push");
    const MINOR_MINOR: usize = term("threats", "minor_minor");
    const MINOR_ROOK: usize = term("threats", "minor_rook");
    const MINOR_QUEEN: usize = term("threats", "minor_queen");
    const ROOK_MINOR: usize = term("threats", "rook_minor");
    const ROOK_QUEEN: usize = term("threats", "rook_queen");
    const HANGING: usize = term("threats", "hanging");
    const HANGING_PAWN: usize = term("threats", "hanging_pawn");
    const KING: usize = term("threats", "king");

    let View {
        us,
        them,
        reach,
        enemy_reach,
    } = view;
    let mut add = |place: usize, squares: BitBoard| sink.add(place, squares.len() as i32);
    let (minors, rooks, queens) = (
        them.minors(),
        them.kind(Piece::Rook),
        them.kind(Piece::Queen),
    );
    let pieces = minors | rooks | queens;
    add(PAWN_MINOR, us.pawn_attacks & minors);
    add(PAWN_MAJOR, us.pawn_attacks & (rooks | queens));
    add(PUSH, pushes(view) & pieces & !us.pawn_attacks);
    let loose = minors & !them.pawn_attacks;
    add(MINOR_MINOR, reach.minors() & loose);
    add(MINOR_ROOK, reach.minors() & rooks);
    add(MINOR_QUEEN, reach.minors() & queens);
    add(ROOK_MINOR, reach.kind(Piece::Rook) & loose);
    add(ROOK_QUEEN, reach.kind(Piece::Rook) & queens);
    add(HANGING, reach.all & pieces & !enemy_reach.all);
    add(
        HANGING_PAWN,
        reach.all & them.kind(Piece::Pawn) & !enemy_reach.all,
    );
    add(KING, reach.kind(Piece::King) & them.all & !enemy_reach.all);
}

/// The squares that pawns could attack after a step to a safe or protected square.
#[inline]
fn pushes(view: &View) -> BitBoard {
    let View {
        us,
        them,
        reach,
        enemy_reach,
    } = view;
    let free = !relative(us.occupied, us.color);
    let once = up(us.pawns.own) & free;
    let third = Rank::Third.bitboard().0;
    let to = once | (up(once & third) & free);
    let safe = !them.pawn_attacks & (reach.all | !enemy_reach.all);
    absolute(attacks_up(to & relative(safe, us.color)), us.color)
}
