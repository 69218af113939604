//! The history rules: repetition, move limit, bare material.

mod chase;
mod material;
mod repetition;
#[cfg(test)]
mod tests;

pub(super) use material::is_drawn;

use super::board::Xiangqi;
use super::rules::XiangqiRules;
use leitai_game::{Cause, Line, Position, Scope, Verdict};

/// Plies without a capture after which the game is drawn.
pub(super) const MOVE_LIMIT: u16 = 120;

/// Judges a line; see [`Position::judge`](leitai_game::Position::judge).
///
/// The first rule that applies decides, in this order:
///
/// 1. a repetition that counts always ends the game;
/// 2. the 120th counted ply without a capture draws;
/// 3. material with which nobody can win draws.
///
/// A position without a legal move is lost for the side to move, whatever the
/// move limit or the material say (a repetition never is one: there was a move
/// the first time). The position that a line starts from is never judged, for
/// whoever set it up wants it played.
pub(super) fn judge(line: &Line<Xiangqi>, rules: XiangqiRules, scope: Scope) -> Option<Verdict> {
    if line.is_empty() {
        return None;
    }
    if let Some(since) = line.repetition(scope) {
        return Some(repetition::judge(line, since, rules.repetition));
    }
    let position = line.position();
    if rules.move_limit && position.clock.counted >= MOVE_LIMIT {
        return draw_unless_over(position, Cause::MoveLimit);
    }
    if rules.material && material::is_drawn(position) {
        return draw_unless_over(position, Cause::Material);
    }
    None
}

fn draw_unless_over(position: &Xiangqi, cause: Cause) -> Option<Verdict> {
    (position.count_legal_moves() > 0).then_some(Verdict::draw(cause))
}
