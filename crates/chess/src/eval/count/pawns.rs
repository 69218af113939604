//! Pawn structure.

use super::Sink;
use super::army::{Army, attacks_down, attacks_up, beside, down, fill_down, fill_up, up};
use crate::eval::terms::term;

#[inline]
pub(super) fn count<S: Sink>(us: &Army, sink: &mut S) {
    const DOUBLED: usize = term("pawns", "doubled");
    const ISOLATED: usize = term("pawns", "isolated");
    const ISOLATED_OPEN: usize = term("pawns", "isolated_open");
    const BACKWARD: usize = term("pawns", "backward");
    const BACKWARD_OPEN: usize = term("pawns", "backward_open");
    const PHALANX: usize = term("pawns", "phalanx");
    const PROTECTED: usize = term("pawns", "protected");

    let (own, enemy) = (us.pawns.own, us.pawns.enemy);
    let mut add = |place: usize, pawns: u64| sink.add(place, pawns.count_ones() as i32);
    add(DOUBLED, own & fill_up(up(own)));
    let open = !fill_down(down(enemy));
    let isolated = own & !beside(fill_up(own) | fill_down(own));
    add(ISOLATED, isolated);
    add(ISOLATED_OPEN, isolated & open);
    // No own pawn on an adjacent file, level or behind, could protect the square in front of them.
    let lost = attacks_down(enemy) & !fill_up(attacks_up(own));
    let backward = own & down(lost) & !isolated;
    add(BACKWARD, backward);
    add(BACKWARD_OPEN, backward & open);
    for (first, pawns) in [
        (PHALANX, own & beside(own)),
        (PROTECTED, own & attacks_up(own)),
    ] {
        let mut pawns = pawns;
        while pawns != 0 {
            sink.add(first + rank(pawns.trailing_zeros()), 1);
            pawns &= pawns - 1;
        }
    }
}

/// The index of a pawn's rank, from rank 2 to rank 7.
#[inline]
pub(super) const fn rank(square: u32) -> usize {
    let rank = square as usize / 8;
    if rank == 0 {
        0
    } else if rank > 6 {
        5
    } else {
        rank - 1
    }
}
