//! Which positions a static evaluation can judge.

use crate::card::AnyPosition;
use crate::eval::mate_plies;
use crate::game::Move;

/// Why a position is left out, or that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quietness {
    /// A static evaluation can judge it.
    Quiet,
    /// The side to move is in check.
    Check,
    /// A capture was played, or wins material if both sides then take on its
    /// square as long as it pays.
    Capture,
    /// The mover saw a mate: nothing that material could tell.
    Mate,
}

/// What the position is in which `mv` was played by a mover that gave it
/// `score`.
pub(super) fn quietness(position: &dyn AnyPosition, mv: Move, score: Option<i16>) -> Quietness {
    if position.in_check() {
        return Quietness::Check;
    }
    if score.is_some_and(|score| mate_plies(i32::from(score)).is_some()) {
        return Quietness::Mate;
    }
    if position.is_unsettled(mv) {
        return Quietness::Capture;
    }
    Quietness::Quiet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_checks_and_mates_are_not_quiet() {
        for (fen, mv, score, expected) in [
            // A bare horse can be taken; a protected one cannot.
            (
                "3k5/9/9/2n6/9/2R6/9/9/9/4K4 w",
                "c4d4",
                None,
                Quietness::Capture,
            ),
            (
                "3k5/9/9/2n5r/9/2R6/9/9/9/4K4 w",
                "c4d4",
                None,
                Quietness::Quiet,
            ),
            // An even exchange was played.
            (
                "4k4/9/9/2r5r/9/2R6/9/9/9/3K5 w",
                "c4c6",
                None,
                Quietness::Capture,
            ),
            (
                "4k4/9/9/2r5r/9/2R6/9/9/9/3K5 w",
                "c4a4",
                None,
                Quietness::Quiet,
            ),
            // Black is in check.
            (
                "3k5/9/9/9/9/3R5/9/9/9/5K3 b",
                "d9e9",
                None,
                Quietness::Check,
            ),
            (
                "5k3/9/9/9/9/3R5/9/9/9/4K4 b",
                "f9f8",
                Some(20),
                Quietness::Quiet,
            ),
            (
                "5k3/9/9/9/9/3R5/9/9/9/4K4 b",
                "f9f8",
                Some(-9990),
                Quietness::Mate,
            ),
        ] {
            let position = crate::games::xiangqi::card().read(fen).unwrap();
            let mv = position.parse_move(mv).unwrap();
            assert_eq!(quietness(&*position, mv, score), expected, "{fen}");
        }
    }
}
