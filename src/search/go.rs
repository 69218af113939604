//! What the search wants to know about a move of block capture.

use super::Tactics;
use crate::game::go::{Capture, Point};
use crate::game::{Move, MoveList, Position};

/// The widest board.
const WIDEST: usize = 19;
/// The points of the widest board and the pass.
const MOVES: usize = WIDEST * WIDEST + 1;
/// What taking the target is worth in the ordering, in stones: more than there are.
const TARGET: i32 = 1000;

impl Tactics for Capture {
    /// For each side, one per point of the widest board and one for the pass.
    const HISTORY_SLOTS: usize = 2 * MOVES;
    /// A stone comes from nowhere.
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

    /// The number of stones that are taken; the target outweighs all others.
    fn static_gain(&self, mv: Move) -> i32 {
        let stones = self.stones_taken_by(mv) as i32;
        if stones > 0 && takes_target(self, mv) {
            TARGET
        } else {
            stones
        }
    }

    /// As [`static_gain`](Tactics::static_gain): what is taken back in return is not
    /// looked at.
    fn exchange(&self, mv: Move) -> i32 {
        self.static_gain(mv)
    }

    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        self.static_gain(mv) >= threshold
    }

    fn victim_and_attacker(&self, mv: Move) -> (i32, i32) {
        (self.static_gain(mv), 0)
    }

    /// Liberties of the target first, then by distance from it; the pass last.
    fn piece_rank(&self, mv: Move) -> u8 {
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

/// Whether a move that takes stones takes the target.
fn takes_target(position: &Capture, mv: Move) -> bool {
    let is_last = |point: Point| {
        let liberties = position.board().liberties(position.target());
        liberties.len() == 1 && liberties.contains(point)
    };
    position.colour_to_move() == position.attacker()
        && !position.is_taken()
        && position.point_of(mv).is_some_and(is_last)
}
