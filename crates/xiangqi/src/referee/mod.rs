//! The history rules: repetition, move limit, insufficient material.

mod chase;
mod mate_threat;
mod material;
mod repetition;
mod rule_book;
#[cfg(test)]
mod tests;

pub(super) use material::is_drawn;

use super::board::Xiangqi;
use super::rules::XiangqiRules;
use leitai_game::{Cause, Line, Position, Scope, Verdict};

/// Number of plies without a capture after which the game is drawn.
pub(super) const MOVE_LIMIT: u16 = 120;

/// Judges a line; see [`Position::judge`](leitai_game::Position::judge).
///
/// The first rule that applies decides, in this order:
///
/// 1. a repetition that counts always ends the game;
/// 2. the 120th counted ply without a capture draws;
/// 3. material with which neither side can win draws.
///
/// A position without a legal move is lost for the side to move, regardless of the move limit and
/// the material (it is never a repetition: there was a move the first time). The start position of
/// a line is never judged, so that any position can be set up and played.
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
