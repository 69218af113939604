//! Enemy pieces that can be won.

use super::View;
use super::army::{Pair, number};
use crate::eval::Hanging;

#[inline]
pub(in crate::eval) fn count(view: &View) -> Hanging {
    let (us, them) = (view.us, view.them);
    let loose = us.attacks & !them.attacks;
    let on = |pieces: &Pair, set: u128| pieces.count(|piece| piece.square.bit() & set != 0);
    Hanging {
        rook: on(&them.rooks, us.lesser_attacks | loose),
        horse: on(&them.horses, loose),
        cannon: on(&them.cannons, loose),
        guard: number((them.advisors | them.elephants) & loose),
        pawn: number(them.pawns & loose),
    }
}
