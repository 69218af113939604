//! Threats to the own king.

use super::View;
use super::army::number;
use crate::eval::KingSafety;

#[inline]
pub(in crate::eval) fn count(view: &View) -> KingSafety {
    let (us, them) = (view.us, view.them);
    let (rooks, horses, cannons) = (
        them.rooks.number(),
        them.horses.number(),
        them.cannons.number(),
    );
    let at_palace = |attacks: &u128| i32::from(attacks & view.zones.palace != 0);
    let officers: i32 = them
        .officer_attacks()
        .as_flattened()
        .iter()
        .map(at_palace)
        .sum();
    let attackers = officers + number(them.pawns & view.zones.pawns_at_palace);
    let rank = us.king.rank() as i32;
    let steps_out = rank.min(9 - rank);
    KingSafety {
        advisors_against_rooks: us.lost_advisors() * rooks,
        advisors_against_horses: us.lost_advisors() * horses,
        elephants_against_cannons: us.lost_elephants() * cannons,
        palace_attackers: attackers,
        palace_attacker_pairs: attackers * (attackers - 1) / 2,
        king_out: steps_out * (rooks + horses + cannons),
        rook_on_king_file: them.rooks.count(|rook| {
            rook.square.file() == us.king.file()
                && view.position.pieces_between(rook.square, us.king) <= 1
        }),
    }
}
