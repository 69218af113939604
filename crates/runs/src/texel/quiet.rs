//! The positions that a static evaluation can judge.

use leitai_game::Move;
use leitai_game::card::AnyPosition;
use leitai_game::eval::mate_plies;

/// Quiet, or the reason for leaving a position out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quietness {
    /// A static evaluation can judge it.
    Quiet,
    /// The side to move is in check.
    Check,
    /// The move captures, or a capture wins material in an exchange on its square.
    Capture,
    /// The mover's search found a mate, which material does not show.
    Mate,
}

/// Returns the quietness of a position in which `mv` was played, if known, by a mover with this
/// `score`.
pub(super) fn quietness(
    position: &dyn AnyPosition,
    mv: Option<Move>,
    score: Option<i16>,
) -> Quietness {
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
            // An unprotected horse can be taken; a protected one cannot.
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
            // The move is an even exchange.
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
            let position = leitai_xiangqi::card().read(fen).unwrap();
            let mv = position.parse_move(mv).unwrap();
            assert_eq!(quietness(&*position, Some(mv), score), expected, "{fen}");
        }
    }
}
