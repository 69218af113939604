//! Properties of block capture moves for the search.

use crate::{Capture, Point};
use leitai_game::search::{OrderValues, Tactics};
use leitai_game::{Move, MoveList, Position};

/// The widest board.
const WIDEST: usize = 19;
/// The number of moves on the widest board: its points and the pass.
const MOVES: usize = WIDEST * WIDEST + 1;
/// The value of the target in move ordering, in stones: more than a board has.
const TARGET: i32 = 1000;

impl Tactics for Capture {
    const HAS_CAPTURES: bool = true;
    /// For each side, one per point of the widest board and one for the pass.
    const HISTORY_SLOTS: usize = 2 * MOVES;
    /// A stone has no origin square.
    const FROM_TO_SLOTS: usize = Self::HISTORY_SLOTS;

    fn history_slot(&self, mv: Move) -> usize {
        let place = self.point_of(mv).map_or(MOVES - 1, |point| {
            usize::from(point.row()) * WIDEST + usize::from(point.col())
        });
        self.side_to_move().index() * MOVES + place
    }

    fn from_to_slot(&self, mv: Move) -> usize {
        self.history_slot(mv)
    }

    fn is_capture(&self, mv: Move) -> bool {
        self.stones_taken_by(mv) > 0
    }

    fn captures(&self, moves: &mut MoveList) {
        select(self, moves, true);
    }

    fn quiets(&self, moves: &mut MoveList) {
        select(self, moves, false);
    }

    /// The number of captured stones; the target outweighs all others.
    fn static_gain(&self, mv: Move, _: &OrderValues) -> i32 {
        let stones = self.stones_taken_by(mv) as i32;
        if stones > 0 && takes_target(self, mv) {
            TARGET
        } else {
            stones
        }
    }

    /// As [`static_gain`](Tactics::static_gain): ignores recaptures.
    fn exchange(&self, mv: Move, order: &OrderValues) -> i32 {
        self.static_gain(mv, order)
    }

    fn exchange_at_least(&self, mv: Move, threshold: i32, order: &OrderValues) -> bool {
        self.static_gain(mv, order) >= threshold
    }

    fn victim_and_attacker(&self, mv: Move, order: &OrderValues) -> (i32, i32) {
        (self.static_gain(mv, order), 0)
    }

    /// Liberties of the target first, then by distance from it; the pass last.
    fn piece_rank(&self, mv: Move, _: &OrderValues) -> u8 {
        let Some(point) = self.point_of(mv) else {
            return u8::MAX;
        };
        if !self.is_taken() && self.board().liberties(self.target()).contains(point) {
            return 0;
        }
        let (one, other) = (point, self.target());
        let far = one.col().abs_diff(other.col()) + one.row().abs_diff(other.row());
        far.saturating_add(1)
    }
}

/// Appends the legal moves that take stones, or those that take none.
fn select(position: &Capture, moves: &mut MoveList, capturing: bool) {
    let mut all = MoveList::new();
    position.legal_moves(&mut all);
    moves.extend(
        all.into_iter()
            .filter(|&mv| position.is_capture(mv) == capturing),
    );
}

/// Returns whether a move that takes stones takes the target.
fn takes_target(position: &Capture, mv: Move) -> bool {
    let is_last = |point: Point| {
        let liberties = position.board().liberties(position.target());
        liberties.len() == 1 && liberties.contains(point)
    };
    position.colour_to_move() == position.attacker()
        && !position.is_taken()
        && position.point_of(mv).is_some_and(is_last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black to move takes two stones at A2, the target among them.
    const FEN: &str = "...../...../.XX../.OOX./.XX.. X B2 -";

    fn position(fen: &str) -> Capture {
        Capture::from_fen(fen).unwrap()
    }

    fn listed(list: impl Fn(&mut MoveList)) -> Vec<String> {
        let mut moves = MoveList::new();
        list(&mut moves);
        moves.into_iter().map(Capture::move_text).collect()
    }

    #[test]
    fn captures_and_quiets_are_all_moves() {
        let position = position(FEN);
        let captures = listed(|moves| position.captures(moves));
        assert_eq!(captures, ["A2"]);
        let quiets = listed(|moves| position.quiets(moves));
        let all = listed(|moves| position.legal_moves(moves));
        assert_eq!(quiets.len() + 1, all.len());
        assert!(!quiets.contains(&"A2".to_owned()));
        assert!(!position.can_pass());
    }

    #[test]
    fn the_target_is_worth_more_than_all_stones() {
        let position = position(FEN);
        let taking = position.parse_move("A2").unwrap();
        assert_eq!(position.static_gain(taking, &OrderValues::NONE), TARGET);
        assert!(position.exchange_at_least(taking, 400, &OrderValues::NONE));
        let other = position.parse_move("A1").unwrap();
        assert_eq!(
            (
                position.static_gain(other, &OrderValues::NONE),
                position.exchange(other, &OrderValues::NONE)
            ),
            (0, 0)
        );
        // The same stones with another target: the move takes two stones.
        let fen = FEN
            .replace("...../...../.XX", "....O/...../.XX")
            .replace("B2", "E5");
        let position = Capture::from_fen(&fen).unwrap();
        assert_eq!(position.static_gain(taking, &OrderValues::NONE), 2);
    }

    #[test]
    fn liberties_of_the_target_come_first_and_the_pass_last() {
        let mut position = position(FEN);
        let rank = |position: &Capture, text: &str| {
            position.piece_rank(position.parse_move(text).unwrap(), &OrderValues::NONE)
        };
        assert_eq!(rank(&position, "A2"), 0);
        assert!(rank(&position, "A3") < rank(&position, "E5"));
        position.make(position.parse_move("E5").unwrap());
        assert_eq!(rank(&position, "pass"), u8::MAX);
    }

    #[test]
    fn history_slots_are_distinct_and_in_range() {
        let start = Capture::from_fen(&format!(
            "{}/{} X A1 -",
            [".".repeat(19); 1].concat() + &format!("/{}", ".".repeat(19)).repeat(17),
            "O".to_owned() + &".".repeat(18)
        ));
        let mut position = start.unwrap();
        let mut slots = std::collections::HashSet::new();
        for _ in 0..2 {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            assert!(moves.len() >= 360);
            for mv in moves {
                let slot = position.history_slot(mv);
                assert!(slot < Capture::HISTORY_SLOTS);
                assert!(slots.insert(slot), "{}", Capture::move_text(mv));
                assert_eq!(position.from_to_slot(mv), slot);
            }
            assert!(position.history_slot(Move::NULL) < Capture::HISTORY_SLOTS);
            position.make_null();
        }
    }
}
