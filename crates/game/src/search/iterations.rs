//! Iterative deepening: the iterations of a search, and their results.

use super::aspiration::AspirationWindow;
use super::tree::Tree;
use super::{MAX_PLY, SearchReport, Tactics};
use crate::Move;
use crate::eval::{Evaluation, MAX_EVAL, Score, mate_plies};

/// The depth of the first iteration that plays endgames out (or the last iteration, if it is
/// shallower): there must be a move to play in case this takes too long.
const PRELIMINARY: u32 = 4;

/// The iterations of one search.
pub(super) struct Schedule {
    /// Depth of the first iteration, in plies.
    pub(super) first: u32,
    /// Depth of the last iteration, in plies.
    pub(super) last: u32,
    /// Depth step between iterations, in plies.
    pub(super) step: u32,
    /// True if every iteration is reported, not only the last.
    pub(super) deepening: bool,
}

impl Schedule {
    /// The depths, in plies.
    pub(super) fn depths(&self) -> impl Iterator<Item = u32> + use<> {
        (self.first.max(1)..=self.last).step_by(self.step as usize)
    }

    /// The depth of the first iteration that plays endgames out.
    pub(super) fn first_to_play_out(&self) -> u32 {
        PRELIMINARY.min(self.last)
    }

    /// Returns whether the result of the iteration to `depth` is reported; `is_last` if no other
    /// iteration follows.
    pub(super) fn reports(&self, depth: u32, is_last: bool) -> bool {
        self.deepening || depth == self.last || is_last
    }
}

/// Returns whether `score` is a mate that no iteration beyond `depth` could improve.
pub(super) fn is_proven(score: Score, depth: u32) -> bool {
    mate_plies(score).is_some_and(|plies| plies <= depth)
}

/// The report for a position without a move to search.
pub(super) fn without_moves<P: Tactics, E: Evaluation<P>>(tree: &Tree<'_, P, E>) -> SearchReport {
    SearchReport {
        score: tree.eval.evaluate_without_moves(tree.line.position(), 0),
        ..SearchReport::default()
    }
}

/// The current result of a search.
pub(super) struct SearchResult {
    pub(super) best: Move,
    pub(super) score: Score,
    /// Depth of the last finished iteration.
    pub(super) depth: u32,
    /// The best move of the last iteration that found one.
    pub(super) known: Option<Move>,
    /// True if all relevant lines of the last finished iteration reached the end of the game, so
    /// that a deeper one would find the same.
    pub(super) is_final: bool,
}

/// The outcome of an iteration.
#[derive(Clone, Copy)]
pub(super) struct IterationOutcome {
    /// True if it finished.
    pub(super) finished: bool,
    /// True if its result is used, as that of every finished iteration is.
    pub(super) counts: bool,
}

impl SearchResult {
    /// The initial result, with the first move of the ordering; `None` if there is no move to
    /// search.
    pub(super) fn begin<P: Tactics, E: Evaluation<P>>(
        tree: &Tree<'_, P, E>,
        accumulator: E::Accumulator,
    ) -> Option<Self> {
        Some(Self {
            best: tree.first_move()?,
            score: tree.eval.evaluate(tree.line.position(), accumulator),
            depth: 0,
            known: None,
            is_final: false,
        })
    }

    /// Runs one iteration, repeated with a wider window until its score lies inside.
    pub(super) fn deepen<P: Tactics, E: Evaluation<P>>(
        &mut self,
        tree: &mut Tree<'_, P, E>,
        depth: u32,
        mut aim: AspirationWindow,
        accumulator: E::Accumulator,
    ) -> IterationOutcome {
        let mut counts = false;
        let before = self.score;
        loop {
            let iteration = tree.iterate(depth, self.known, (aim.low, aim.high), accumulator);
            if let Some((best, score)) = iteration.best
                && (iteration.finished || iteration.sound)
            {
                self.best = best;
                self.score = score;
                tree.variation.keep();
                counts = true;
            }
            if !iteration.finished {
                tree.rewind();
                return IterationOutcome {
                    finished: false,
                    counts,
                };
            }
            self.known = Some(self.best);
            if aim.holds(iteration.best.map(|(_, score)| score)) {
                self.depth = depth;
                let change = (self.score - before).abs().min(MAX_EVAL);
                tree.swing = Score::midpoint(tree.swing, change);
                self.is_final = iteration.is_final;
                return IterationOutcome {
                    finished: true,
                    counts: true,
                };
            }
        }
    }

    pub(super) fn report<P: Tactics, E: Evaluation<P>>(
        &self,
        tree: &mut Tree<'_, P, E>,
    ) -> SearchReport {
        let mut pv = Vec::with_capacity(MAX_PLY as usize);
        pv.extend_from_slice(&tree.variation.kept);
        tree.continue_from_table(&mut pv, self.depth);
        if tree.shows_lines {
            tree.complete_mate(&mut pv, self.score);
        }
        SearchReport {
            best: Some(self.best),
            score: self.score,
            depth: self.depth,
            nodes: tree.budget.spent,
            counters: tree.counters,
            reach: tree.reach,
            table_permille: tree.table.permille(),
            pv,
        }
    }
}
