//! Attacked enemy pieces, once for each attacker.

use super::View;
use super::army::number;
use super::zones::{ahead, left, right};
use crate::eval::Threats;
use crate::sets::squares_of;
use crate::{Kind, Xiangqi};

#[inline]
pub(in crate::eval) fn count(view: &View) -> Threats {
    let (us, them) = (view.us, view.them);
    let mut attackers = Counts::of(us.officer_attacks());
    let mut attack = |attacks: u128| {
        if attacks & them.all != 0 {
            attackers.add(attacks);
        }
    };
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
    let on = |pieces| attackers.on(pieces);
    let placed = |kind| view.position.placed(them.side, kind);
    Threats {
        king: on(them.king.bit()),
        rook: on(placed(Kind::Rook)),
        horse: on(placed(Kind::Horse)),
        cannon: on(placed(Kind::Cannon)),
        pawn: on(them.pawns),
        advisor: on(them.advisors),
        elephant: on(them.elephants),
    }
}

/// A number from 0 to 15 for each square, stored by binary digit, so that no loop over squares is
/// needed.
struct Counts([u128; 4]);

impl Counts {
    /// The number of sets that contain each square.
    #[inline]
    fn of([some, others]: [[u128; 3]; 2]) -> Self {
        // The digits of the number of sets that contain a square.
        let add = |[a, b, c]: [u128; 3]| (a ^ b ^ c, a & b | (a ^ b) & c);
        let (one, twos) = add(some);
        let (other, more_twos) = add(others);
        let (twos, fours) = add([twos, more_twos, one & other]);
        Self([one ^ other, twos, fours, 0])
    }

    /// Adds one on the squares of `set`.
    #[inline]
    fn add(&mut self, set: u128) {
        let mut carry = set;
        for digit in &mut self.0 {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// The sum of the numbers of some squares.
    #[inline]
    fn on(&self, squares: u128) -> i32 {
        let [ones, twos, fours, eights] = self.0;
        let on = |digit: u128| number(squares & digit);
        // Eight attackers of one square do not occur in games.
        let rest = if squares & eights == 0 {
            0
        } else {
            8 * on(eights)
        };
        on(ones) + 2 * on(twos) + 4 * on(fours) + rest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sets_are_counted_square_by_square(
            six: [[u128; 3]; 2],
            more in prop::collection::vec(any::<u128>(), 0..9),
            squares: u128,
        ) {
            let mut counts = Counts::of(six);
            for &set in &more {
                counts.add(set);
            }
            let sets = six.as_flattened().iter().chain(&more);
            prop_assert_eq!(counts.on(squares), sets.map(|set| number(set & squares)).sum::<i32>());
        }
    }
}
