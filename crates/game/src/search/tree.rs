//! The nodes of the search tree below the root.

use super::auxiliary::Candidates;
use super::endgame_play::EndgamePlay;
use super::evaluations::Evaluations;
use super::limits::{Budget, Searched};
use super::memory::Memory;
use super::moves::MoveResult;
use super::ordering::Ordering;
use super::selectivity::{Reductions, is_ordinary};
use super::shortcuts::Singular;
use super::table::{Bound, StoredScore, Table};
use super::variation::Variation;
use super::{Algorithm, Counters, MAX_PLY, Quiescence, SearchParams, Tactics};
use crate::eval::{Evaluation, MATE, Score};
use crate::{Line, Move, Scope};

/// A score beyond all possible scores.
pub(super) const INFINITY: Score = MATE + 1;

/// Distinguishes the key of a position that occurred before from its first occurrence.
const REPEATED: u64 = 0x9e37_79b9_7f4a_7c15;

/// One of 64 bits, as a hash of a key.
pub(super) fn key_bit(key: u64) -> u64 {
    1 << (key >> 58)
}

/// Marks a missing evaluation, because the side to move was in check.
pub(super) const UNKNOWN: Score = INFINITY;

/// The working state of one search.
///
/// A search function returns immediately when the budget is spent, without undoing the moves of the
/// line.
pub struct Tree<'a, P: Tactics, E: Evaluation<P>> {
    /// The line of play down to the current node.
    pub line: &'a mut Line<P>,
    pub(super) eval: &'a E,
    pub(super) evaluations: Option<&'a mut Evaluations>,
    pub(super) table: &'a mut Table,
    pub(super) memory: &'a mut Memory,
    pub(super) variation: &'a mut Variation,
    pub(super) paths: &'a mut [PlyData],
    pub(super) ordering: &'a Ordering,
    pub(super) params: &'a SearchParams,
    pub(super) reductions: Option<&'a Reductions>,
    /// True if any pruning needs the static evaluation.
    pub(super) evaluates: bool,
    pub(super) quiescence: Option<&'a Quiescence>,
    /// If present, stores the values of the root moves, which are then exact.
    pub(super) candidates: Option<&'a mut Candidates>,
    /// The history rules, if they apply inside the tree.
    pub(super) rules: Option<P::Rules>,
    /// Number of moves of the line before the search.
    pub(super) root: usize,
    /// A bit, by [`key_bit`], for each position at or before the root that a position of the tree
    /// could repeat.
    pub(super) earlier_keys: u64,
    pub(super) budget: Budget<'a>,
    pub(super) counters: Counters,
    /// The greatest number of plies from the root in any line.
    pub(super) reach: u32,
    /// Moves that are not searched at the root.
    pub(super) excluded: Vec<Move>,
    /// The endgame solver, if any.
    pub(super) endings: Option<&'a mut EndgamePlay<P>>,
    /// The rules that the endgame solver uses.
    pub(super) end_rules: P::Rules,
    /// The depth of the first iteration that uses the endgame solver.
    pub(super) plays_out_from: u32,
    /// True if lines are shown: those of a mate are then completed.
    pub(super) shows_lines: bool,
    /// The mean change of the score between iterations, with the greatest weight on recent ones.
    pub(super) swing: Score,
    /// True if the last returned value depends on anything that a deeper search might change: the
    /// horizon, a line that was pruned, cut short or reduced, a table entry with such a dependency,
    /// a repetition. Each function that returns a value sets it.
    pub(super) provisional: bool,
}

/// The data of one ply of the current path.
#[derive(Clone, Copy)]
pub(super) struct PlyData {
    /// The static evaluation, or [`UNKNOWN`].
    pub(super) evaluation: Score,
    /// The best move of the last search of a position at this ply.
    pub(super) found: Option<Move>,
}

impl PlyData {
    pub(super) const NEW: PlyData = PlyData {
        evaluation: UNKNOWN,
        found: None,
    };
}

/// A position to search, with the parameters of its search.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Plies to the horizon.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    /// Plies by which the line has been extended.
    pub(super) extensions: u32,
    /// True if the side to move may make a null move.
    pub(super) may_pass: bool,
    /// True if a cut-off is expected.
    pub(super) cuts: bool,
    /// An excluded move, to find the value of the others.
    pub(super) without: Option<Move>,
}

impl Node {
    /// A node without extensions, whose side to move may make any move and expects no cut-off.
    #[inline]
    pub(super) const fn new(depth: u32, ply: u32, alpha: Score, beta: Score) -> Self {
        Self {
            depth,
            ply,
            alpha,
            beta,
            extensions: 0,
            may_pass: true,
            cuts: false,
            without: None,
        }
    }
}

/// The data of a position when its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct NodeData {
    pub(super) in_check: bool,
    /// The static evaluation, or a better value from the table; [`UNKNOWN`] in check or if unused.
    pub(super) evaluation: Score,
    /// The static evaluation itself; [`UNKNOWN`] in the same cases.
    pub(super) own: Score,
    /// True if it is better than at the side's last turn.
    pub(super) improving: bool,
    /// True if the score may become part of the principal variation.
    pub(super) is_pv: bool,
}

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// The value of the current position, searched with the parameters of `node`: exact if it lies
    /// between alpha and beta, otherwise a bound on that side.
    #[inline]
    pub(super) fn value(&mut self, node: Node, accumulator: E::Accumulator) -> Searched<Score> {
        match self.params.algorithm {
            Algorithm::Minimax => self.extreme_value(node, accumulator),
            Algorithm::FailHard => {
                let score = self.unbounded_value(node, accumulator)?;
                Ok(score.clamp(node.alpha, node.beta))
            }
            _ => self.unbounded_value(node, accumulator),
        }
    }

    #[inline]
    fn unbounded_value(&mut self, mut node: Node, accumulator: E::Accumulator) -> Searched<Score> {
        let ply = node.ply;
        self.variation.clear(ply as usize);
        if let Some(score) = self.rule_value(ply) {
            self.provisional = true;
            return Ok(score);
        }
        if let Some(score) = self.endgame_value(&node)? {
            return Ok(score);
        }
        if self.params.mate_distance {
            node.alpha = node.alpha.max(ply as Score - MATE);
            node.beta = node.beta.min(MATE - ply as Score - 1);
            if node.alpha >= node.beta {
                self.provisional = true;
                return Ok(node.alpha);
            }
        }
        if node.depth == 0 || ply >= MAX_PLY {
            return self.horizon(node, accumulator);
        }
        self.inner_value(node, accumulator)
    }

    /// The value of a position within the horizon. A separate function, so that the many calls at
    /// the horizon use no stack space for moves.
    #[inline(never)]
    fn inner_value(&mut self, mut node: Node, accumulator: E::Accumulator) -> Searched<Score> {
        let ply = node.ply;
        let key = self.key();
        let known = self.table.probe(key, ply);
        self.counters.table_probes += 1;
        self.counters.table_hits += u64::from(known.is_some());
        if let Some(known) = known
            && let Some(score) = known.decides(
                node.depth,
                self.params.table_same_depth,
                node.alpha,
                node.beta,
            )
        {
            self.provisional = !known.is_final;
            self.counters.table_cutoffs += 1;
            return Ok(score);
        }

        let standing = self.standing(&node, known, accumulator);
        if let Some(score) = self.cut_short(&node, standing, known, accumulator)? {
            self.provisional = true;
            return Ok(score);
        }
        let mut first = known.and_then(|known| known.best);
        if first.is_none() {
            first = self.deepen_internally(&mut node, accumulator)?;
        }
        let extension = match self.singular(&node, standing, known, accumulator)? {
            Singular::Decided(score) => {
                self.provisional = true;
                return Ok(score);
            }
            Singular::Extended(by) => by,
        };
        let found = self.search_moves(node, standing, first, extension, accumulator)?;
        let Some(found) = found else {
            self.provisional = false;
            return Ok(self.eval.evaluate_without_moves(self.line.position(), ply));
        };
        self.paths[ply as usize].found = found.best;
        self.correct(&node, &standing, &found);
        self.table.store(
            key,
            ply,
            StoredScore {
                best: found.best,
                score: match self.params.algorithm {
                    Algorithm::FailHard => found.score.clamp(node.alpha, node.beta),
                    _ => found.score,
                },
                depth: node.depth,
                bound: found.bound,
                is_final: P::EVERY_LINE_ENDS && !self.provisional,
            },
        );
        Ok(found.score)
    }

    /// The table key of the current position.
    ///
    /// A position that occurred before, at the root or earlier in the game, has its own key: it is
    /// one repetition nearer to the end of the game than its earlier table entry.
    pub fn key(&self) -> u64 {
        let key = self.line.position().key();
        if self.earlier_keys & key_bit(key) != 0
            && self.rules.is_some()
            && self.occurred_before(key)
        {
            key ^ REPEATED
        } else {
            key
        }
    }

    #[cold]
    fn occurred_before(&self, key: u64) -> bool {
        let now = self.line.len();
        let reach = self.line.position().reversible_plies().min(now);
        let earlier = (4..=reach).step_by(2).map(|back| now - back);
        earlier
            .filter(|&index| index <= self.root)
            .any(|index| self.line.key_after(index) == key)
    }

    /// Prefetches the stored data of the position after `mv`.
    #[inline]
    pub(super) fn fetch_after(&self, mv: Move) {
        if let Some(key) = self.line.position().key_after(mv) {
            self.table.fetch(key);
            if let Some(evaluations) = &self.evaluations {
                evaluations.fetch(key);
            }
        }
    }

    /// The value of a position at the horizon.
    pub(super) fn horizon(&mut self, node: Node, accumulator: E::Accumulator) -> Searched<Score> {
        self.reach = self.reach.max(node.ply);
        self.provisional = true;
        match self.quiescence {
            Some(settings) => {
                self.quiescence_value(settings, node.ply, 0, node.alpha, node.beta, accumulator)
            }
            None => Ok(self.evaluate_near(node.ply, node.alpha, node.beta, accumulator)),
        }
    }

    /// The static evaluation of the current position.
    #[inline]
    pub(super) fn evaluate(&mut self, accumulator: E::Accumulator) -> Score {
        let position = self.line.position();
        let evaluate = || self.eval.evaluate(position, accumulator);
        match &mut self.evaluations {
            None => evaluate(),
            Some(known) => known.get(position.key(), evaluate),
        }
    }

    /// The static evaluation if it lies between alpha and beta; otherwise a bound on that side is
    /// enough.
    #[inline]
    pub(super) fn evaluate_near(
        &mut self,
        ply: u32,
        alpha: Score,
        beta: Score,
        accumulator: E::Accumulator,
    ) -> Score {
        let margin = self.params.lazy_evaluation as Score;
        if margin > 0 && self.evaluations.is_some() {
            let estimate = self.eval.estimate(self.line.position(), accumulator);
            if estimate - margin >= beta {
                return estimate - margin;
            }
            if estimate + margin <= alpha {
                return estimate + margin;
            }
        }
        let score = self.evaluate(accumulator);
        self.memory.corrected(self.line.position(), ply, score)
    }

    /// Adds the error of the static evaluation to the correction history, unless the result depends
    /// on a capture or is a bound without new information.
    fn correct(&mut self, node: &Node, standing: &NodeData, found: &MoveResult) {
        let error = found.score - standing.own;
        let position = self.line.position();
        let is_informative = standing.own != UNKNOWN
            && is_ordinary(found.score)
            && !found.best.is_some_and(|mv| position.is_capture(mv))
            && match found.bound {
                Bound::Exact => true,
                Bound::Lower => error > 0,
                Bound::Upper => error < 0,
            };
        if is_informative {
            self.memory.correct(position, node.ply, node.depth, error);
        }
    }

    /// The value of a position below the root that the history rules end.
    #[inline]
    pub(super) fn rule_value(&self, ply: u32) -> Option<Score> {
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
