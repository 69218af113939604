//! Passed pawns.

use cozy_chess::{Piece, Square};

use super::army::{attacks_up, beside, down, fill_up, relative, up};
use super::pawns::rank;
use super::{Sink, View};
use crate::eval::terms::term;

#[inline]
pub(super) fn count<S: Sink>(view: &View, sink: &mut S) {
    const RANK: usize = term("passed", "rank");
    const BLOCKED: usize = term("passed", "blocked");
    const FREE: usize = term("passed", "free");
    const CONNECTED: usize = term("passed", "connected");
    const OWN_KING: usize = term("passed", "own_king");
    const ENEMY_KING: usize = term("passed", "enemy_king");
    const RUNNER: usize = term("passed", "runner");

    let View {
        us,
        them,
        enemy_reach,
        ..
    } = view;
    let mut passed = us.pawns.passed();
    if passed == 0 {
        return;
    }
    let own = us.pawns.own;
    let connected = passed & (attacks_up(own) | beside(own));
    sink.add(CONNECTED, connected.count_ones() as i32);
    let enemy = relative(them.all, us.color);
    let occupied = relative(us.occupied, us.color);
    let attacked = relative(enemy_reach.all, us.color);
    let has_pieces = {
        let small = them.kind(Piece::Pawn) | them.kind(Piece::King);
        !(them.all & !small).is_empty()
    };
    let (own_king, enemy_king) = (us.king, them.king);
    while passed != 0 {
        let pawn = passed.trailing_zeros();
        let bit = passed & passed.wrapping_neg();
        passed &= passed - 1;
        let place = rank(pawn);
        sink.add(RANK + place, 1);
        let before = fill_up(up(bit));
        if bit & down(enemy) != 0 {
            sink.add(BLOCKED + place, 1);
        }
        if before & (occupied | attacked) == 0 {
            sink.add(FREE + place, 1);
        }
        let square = |index: u32| Square::index(index as usize & 63).relative_to(us.color);
        if place >= 2 {
            let stop = square(pawn + 8);
            let ranks = place as i32 - 1;
            sink.add(OWN_KING, ranks * steps(own_king, stop));
            sink.add(ENEMY_KING, ranks * steps(enemy_king, stop));
        }
        if !has_pieces && before & occupied == 0 {
            let goal = square(pawn % 8 + 56);
            // From rank 2 the pawn may start with two squares. The king may move first.
            let moves = (6 - place as i32).min(5);
            sink.add(RUNNER, i32::from(steps(enemy_king, goal) - 1 > moves));
        }
    }
}

/// Number of king moves from one square to the other.
#[inline]
fn steps(one: Square, other: Square) -> i32 {
    let files = (one.file() as i32 - other.file() as i32).abs();
    let ranks = (one.rank() as i32 - other.rank() as i32).abs();
    files.max(ranks)
}
