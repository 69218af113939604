//! Finds a possible history of a position: moves that lead there from the usual start.
//!
//! Discs are never removed, so only squares that are occupied in the end have to be tried, and
//! orders of moves that lead to the same position count once.

use std::collections::HashSet;

use super::{Othello, PASS};
use leitai_game::{Move, MoveList, Position, Side};

/// Maximum number of visited positions: about a tenth of a second.
const MAX: usize = 250_000;

/// The four corners, whose discs are never flipped.
const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;

/// Moves from the usual start to `target`, including passes; `None` if there are none, or the
/// search finds none among [`MAX`] positions.
pub(super) fn moves_to(target: &Othello) -> Option<Vec<Move>> {
    let mut search = Search {
        target: *target,
        taken: target.discs(Side::First) | target.discs(Side::Second),
        seen: HashSet::new(),
        moves: Vec::new(),
    };
    search.reaches(Othello::initial()).then_some(search.moves)
}

struct Search {
    target: Othello,
    taken: u64,
    /// Keys of positions that do not lead to the target, or are in progress.
    seen: HashSet<u64>,
    moves: Vec<Move>,
}

impl Search {
    /// Returns whether `position` leads to the target; records the moves if so.
    fn reaches(&mut self, position: Othello) -> bool {
        if position == self.target {
            return true;
        }
        let [black, white] = Side::BOTH.map(|side| position.discs(side));
        let turned_for_good = Side::BOTH
            .iter()
            .any(|&side| position.discs(side) & CORNERS & !self.target.discs(side) != 0);
        let is_hopeless = (black | white) & !self.taken != 0 || turned_for_good;
        if is_hopeless || self.seen.len() >= MAX || !self.seen.insert(position.key()) {
            return false;
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let is_square_of_target = mv == PASS || self.taken >> mv.0 & 1 != 0;
            if is_square_of_target {
                let mut next = position;
                next.make(mv);
                self.moves.push(mv);
                if self.reaches(next) {
                    return true;
                }
                self.moves.pop();
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read_transcript;
    use leitai_game::Line;

    fn leads_there(position: &Othello) -> bool {
        moves_to(position).is_some_and(|moves| {
            let mut line = Line::new(Othello::initial());
            for mv in moves {
                assert!(line.position().is_legal(mv));
                line.play(mv);
            }
            line.position() == position
        })
    }

    #[test]
    fn every_opening_of_the_house_is_reached_by_moves() {
        let text = include_str!("../../../openings/othello.txt");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut count = 0;
        for moves in lines.filter_map(|line| line.split_whitespace().next()) {
            let line = read_transcript(&Othello::initial(), moves).unwrap();
            assert!(leads_there(line.position()), "{moves}");
            count += 1;
        }
        assert_eq!(count, 300);
        assert_eq!(moves_to(&Othello::initial()), Some(Vec::new()));
    }

    #[test]
    fn unreachable_positions_are_reported() {
        // The number of discs played is even, but it is White's turn.
        let position = Othello::new(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, Side::Second);
        assert_eq!(moves_to(&position.unwrap()), None);
        let alone = Othello::new(1, 1 << 63, Side::First);
        assert_eq!(moves_to(&alone.unwrap()), None);
    }

    proptest! {
        /// The search found all of 20 random games at 16 plies, 11 of 20 at 20 plies, none at 28.
        #[test]
        fn positions_of_short_games_are_reached(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..=12),
        ) {
            let mut position = Othello::initial();
            for choice in choices {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                if !moves.is_empty() {
                    position.make(*choice.get(&moves));
                }
            }
            prop_assert!(leads_there(&position));
        }
    }
}
