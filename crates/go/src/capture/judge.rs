//! The end of a game and its winner.

use super::Capture;
use crate::{GoRules, is_alive};
use leitai_game::{Cause, Line, Position, Side, Verdict};

/// The result of a game in which the side to move has no move.
pub(super) fn without_moves(position: &Capture) -> Verdict {
    if position.taken {
        Verdict::win(Side::First, Cause::Captured)
    } else {
        Verdict::win(Side::Second, Cause::Stalemate)
    }
}

/// The endings of a game in which the side to move has a move. All are wins of the defender: the
/// attacker wins only when the target is off the board.
pub(super) fn judge(line: &Line<Capture>, rules: GoRules) -> Option<Verdict> {
    let position = line.position();
    if position.taken {
        return None;
    }
    let defended = |cause| Some(Verdict::win(Side::Second, cause));
    if stood_before(line) {
        return defended(Cause::Repetition);
    }
    if position.side == Side::First {
        let enough = rules.escape_liberties;
        if enough > 0 && position.board.liberty_count(position.target) >= enough {
            return defended(Cause::Escaped);
        }
        if is_alive(&position.board, position.target) {
            return defended(Cause::Alive);
        }
    }
    if line.len() >= rules.ply_limit as usize {
        return defended(Cause::MoveLimit);
    }
    None
}

/// Returns whether the position occurred before, with the same side to move and the same ko.
fn stood_before(line: &Line<Capture>) -> bool {
    let now = line.len();
    let reach = line.position().reversible_plies().min(now);
    // The attacker never passes, so no position repeats within two plies.
    if reach < 4 {
        return false;
    }
    let key = line.position().key();
    (4..=reach)
        .step_by(2)
        .any(|back| line.key_after(now - back) == key)
}
