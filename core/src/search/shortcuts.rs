//! Scores and first moves that are found before a position's moves are searched.

use super::limits::Searched;
use super::selectivity::is_ordinary;
use super::table::{Bound, Known};
use super::tree::{INFINITY, Node, Standing, Tree, UNKNOWN};
use super::{Algorithm, DeepeningKind, Tactics};
use crate::eval::{Evaluation, Score};
use crate::game::Move;

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// What is known of the present position before its moves are searched.
    pub(super) fn standing(
        &mut self,
        node: &Node,
        known: Option<Known>,
        accumulator: E::Accumulator,
    ) -> Standing {
        let in_check = self.line.position().in_check();
        let ply = node.ply as usize;
        let mut evaluation = UNKNOWN;
        let mut improving = false;
        if self.selectivity.evaluates {
            if !in_check {
                evaluation = self.evaluate(accumulator);
            }
            self.paths[ply].evaluation = evaluation;
            let before = ply
                .checked_sub(2)
                .map_or(UNKNOWN, |ply| self.paths[ply].evaluation);
            improving = evaluation != UNKNOWN && before != UNKNOWN && evaluation > before;
            if let Some(known) = known
                && evaluation != UNKNOWN
                && (known.depth == node.depth || !self.same_depth)
                && is_ordinary(known.score)
                && match known.bound {
                    Bound::Exact => true,
                    Bound::Lower => known.score > evaluation,
                    Bound::Upper => known.score < evaluation,
                }
            {
                evaluation = known.score;
            }
        }
        Standing {
            in_check,
            evaluation,
            improving,
            is_pv: self.algorithm == Algorithm::Pvs && node.beta - node.alpha > 1,
        }
    }

    /// A score that needs no search of the moves, by reverse futility, razoring
    /// or null move.
    pub(super) fn cut_short(
        &mut self,
        node: &Node,
        standing: Standing,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Score>> {
        let evaluation = standing.evaluation;
        if standing.is_pv || evaluation == UNKNOWN {
            return Ok(None);
        }
        let selectivity = self.selectivity;
        let Node {
            depth, alpha, beta, ..
        } = *node;
        if let Some(futility) = &selectivity.reverse_futility
            && depth <= futility.max_depth
            && is_ordinary(beta)
            && evaluation - futility.margin(depth, standing.improving) >= beta
        {
            return Ok(Some(evaluation));
        }
        if let Some(razoring) = &selectivity.razoring
            && depth <= razoring.max_depth
            && is_ordinary(alpha)
            && evaluation + razoring.margin(depth) <= alpha
        {
            let horizon = Node {
                depth: 0,
                beta: alpha + 1,
                ..*node
            };
            let score = self.horizon(horizon, accumulator)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        self.pass(node, evaluation, accumulator)
    }

    /// The score after passing, if it is a cut-off.
    fn pass(
        &mut self,
        node: &Node,
        evaluation: Score,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Score>> {
        let Some(null_move) = &self.selectivity.null_move else {
            return Ok(None);
        };
        let Node { depth, beta, .. } = *node;
        if !node.may_pass
            || depth < null_move.min_depth
            || !is_ordinary(beta)
            || evaluation < beta
            || !self.line.position().can_pass()
        {
            return Ok(None);
        }
        let reduced = depth.saturating_sub(null_move.reduction(depth, evaluation - beta));
        self.budget.spend()?;
        if !self.line.play_null() {
            return Ok(None);
        }
        self.memory.enter_null(node.ply);
        let after = Node {
            depth: reduced,
            ply: node.ply + 1,
            alpha: -beta,
            beta: 1 - beta,
            extensions: node.extensions,
            may_pass: false,
        };
        let score = -self.value(after, accumulator)?;
        self.line.undo();
        if score < beta {
            return Ok(None);
        }
        // A mate after a pass proves nothing.
        let score = if is_ordinary(score) { score } else { beta };
        if null_move.verification == 0 || depth < null_move.verification {
            return Ok(Some(score));
        }
        let confirmed = self.value(
            Node {
                depth: reduced,
                alpha: beta - 1,
                may_pass: false,
                ..*node
            },
            accumulator,
        )?;
        Ok((confirmed >= beta).then_some(score))
    }

    /// A first move by a shallower search of the same position.
    pub(super) fn deepen_internally(
        &mut self,
        node: &mut Node,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Move>> {
        let Some(deepening) = self.internal_deepening else {
            return Ok(None);
        };
        if node.depth < deepening.min_depth || node.depth <= deepening.reduction {
            return Ok(None);
        }
        let shallower = Node {
            depth: node.depth - deepening.reduction,
            may_pass: false,
            ..*node
        };
        if deepening.kind == DeepeningKind::Reduce {
            node.depth = shallower.depth;
            return Ok(None);
        }
        self.paths[node.ply as usize].found = None;
        let score = self.value(shallower, accumulator)?;
        if score <= node.alpha && deepening.kind == DeepeningKind::EnlargedWindow {
            let open = Node {
                alpha: -INFINITY,
                ..shallower
            };
            self.value(open, accumulator)?;
        }
        Ok(self.paths[node.ply as usize].found)
    }
}
