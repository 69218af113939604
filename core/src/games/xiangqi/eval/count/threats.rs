//! Enemy pieces that are attacked, once for each attacker.

use super::View;
use super::zones::{ahead, left, right};
use crate::games::xiangqi::eval::Threats;
use crate::games::xiangqi::sets::squares_of;
use crate::games::xiangqi::{Kind, Xiangqi};

#[inline]
pub(in crate::games::xiangqi::eval) fn count(view: &View) -> Threats {
    let (us, them) = (view.us, view.them);
    let mut threats = Threats::default();
    let mut attack = |attacks: u128| {
        for square in squares_of(attacks & them.all) {
            let Some(victim) = view.position.piece_at(square) else {
                continue;
            };
            *match victim.kind {
                Kind::King => &mut threats.king,
                Kind::Rook => &mut threats.rook,
                Kind::Horse => &mut threats.horse,
                Kind::Cannon => &mut threats.cannon,
                Kind::Pawn => &mut threats.pawn,
                Kind::Advisor => &mut threats.advisor,
                Kind::Elephant => &mut threats.elephant,
            } += 1;
        }
    };
    for officer in us.officers() {
        attack(officer.attacks);
    }
    // Pieces that share a direction never attack the same square.
    let across = us.pawns & view.zones.far_half;
    attack(ahead(us.side, us.pawns));
    attack(left(across));
    attack(right(across));
    for advisor in squares_of(us.advisors) {
        attack(Xiangqi::advisor_attacks(advisor));
    }
    for elephant in squares_of(us.elephants) {
        attack(view.position.elephant_attacks(elephant));
    }
    threats
}
