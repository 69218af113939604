//! Properties of Othello moves for the search.

use super::endgame::Solver;
use crate::{Othello, PASS, SQUARE_CLASS};
use leitai_game::search::{EndgameSolver, OrderValues, Tactics};
use leitai_game::{Move, Position};

/// Rank of each square class (a1 b1 c1 d1 b2 c2 d2 c3 d3 d4) in plain move ordering. Othello has
/// one kind of piece, so the kind of square replaces it: corners, the edge away from them, the box
/// around the centre, the row next to the edge, and last the squares that offer a corner, C (b1)
/// before X (b2).
const CLASS_RANK: [u8; 10] = [0, 8, 1, 2, 9, 6, 7, 3, 4, 5];

/// The number of moves: the squares and the pass.
const MOVES: usize = PASS.0 as usize + 1;

impl Tactics for Othello {
    /// For each side, one per square and one for the pass.
    const HISTORY_SLOTS: usize = 2 * MOVES;
    /// A disc has no origin square.
    const FROM_TO_SLOTS: usize = Self::HISTORY_SLOTS;
    /// Every move except the pass fills a square, and two passes end the game.
    const EVERY_LINE_ENDS: bool = true;
    const HAS_RESPONSES: bool = true;

    const HAS_SOLVER: bool = true;

    fn solver(empties: u32) -> Option<Box<dyn EndgameSolver<Self>>> {
        Some(Box::new(Solver::new(Solver::megabytes_for(empties))))
    }

    fn empty_squares(&self) -> u32 {
        self.empties()
    }

    fn history_slot(&self, mv: Move) -> usize {
        self.side_to_move().index() * MOVES + usize::from(mv.0.min(PASS.0))
    }

    fn from_to_slot(&self, mv: Move) -> usize {
        self.history_slot(mv)
    }

    /// The corner next to the X- or C-square that the opponent has just taken.
    #[inline]
    fn response(&self, last: Move) -> Option<Move> {
        let square = last.0;
        let (file, row) = (square % 8, square / 8);
        let corner = |line: u16| if line < 4 { 0 } else { 7 };
        let (corner_file, corner_row) = (corner(file), corner(row));
        let is_beside = file.abs_diff(corner_file) <= 1 && row.abs_diff(corner_row) <= 1;
        let corner = 8 * corner_row + corner_file;
        (square < 64 && is_beside && square != corner).then_some(Move(corner))
    }

    #[inline]
    fn replies_after(&self, mv: Move) -> u32 {
        let mut after = *self;
        after.make(mv);
        after.mobility().count_ones()
    }

    #[inline]
    fn piece_rank(&self, mv: Move, _: &OrderValues) -> u8 {
        SQUARE_CLASS
            .get(usize::from(mv.0))
            .map_or(0, |&class| CLASS_RANK[class])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square_name;
    use leitai_game::MoveList;

    #[test]
    fn corners_come_first_and_x_squares_last() {
        let position = Othello::initial();
        let mut squares: Vec<u16> = (0..64).collect();
        squares.sort_by_key(|&square| position.piece_rank(Move(square), &OrderValues::NONE));
        assert_eq!(squares[..4], [0, 7, 56, 63]);
        assert_eq!(squares[60..], [9, 14, 49, 54]);
        assert_eq!(position.piece_rank(PASS, &OrderValues::NONE), 0);
    }

    #[test]
    fn a_corner_answers_the_three_squares_beside_it() {
        let position = Othello::initial();
        let beside = |corner: u16| -> Vec<String> {
            let answered = (0..=u16::MAX).map(Move);
            answered
                .filter(|&mv| position.response(mv) == Some(Move(corner)))
                .map(|mv| square_name(usize::from(mv.0)))
                .collect()
        };
        assert_eq!(beside(0), ["b1", "a2", "b2"]);
        // "If the opponent has played g2, play h1" (Du & Cheng 2007, section 4).
        assert_eq!(beside(7), ["g1", "g2", "h2"]);
        assert_eq!(beside(56), ["a7", "b7", "b8"]);
        assert_eq!(beside(63), ["g7", "h7", "g8"]);
        let answered = (0..=u16::MAX).filter(|&mv| position.response(Move(mv)).is_some());
        assert_eq!(answered.count(), 12);
    }

    #[test]
    fn replies_are_counted_as_squares() {
        let mut position = Othello::initial();
        // 1.d3 leaves White c3, e3 and c5.
        assert_eq!(
            position.replies_after(position.parse_move("d3").unwrap()),
            3
        );
        // Black flips the whole row; White has one disc left and no legal square.
        position = Othello::from_fen(&format!("-OX{} X", "-".repeat(61))).unwrap();
        assert_eq!(position.replies_after(Move(0)), 0);
    }

    #[test]
    fn history_slots_are_distinct_and_in_range() {
        let mut position = Othello::initial();
        let mut slots = Vec::new();
        for _ in 0..2 {
            slots.extend((0..=64).map(|mv| position.history_slot(Move(mv))));
            assert_eq!(
                position.history_slot(Move(u16::MAX)),
                slots[slots.len() - 1]
            );
            position.make_null();
        }
        assert_eq!(slots, (0..Othello::HISTORY_SLOTS).collect::<Vec<_>>());
    }

    #[test]
    fn a_game_without_captures_exchanges_nothing() {
        let position = Othello::initial();
        let (mut all, mut quiet, mut checks) = (MoveList::new(), MoveList::new(), MoveList::new());
        position.legal_moves(&mut all);
        position.quiets(&mut quiet);
        position.quiet_checks(&mut checks);
        assert_eq!(quiet, all);
        assert!(checks.is_empty() && !position.can_pass());
        let order = &OrderValues::NONE;
        for mv in all {
            assert_eq!(position.exchange(mv, order), 0);
            assert!(position.exchange_at_least(mv, 0, order));
            assert!(!position.exchange_at_least(mv, 1, order));
            assert_eq!(
                position.static_rank(mv, order),
                position.piece_rank(mv, order)
            );
            assert_eq!(position.from_to_slot(mv), position.history_slot(mv));
        }
    }
}
