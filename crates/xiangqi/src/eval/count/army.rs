//! One side's pieces and their attacks.

use super::zones::{Zones, ahead, left, right};
use crate::sets::squares_of;
use crate::{Kind, Square, Xiangqi};
use leitai_game::Side;

/// A rook, horse or cannon.
pub(super) struct Officer {
    pub(super) square: Square,
    /// The attacked squares, including those of its own side's pieces. A cannon attacks only
    /// squares with a piece.
    pub(super) attacks: u128,
    /// Its safe targets: squares without a piece of its own side and without an attack by an enemy
    /// pawn.
    pub(super) safe: u128,
}

/// At most two pieces of a kind.
pub(super) struct Pair {
    pieces: [Officer; 2],
    number: usize,
}

impl Pair {
    /// The pieces on `set`. Missing pieces are placed on `anywhere` and attack nothing.
    #[inline]
    fn of(set: u128, anywhere: Square, mut officer: impl FnMut(Square) -> Officer) -> Self {
        let nobody = |square| Officer {
            square,
            attacks: 0,
            safe: 0,
        };
        let mut pair = Self {
            pieces: [nobody(anywhere), nobody(anywhere)],
            number: 0,
        };
        for (place, square) in pair.pieces.iter_mut().zip(squares_of(set)) {
            *place = officer(square);
            pair.number += 1;
        }
        pair
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Officer> {
        self.pieces.iter().take(self.number)
    }

    /// Two pieces; missing ones attack nothing.
    #[inline]
    pub(super) const fn places(&self) -> &[Officer; 2] {
        &self.pieces
    }

    #[inline]
    pub(super) const fn number(&self) -> i32 {
        self.number as i32
    }

    /// Both pieces, if there are two.
    #[inline]
    pub(super) fn both(&self) -> Option<(&Officer, &Officer)> {
        let [one, other] = &self.pieces;
        (self.number == 2).then_some((one, other))
    }

    /// The number of pieces for which `hold` is true.
    #[inline]
    pub(super) fn count(&self, hold: impl Fn(&Officer) -> bool) -> i32 {
        self.iter().map(|officer| i32::from(hold(officer))).sum()
    }

    #[inline]
    fn attacks(&self) -> u128 {
        let [one, other] = &self.pieces;
        one.attacks | other.attacks
    }
}

/// One side's pieces and their attacks.
pub(super) struct Army {
    pub(super) side: Side,
    pub(super) king: Square,
    pub(super) rooks: Pair,
    pub(super) horses: Pair,
    pub(super) cannons: Pair,
    pub(super) pawns: u128,
    pub(super) advisors: u128,
    pub(super) elephants: u128,
    /// Every piece.
    pub(super) all: u128,
    /// The attacks of all pieces except rooks and the king.
    pub(super) lesser_attacks: u128,
    /// The attacks of all pieces.
    pub(super) attacks: u128,
}

impl Army {
    #[inline]
    pub(super) fn of(position: &Xiangqi, side: Side) -> Self {
        let placed = |kind| position.placed(side, kind);
        let king = position.king(side);
        let all = position.army(side);
        let occupied = all | position.army(side.other());
        let closed = all | pawn_attacks(side.other(), position.placed(side.other(), Kind::Pawn));
        let rooks = Pair::of(placed(Kind::Rook), king, |square| {
            let attacks = position.rook_attacks(square);
            Officer {
                square,
                attacks,
                safe: attacks & !closed,
            }
        });
        let horses = Pair::of(placed(Kind::Horse), king, |square| {
            let attacks = position.horse_attacks(square);
            Officer {
                square,
                attacks,
                safe: attacks & !closed,
            }
        });
        let cannons = Pair::of(placed(Kind::Cannon), king, |square| {
            let reach = position.cannon_reach(square);
            Officer {
                square,
                attacks: reach & occupied,
                safe: reach & !closed,
            }
        });
        let (advisors, elephants) = (placed(Kind::Advisor), placed(Kind::Elephant));
        let pawns = placed(Kind::Pawn);
        let guard_attacks = squares_of(advisors)
            .map(Xiangqi::advisor_attacks)
            .chain(squares_of(elephants).map(|from| position.elephant_attacks(from)))
            .fold(0, |all, attacks| all | attacks);
        let lesser_attacks =
            horses.attacks() | cannons.attacks() | pawn_attacks(side, pawns) | guard_attacks;
        let attacks = lesser_attacks | rooks.attacks() | Xiangqi::king_attacks(king);
        Self {
            side,
            king,
            rooks,
            horses,
            cannons,
            pawns,
            advisors,
            elephants,
            all,
            lesser_attacks,
            attacks,
        }
    }

    /// The attacks of the first rook, horse and cannon, and of the second ones; missing pieces
    /// attack nothing.
    #[inline]
    pub(super) fn officer_attacks(&self) -> [[u128; 3]; 2] {
        let [rooks, horses, cannons] = [&self.rooks, &self.horses, &self.cannons];
        let attacks = |place: usize| {
            let of = |pair: &Pair| pair.pieces[place].attacks;
            [of(rooks), of(horses), of(cannons)]
        };
        [attacks(0), attacks(1)]
    }

    /// The number of lost advisors, of two.
    #[inline]
    pub(super) fn lost_advisors(&self) -> i32 {
        2 - number(self.advisors)
    }

    /// The number of lost elephants, of two.
    #[inline]
    pub(super) fn lost_elephants(&self) -> i32 {
        2 - number(self.elephants)
    }
}

/// The number of squares of a set.
#[inline]
pub(super) const fn number(set: u128) -> i32 {
    set.count_ones() as i32
}

/// The squares that pawns of `side` attack.
#[inline]
fn pawn_attacks(side: Side, pawns: u128) -> u128 {
    let across = pawns & Zones::OF[side.index()].far_half;
    ahead(side, pawns) | left(across) | right(across)
}
