//! When a game is over, and who has won.

use super::Capture;
use crate::{GoRules, is_alive};
use leitai_game::{Cause, Line, Position, Side, Verdict};

/// How a game ended in which the side to move has nothing to play.
pub(super) fn without_moves(position: &Capture) -> Verdict {
    if position.taken {
        Verdict::win(Side::First, Cause::Captured)
    } else {
        Verdict::win(Side::Second, Cause::Stalemate)
    }
}

/// What ends a game in which there is still a move to play. All of it is for the
/// defender: the attacker has won only when the target is off the board.
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

/// Whether the position has stood before, with the same side to move and the same ko.
fn stood_before(line: &Line<Capture>) -> bool {
    let now = line.len();
    let reach = line.position().reversible_plies().min(now);
    // The attacker never passes: no position comes back within two plies.
    if reach < 4 {
        return false;
    }
    let key = line.position().key();
    (4..=reach)
        .step_by(2)
        .any(|back| line.key_after(now - back) == key)
}
