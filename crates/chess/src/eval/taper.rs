//! Interpolation between middlegame and endgame.

use cozy_chess::{Board, Piece};

/// The phase of a position with all pieces; with only kings and pawns the phase is 0. A queen
/// counts 4, a rook 2, a bishop or knight 1.
pub const PHASES: i32 = 24;

/// The phase of a board, from 0 (endgame) to [`PHASES`] (middlegame).
#[inline]
pub(super) fn phase(board: &Board) -> i32 {
    let number_of = |piece| board.pieces(piece).len() as i32;
    let small = number_of(Piece::Knight) + number_of(Piece::Bishop);
    let phase = 4 * number_of(Piece::Queen) + 2 * number_of(Piece::Rook) + small;
    phase.min(PHASES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::eval::PackedScore;

    #[test]
    fn the_phase_falls_with_the_pieces() {
        for (fen, expected) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                24,
            ),
            (
                "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                20,
            ),
            ("1nb1k1n1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", 15),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 0),
            ("QQQQQQQQ/8/8/8/8/7k/8/7K b - - 0 1", 24),
        ] {
            let board = Board::from_fen(fen, false).unwrap();
            assert_eq!(phase(&board), expected, "{fen}");
        }
    }

    #[test]
    fn values_of_both_sides_are_opposite() {
        let (one, other) = (PackedScore::new(101, 40), PackedScore::new(-101, -40));
        for parts in 0..=PHASES {
            let value = one.tapered(PHASES, || parts);
            assert_eq!(value, (101 * parts + 40 * (PHASES - parts)) / PHASES);
            assert_eq!(value, -other.tapered(PHASES, || parts));
        }
    }
}
