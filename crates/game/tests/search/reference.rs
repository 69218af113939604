//! The value of a position by definition: every move, without cut-offs.

use super::{Line, Xiangqi, XiangqiEvaluation, XiangqiRules, legal_moves};
use leitai_game::eval::{Evaluation, MATE, Score};
use leitai_game::search::Tactics;
use leitai_game::{Position, Scope};

/// Parameters of the definition.
pub(super) struct Reference<'a> {
    pub(super) eval: &'a XiangqiEvaluation,
    pub(super) quiescence: bool,
    /// The root of the search, if history rules apply.
    pub(super) rules: Option<usize>,
}

impl Reference<'_> {
    /// The value `depth` plies deep of the position at the end of `line`, which
    /// is `ply` plies below the root.
    pub(super) fn value(&self, line: &mut Line<Xiangqi>, depth: u32, ply: u32) -> Score {
        if ply > 0
            && let Some(root) = self.rules
            && let Some(verdict) =
                Xiangqi::judge(line, XiangqiRules::default(), Scope::Search { root })
        {
            return match verdict.winner {
                None => 0,
                Some(side) if side == line.position().side_to_move() => MATE - ply as Score,
                Some(_) => ply as Score - MATE,
            };
        }
        let mut moves = legal_moves(line.position());
        let mut best = Score::MIN;
        if depth == 0 {
            let position = line.position();
            let settled = self.eval.evaluate(position, self.eval.accumulate(position));
            if !self.quiescence {
                return settled;
            }
            if !position.in_check() {
                best = settled;
                moves.retain(|mv| position.is_capture(*mv));
            }
        }
        for mv in moves {
            line.play(mv);
            best = best.max(-self.value(line, depth.saturating_sub(1), ply + 1));
            line.undo();
        }
        if best == Score::MIN {
            ply as Score - MATE
        } else {
            best
        }
    }
}
