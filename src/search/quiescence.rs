//! Beyond the horizon: captures until the position is settled.

use super::Tactics;
use super::picker::Picker;
use super::tree::{INFINITY, Tree};
use crate::eval::{Evaluation, MATE_PLIES, Score};

/// No line goes deeper: a chain of checks and evasions could go on for ever.
const LAST_PLY: u32 = MATE_PLIES - 1;

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The value once all captures are played out. The side to move may decline
    /// to capture and be content with the static evaluation, unless it is in
    /// check: then all its moves are tried. A mate that is found this way is a
    /// real one; stalemate is not looked for.
    pub(super) fn settled(
        &mut self,
        ply: u32,
        mut alpha: Score,
        beta: Score,
        accumulator: E::Accumulator,
    ) -> Option<Score> {
        let position = self.line.position();
        let in_check = position.in_check();
        let mut best_score = -INFINITY;
        if !in_check || ply >= LAST_PLY {
            best_score = self.eval.evaluate(position, accumulator);
            if best_score >= beta || ply >= LAST_PLY {
                return Some(best_score);
            }
            alpha = alpha.max(best_score);
        }
        let mut picker = if in_check {
            Picker::evasions(self.ordering, ply)
        } else {
            Picker::captures(self.ordering, ply)
        };
        while let Some(mv) = picker.next(self.line.position(), self.memory) {
            self.budget.spend()?;
            self.counters.quiescence_nodes += 1;
            let after = self.eval.advance(accumulator, self.line.position(), mv);
            self.memory.enter(self.line.position(), ply, mv);
            self.line.play(mv);
            let score = match self.ruled(ply + 1) {
                Some(score) => -score,
                None => -self.settled(ply + 1, -beta, -alpha, after)?,
            };
            self.line.undo();
            if score > best_score {
                best_score = score;
                if score >= beta {
                    break;
                }
                alpha = alpha.max(score);
            }
        }
        if best_score == -INFINITY {
            return Some(self.eval.evaluate_without_moves(self.line.position(), ply));
        }
        Some(best_score)
    }
}
