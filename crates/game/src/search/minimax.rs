//! Minimax by definition: one side maximises, the other minimises, without cut-offs or memory.

use super::Tactics;
use super::limits::Searched;
use super::picker::Picker;
use super::tree::{Node, Tree};
use crate::Side;
use crate::eval::{Evaluation, Score};

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The value of the current position for the side to move.
    pub(super) fn extreme_value(
        &mut self,
        node: Node,
        accumulator: E::Accumulator,
    ) -> Searched<Score> {
        self.provisional = false;
        let side = self.line.position().side_to_move();
        let score = self.first_sides_value(node, accumulator)?;
        Ok(seen_by(side, score))
    }

    /// The value of the current position for the first side.
    fn first_sides_value(&mut self, node: Node, accumulator: E::Accumulator) -> Searched<Score> {
        let ply = node.ply;
        let side = self.line.position().side_to_move();
        self.variation.clear(ply as usize);
        if let Some(score) = self.rule_value(ply) {
            self.provisional = true;
            return Ok(seen_by(side, score));
        }
        if let Some(score) = self.endgame_value(&node)? {
            return Ok(seen_by(side, score));
        }
        if node.depth == 0 {
            return Ok(seen_by(side, self.horizon(node, accumulator)?));
        }
        let below = Node {
            depth: node.depth - 1,
            ply: ply + 1,
            ..node
        };
        let mut picker = Picker::all(self.ordering, None, ply, self.line.last());
        let key = self.line.position().key();
        let mut best = None;
        while let Some(mv) = picker.next_at_once(self.line.position(), self.memory) {
            self.budget.spend()?;
            let after = self.eval.advance(accumulator, self.line.position(), mv);
            self.memory.enter(self.line.position(), ply, mv);
            self.line.play_from(key, mv);
            let score = self.first_sides_value(below, after)?;
            self.line.undo();
            let is_better = best.is_none_or(|best| match side {
                Side::First => score > best,
                Side::Second => score < best,
            });
            if is_better {
                best = Some(score);
                self.variation.set(ply as usize, mv);
            }
        }
        let position = self.line.position();
        Ok(best.unwrap_or_else(|| seen_by(side, self.eval.evaluate_without_moves(position, ply))))
    }
}

/// Converts a score between the views of the first side and of `side`.
fn seen_by(side: Side, score: Score) -> Score {
    match side {
        Side::First => score,
        Side::Second => -score,
    }
}
