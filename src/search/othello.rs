//! What the search wants to know about a move of Othello.

use super::Tactics;
use crate::game::Move;
use crate::game::othello::{Othello, PASS, SQUARE_CLASS};

/// Rank of each square class (a1 b1 c1 d1 b2 c2 d2 c3 d3 d4) in the order in
/// which plain move ordering tries the squares. Othello has one kind of piece,
/// so the kind of square takes its place: corners, the edge away from them,
/// the box around the centre, the row next to the edge, and last the squares
/// that offer a corner, C (b1) before X (b2).
const CLASS_RANK: [u8; 10] = [0, 8, 1, 2, 9, 6, 7, 3, 4, 5];

impl Tactics for Othello {
    /// One per square, one for the pass.
    const HISTORY_SLOTS: usize = 65;

    fn history_slot(&self, mv: Move) -> usize {
        usize::from(mv.0.min(PASS.0))
    }

    /// Every move turns discs, so none stands out as a capture.
    fn is_capture(&self, _mv: Move) -> bool {
        false
    }

    fn piece_rank(&self, mv: Move) -> u8 {
        SQUARE_CLASS
            .get(usize::from(mv.0))
            .map_or(0, |&class| CLASS_RANK[class])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    #[test]
    fn corners_come_first_and_x_squares_last() {
        let position = Othello::initial();
        let mut squares: Vec<u16> = (0..64).collect();
        squares.sort_by_key(|&square| position.piece_rank(Move(square)));
        assert_eq!(squares[..4], [0, 7, 56, 63]);
        assert_eq!(squares[60..], [9, 14, 49, 54]);
        assert_eq!(position.piece_rank(PASS), 0);
    }

    #[test]
    fn history_slots_are_distinct_and_in_range() {
        let position = Othello::initial();
        let slots: Vec<usize> = (0..=64).map(|mv| position.history_slot(Move(mv))).collect();
        assert_eq!(slots, (0..Othello::HISTORY_SLOTS).collect::<Vec<_>>());
    }
}
