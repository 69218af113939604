//! Interpolation between middlegame and endgame.

use crate::{Kind, Xiangqi};
use leitai_game::eval::PackedScore;

/// The phase of a position with all rooks, horses and cannons; the phase is 0 without them. A rook
/// counts 2, a horse or cannon 1.
pub const PHASES: i32 = 16;

/// The phase of `position`, from 0 (endgame) to [`PHASES`] (middlegame).
#[inline]
pub(super) fn phase(position: &Xiangqi) -> i32 {
    let number_of = |kind| position.number_of(kind) as i32;
    let phase = 2 * number_of(Kind::Rook) + number_of(Kind::Horse) + number_of(Kind::Cannon);
    phase.min(PHASES)
}

/// The scores of the middlegame and of the endgame.
pub type Balance = PackedScore;

#[cfg(test)]
mod tests {
    use std::ops::{Add, Sub};

    use proptest::prelude::*;

    use super::*;
    use leitai_game::Position;

    proptest! {
        #[test]
        fn both_halves_come_back_from_sums(
            pairs in prop::collection::vec((-90_000_i32..90_000, -90_000_i32..90_000), 0..40),
            phase in 0..=PHASES,
        ) {
            let sum = |half: fn(&(i32, i32)) -> i32| pairs.iter().map(half).sum::<i32>();
            let (middle, end) = (sum(|pair| pair.0), sum(|pair| pair.1));
            let balances = pairs.iter().map(|&(middle, end)| Balance::new(middle, end));
            let balance = balances.clone().fold(Balance::default(), Add::add);
            prop_assert_eq!((balance.first(), balance.second()), (middle, end));
            let other = balances.fold(Balance::default(), Sub::sub);
            prop_assert_eq!((other.first(), other.second()), (-middle, -end));
            let exact = f64::from(middle) * f64::from(phase) / f64::from(PHASES)
                + f64::from(end) * f64::from(PHASES - phase) / f64::from(PHASES);
            let value = balance.tapered(PHASES, || phase);
            prop_assert_eq!(value, exact.trunc() as i32);
            prop_assert_eq!(other.tapered(PHASES, || phase), -value);
        }
    }

    #[test]
    fn the_phase_falls_with_the_pieces() {
        for (fen, expected) in [
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                16,
            ),
            (
                "rnbakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                15,
            ),
            (
                "1nbakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR w",
                12,
            ),
            ("3akab2/9/9/p1p1p1p1p/9/9/P1P1P1P1P/9/9/3AKAB2 w", 0),
        ] {
            assert_eq!(phase(&Xiangqi::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }
}
