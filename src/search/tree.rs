//! Fail-soft alpha-beta below the root.

use super::limits::Budget;
use super::memory::Memory;
use super::ordering::Ordering;
use super::picker::Picker;
use super::table::{Bound, Known, Table};
use super::variation::Variation;
use super::{Counters, Tactics};
use crate::eval::{Evaluation, MATE, Score};
use crate::game::{Line, Move, MoveList, Scope};

/// Beyond every score.
pub(super) const INFINITY: Score = MATE + 1;

/// The working state of one search.
///
/// Each search function returns `None` when the budget is spent; the line is
/// then left as it stands.
pub(super) struct Tree<'a, P: Tactics, E: Evaluation<P>> {
    pub(super) line: &'a mut Line<P>,
    pub(super) eval: &'a E,
    pub(super) table: &'a mut Table,
    pub(super) memory: &'a mut Memory,
    pub(super) variation: &'a mut Variation,
    pub(super) ordering: &'a Ordering,
    pub(super) quiescence: bool,
    /// The history rules, if they are applied inside the tree.
    pub(super) rules: Option<P::Rules>,
    /// Number of moves of the line before the search.
    pub(super) root: usize,
    pub(super) budget: Budget<'a>,
    pub(super) counters: Counters,
}

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The value of the present position, `ply` plies below the root, searched
    /// `depth` plies deep: exact if it lies between `alpha` and `beta`, else a
    /// bound on the side on which it lies.
    fn value(
        &mut self,
        depth: u32,
        ply: u32,
        mut alpha: Score,
        beta: Score,
        accumulator: E::Accumulator,
    ) -> Option<Score> {
        self.variation.clear(ply as usize);
        if let Some(score) = self.ruled(ply) {
            return Some(score);
        }
        if depth == 0 {
            return if self.quiescence {
                self.settled(ply, alpha, beta, accumulator)
            } else {
                Some(self.eval.evaluate(self.line.position(), accumulator))
            };
        }
        let key = self.line.position().key();
        let known = self.table.probe(key, ply);
        self.counters.table_probes += 1;
        self.counters.table_hits += u64::from(known.is_some());
        if let Some(score) = known.and_then(|known| known.decides(depth, alpha, beta)) {
            self.counters.table_cutoffs += 1;
            return Some(score);
        }

        let remembered = known.and_then(|known| known.best);
        let mut picker = Picker::all(self.ordering, remembered, ply);
        let mut tried = MoveList::new();
        let mut best = None;
        let mut best_score = -INFINITY;
        let mut bound = Bound::Upper;
        let mut number = 0;
        while let Some(mv) = picker.next(self.line.position(), self.memory) {
            number += 1;
            let score = self.value_of(mv, depth, ply, alpha, beta, accumulator)?;
            if self.memory.takes_penalties() && score < beta && !self.line.position().is_capture(mv)
            {
                tried.push(mv);
            }
            if score <= best_score {
                continue;
            }
            best_score = score;
            if score > alpha {
                best = Some(mv);
                alpha = score;
                bound = Bound::Exact;
                if score >= beta {
                    bound = Bound::Lower;
                    self.counters.cutoffs += 1;
                    self.counters.first_move_cutoffs += u64::from(number == 1);
                    self.counters.cutoff_numbers += number;
                    break;
                }
                self.variation.set(ply as usize, mv);
            }
        }
        if best_score == -INFINITY {
            return Some(self.eval.evaluate_without_moves(self.line.position(), ply));
        }
        if let Some(mv) = best {
            self.learn(mv, depth, ply, bound, &tried);
        }
        self.table.store(
            key,
            ply,
            Known {
                best,
                score: best_score,
                depth,
                bound,
            },
        );
        Some(best_score)
    }

    /// The value of `mv` for the side that plays it, at a node of this `depth`.
    #[inline]
    pub(super) fn value_of(
        &mut self,
        mv: Move,
        depth: u32,
        ply: u32,
        alpha: Score,
        beta: Score,
        accumulator: E::Accumulator,
    ) -> Option<Score> {
        self.budget.spend()?;
        let after = self.eval.advance(accumulator, self.line.position(), mv);
        self.memory.enter(self.line.position(), ply, mv);
        self.line.play(mv);
        let score = -self.value(depth - 1, ply + 1, -beta, -alpha, after)?;
        self.line.undo();
        Some(score)
    }

    /// Credits the best move of a node, which raised alpha or cut off.
    #[inline]
    pub(super) fn learn(&mut self, mv: Move, depth: u32, ply: u32, bound: Bound, tried: &[Move]) {
        let cut = bound == Bound::Lower;
        let position = self.line.position();
        self.memory.learn(position, ply, depth, mv, cut, tried);
    }

    /// The value of a position below the root that the history rules end.
    #[inline]
    pub(super) fn ruled(&self, ply: u32) -> Option<Score> {
        let scope = Scope::Search { root: self.root };
        let verdict = P::judge(self.line, self.rules?, scope)?;
        let position = self.line.position();
        // As in a game, the absence of moves comes before the history rules.
        Some(if position.count_legal_moves() == 0 {
            self.eval.evaluate_without_moves(position, ply)
        } else {
            match verdict.winner {
                None => 0,
                Some(winner) if winner == position.side_to_move() => MATE - ply as Score,
                Some(_) => ply as Score - MATE,
            }
        })
    }
}
