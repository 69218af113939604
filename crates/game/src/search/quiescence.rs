//! Quiescence search: captures beyond the horizon until the position is settled.

use super::limits::Searched;
use super::picker::Picker;
use super::selectivity::is_ordinary;
use super::table::{Bound, StoredScore};
use super::tree::{INFINITY, Tree};
use super::{Quiescence, Tactics};
use crate::Move;
use crate::eval::{Evaluation, MATE_PLIES, Score};

/// Maximum ply: a chain of checks and evasions could go on forever.
const LAST_PLY: u32 = MATE_PLIES - 1;

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The value after all captures are searched. The side to move may decline to capture and
    /// accept the static evaluation, unless it is in check: then all its moves are searched. A mate
    /// found this way is a real one; stalemates are not detected.
    ///
    /// `beyond` is the number of plies since the horizon: quiet checks are searched too while it is
    /// below the setting for them.
    pub(super) fn quiescence_value(
        &mut self,
        settings: &Quiescence,
        ply: u32,
        beyond: u32,
        mut alpha: Score,
        beta: Score,
        accumulator: E::Accumulator,
    ) -> Searched<Score> {
        let position = self.line.position();
        let in_check = position.in_check();
        let key = self.key();
        // With checks, a score depends on the distance from the horizon.
        let depth = 0;
        let remembers = settings.table && beyond >= settings.checks;
        let known = remembers.then(|| self.table.probe(key, ply)).flatten();
        if let Some(known) = known
            && let Some(score) = known.decides(depth, self.params.table_same_depth, alpha, beta)
        {
            return Ok(score);
        }
        let mut best_score = -INFINITY;
        let mut standing = -INFINITY;
        if !in_check || ply >= LAST_PLY {
            standing = self.evaluate_near(ply, alpha, beta, accumulator);
            best_score = standing;
            if best_score >= beta || ply >= LAST_PLY {
                return Ok(best_score);
            }
        }
        let low = alpha;
        alpha = alpha.max(best_score);
        let mut best = None;
        let mut picker = if in_check {
            Picker::evasions(self.ordering, ply)
        } else if beyond < settings.checks {
            Picker::captures_and_checks(self.ordering, ply)
        } else {
            Picker::captures(self.ordering, ply)
        };
        while let Some(mv) = picker.next(self.line.position(), self.memory) {
            if !in_check && let Some(most) = self.hopeless(settings, mv, standing, alpha) {
                best_score = best_score.max(most);
                continue;
            }
            self.budget.spend()?;
            self.counters.quiescence_nodes += 1;
            if settings.table {
                self.fetch_after(mv);
            }
            let after = self.eval.advance(accumulator, self.line.position(), mv);
            self.memory.enter(self.line.position(), ply, mv);
            self.line.play(mv);
            let score = match self.rule_value(ply + 1) {
                Some(score) => -score,
                None => {
                    -self.quiescence_value(settings, ply + 1, beyond + 1, -beta, -alpha, after)?
                }
            };
            self.line.undo();
            if score > best_score {
                best_score = score;
                if score > alpha {
                    alpha = score;
                    best = Some(mv);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.reach = self.reach.max(ply);
        if best_score == -INFINITY {
            return Ok(self.eval.evaluate_without_moves(self.line.position(), ply));
        }
        // A result beyond the horizon does not replace that of a search.
        if remembers && known.is_none_or(|known| known.depth == depth) {
            let bound = match best {
                _ if best_score >= beta => Bound::Lower,
                None if best_score <= low => Bound::Upper,
                _ => Bound::Exact,
            };
            let score = best_score;
            let known = StoredScore {
                best,
                score,
                depth,
                bound,
                is_final: false,
            };
            self.table.store(key, ply, known);
        }
        Ok(best_score)
    }

    /// The maximum score of a move, if it cannot exceed alpha; for a side that is not in check.
    fn hopeless(
        &self,
        settings: &Quiescence,
        mv: Move,
        standing: Score,
        alpha: Score,
    ) -> Option<Score> {
        let position = self.line.position();
        if settings.delta == 0 || !is_ordinary(alpha) || !position.is_capture(mv) {
            return None;
        }
        let most = standing + self.eval.prize(position, mv) + settings.delta as Score;
        (most <= alpha).then_some(most)
    }
}
