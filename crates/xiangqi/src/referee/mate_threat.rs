//! Threats of mate.

use crate::board::Xiangqi;
use leitai_game::{MoveList, Position};

/// Largest number of checks in a row that are searched for a mate.
const CHECKS: usize = 3;

/// Returns whether the side that is not to move, and has not given check, threatens to mate with at
/// most three checks in a row.
pub(super) fn is_threatened(position: &Xiangqi) -> bool {
    let mut position = position.clone();
    !position.checked && {
        position.pass();
        can_mate(&mut position, CHECKS)
    }
}

/// Returns whether the side to move can mate with at most `checks` checks in a row. Leaves the
/// position unchanged.
pub(super) fn can_mate(position: &mut Xiangqi, checks: usize) -> bool {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.into_iter().any(|mv| {
        position.is_check(mv) && {
            let undo = position.make_move(mv);
            let mates = cannot_parry(position, checks);
            position.unmake_move(mv, undo);
            mates
        }
    })
}

/// Returns whether every parry of a check allows mate with at most `checks - 1` further checks.
fn cannot_parry(position: &mut Xiangqi, checks: usize) -> bool {
    let mut parries = MoveList::new();
    position.legal_moves(&mut parries);
    let mut parries = parries.into_iter();
    parries.all(|mv| {
        checks > 1 && {
            let undo = position.make_move(mv);
            let mates = can_mate(position, checks - 1);
            position.unmake_move(mv, undo);
            mates
        }
    })
}
