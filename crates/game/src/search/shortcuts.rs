//! Scores and first moves found before the moves of a position are searched.

use super::limits::Searched;
use super::picker::Picker;
use super::selectivity::{half_depth, is_ordinary, margin};
use super::table::{Bound, StoredScore};
use super::tree::{INFINITY, Node, NodeData, Tree, UNKNOWN};
use super::{Algorithm, DeepeningKind, Tactics};
use crate::Move;
use crate::eval::{Evaluation, Score};

/// The result of a search without the table move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Singular {
    /// Plies by which the search of the table move is extended; negative for a reduction.
    Extended(i32),
    /// A lower bound of the position's value.
    Decided(Score),
}

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The data of the current position that is available before its moves are searched.
    pub(super) fn standing(
        &mut self,
        node: &Node,
        known: Option<StoredScore>,
        accumulator: E::Accumulator,
    ) -> NodeData {
        let in_check = self.line.position().in_check();
        let ply = node.ply as usize;
        let mut evaluation = UNKNOWN;
        let mut own = UNKNOWN;
        let mut improving = false;
        if self.evaluates {
            if !in_check {
                own = self.evaluate(accumulator);
                evaluation = self.memory.corrected(self.line.position(), node.ply, own);
            }
            self.paths[ply].evaluation = evaluation;
            let before = ply.checked_sub(2);
            let before = before.map_or(UNKNOWN, |ply| self.paths[ply].evaluation);
            improving = evaluation != UNKNOWN && before != UNKNOWN && evaluation > before;
            if let Some(known) = known
                && evaluation != UNKNOWN
                && (known.depth == node.depth || !self.params.table_same_depth)
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
        NodeData {
            in_check,
            evaluation,
            own,
            improving,
            is_pv: self.params.algorithm == Algorithm::Pvs && node.beta - node.alpha > 1,
        }
    }

    /// A score without a search of the moves, by reverse futility, razoring or null move.
    pub(super) fn cut_short(
        &mut self,
        node: &Node,
        standing: NodeData,
        known: Option<StoredScore>,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Score>> {
        let evaluation = standing.evaluation;
        if standing.is_pv || evaluation == UNKNOWN {
            return Ok(None);
        }
        let params = self.params;
        let Node {
            depth, alpha, beta, ..
        } = *node;
        if let Some(futility) = &params.reverse_futility
            && depth <= futility.max_depth
            && is_ordinary(beta)
            && evaluation - futility.margin(depth, standing.improving) >= beta
        {
            return Ok(Some(evaluation));
        }
        if let Some(razoring) = &params.razoring
            && depth <= razoring.max_depth
            && is_ordinary(alpha)
            && evaluation + margin(razoring.base, razoring.slope, depth) <= alpha
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
        if let Some(score) = self.pass(node, evaluation, accumulator)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.probably_cut(node, standing, known, accumulator)? {
            return Ok(Some(score));
        }
        self.probably_outside(node, evaluation, accumulator)
    }

    /// The score of a search to half the depth, if it is far outside the window.
    fn probably_outside(
        &mut self,
        node: &Node,
        evaluation: Score,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Score>> {
        let Some(cut) = &self.params.multi_prob_cut else {
            return Ok(None);
        };
        let Node {
            depth, alpha, beta, ..
        } = *node;
        if depth < cut.min_depth || node.ply == 0 || !is_ordinary(alpha) || !is_ordinary(beta) {
            return Ok(None);
        }
        let margin = margin(cut.base, cut.slope, depth);
        let above = evaluation >= beta;
        let low = if above {
            beta - 1 + margin
        } else {
            alpha - margin
        };
        if !is_ordinary(low) || !is_ordinary(low + 1) || (!above && evaluation > alpha) {
            return Ok(None);
        }
        let shallower = Node {
            depth: half_depth(depth),
            alpha: low,
            beta: low + 1,
            ..*node
        };
        let score = self.value(shallower, accumulator)?;
        Ok(match above {
            true if score > low => Some(score - margin),
            false if score <= low => Some(score + margin),
            _ => None,
        })
    }

    /// The score of a capture that beats beta by a margin in a shallower search.
    fn probably_cut(
        &mut self,
        node: &Node,
        standing: NodeData,
        known: Option<StoredScore>,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Score>> {
        let Some(prob_cut) = &self.params.prob_cut else {
            return Ok(None);
        };
        let Node { depth, beta, .. } = *node;
        let aim = beta + prob_cut.margin as Score;
        let shallower = depth.saturating_sub(prob_cut.reduction);
        if standing.in_check
            || depth < prob_cut.min_depth
            || !is_ordinary(beta)
            || !is_ordinary(aim)
            || known.is_some_and(|known| known.depth >= shallower && known.score < aim)
        {
            return Ok(None);
        }
        if let Some(known) = known
            && prob_cut.known > 0
            && known.bound != Bound::Upper
            && known.depth >= shallower
            && is_ordinary(known.score)
            && known.score >= beta + prob_cut.known as Score
        {
            return Ok(Some(known.score));
        }
        let mut picker = Picker::captures(self.ordering, node.ply);
        while let Some(mv) = picker.next(self.line.position(), self.memory) {
            let position = self.line.position();
            if !position.exchange_at_least(mv, 0, &self.ordering.values) {
                continue;
            }
            self.budget.spend()?;
            self.fetch_after(mv);
            let after = self.eval.advance(accumulator, self.line.position(), mv);
            self.memory.enter(self.line.position(), node.ply, mv);
            self.line.play(mv);
            let child = |depth| Node {
                extensions: node.extensions,
                cuts: !node.cuts,
                ..Node::new(depth, node.ply + 1, -aim, 1 - aim)
            };
            let mut score = -self.value(child(0), after)?;
            if score >= aim && shallower > 1 {
                score = -self.value(child(shallower - 1), after)?;
            }
            self.line.undo();
            if score >= aim && is_ordinary(score) {
                self.variation.clear(node.ply as usize);
                let known = StoredScore {
                    best: Some(mv),
                    score,
                    depth: shallower,
                    bound: Bound::Lower,
                    is_final: false,
                };
                self.table.store(self.key(), node.ply, known);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }

    /// Tests whether the table move is better than all others by a margin, and should be searched
    /// deeper.
    pub(super) fn singular(
        &mut self,
        node: &Node,
        standing: NodeData,
        known: Option<StoredScore>,
        accumulator: E::Accumulator,
    ) -> Searched<Singular> {
        let as_it_is = Ok(Singular::Extended(0));
        let (Some(settings), Some(known)) = (&self.params.singular_extension, known) else {
            return as_it_is;
        };
        let Node { depth, beta, .. } = *node;
        if depth < settings.min_depth
            || node.extensions >= settings.limit
            || known.depth + 3 < depth
            || known.bound == Bound::Upper
            || !is_ordinary(known.score)
            || !known
                .best
                .is_some_and(|mv| self.line.position().is_legal(mv))
        {
            return as_it_is;
        }
        let below = known.score - (settings.slope * depth / 100) as Score;
        let others = Node {
            depth: (depth - 1) / 2,
            alpha: below - 1,
            beta: below,
            may_pass: false,
            without: known.best,
            ..*node
        };
        let standing = NodeData {
            is_pv: false,
            ..standing
        };
        let found = self.search_moves(others, standing, None, 0, accumulator)?;
        self.variation.clear(node.ply as usize);
        let score = found.map_or(-INFINITY, |found| found.score);
        if score < below {
            let double = settings.double as Score;
            let far = double > 0 && node.beta - node.alpha == 1 && score < below - double;
            return Ok(Singular::Extended(1 + i32::from(far)));
        }
        if settings.multi_cut && score >= beta && is_ordinary(score) {
            return Ok(Singular::Decided(score));
        }
        if known.score >= beta || node.cuts {
            return Ok(Singular::Extended(-(settings.negative as i32)));
        }
        as_it_is
    }

    /// The score after a null move, if it cuts off.
    fn pass(
        &mut self,
        node: &Node,
        evaluation: Score,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Score>> {
        let Some(null_move) = &self.params.null_move else {
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
            extensions: node.extensions,
            may_pass: false,
            cuts: !node.cuts,
            ..Node::new(reduced, node.ply + 1, -beta, 1 - beta)
        };
        let score = -self.value(after, accumulator)?;
        self.line.undo();
        if score < beta {
            return Ok(None);
        }
        // A mate after a null move proves nothing.
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

    /// Finds a first move by a shallower search of the same position.
    pub(super) fn deepen_internally(
        &mut self,
        node: &mut Node,
        accumulator: E::Accumulator,
    ) -> Searched<Option<Move>> {
        let Some(deepening) = &self.params.internal_deepening else {
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
