//! The loop over the moves of a position.

use super::limits::Searched;
use super::picker::Picker;
use super::selectivity::{is_ordinary, margin};
use super::table::Bound;
use super::tree::{INFINITY, Node, NodeData, Tree};
use super::{Algorithm, Stage, Tactics};
use crate::eval::{Evaluation, Score};
use crate::{Move, MoveBuffer as _};

/// The move being searched.
#[derive(Clone, Copy)]
pub(super) struct CurrentMove {
    pub(super) mv: Move,
    pub(super) is_capture: bool,
    /// True for a killer or a counter move.
    pub(super) is_hint: bool,
    /// Extension in plies; negative for a reduction.
    pub(super) extension: i32,
}

/// Progress of the search of a position's moves.
pub(super) struct MoveSearch {
    pub(super) node: Node,
    pub(super) key: u64,
    pub(super) standing: NodeData,
    /// Number of moves searched, including the current one.
    pub(super) number: u32,
    /// Number of quiet moves searched before it.
    pub(super) quiets: u32,
}

/// The result of the search of a position's moves.
#[derive(Clone, Copy)]
pub(super) struct MoveResult {
    /// The last move that raised alpha.
    pub(super) best: Option<Move>,
    pub(super) score: Score,
    pub(super) bound: Bound,
}

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// Searches the moves of the current position; `first` is the table move, searched `extension`
    /// plies deeper. `None` if there are no moves.
    pub(super) fn search_moves(
        &mut self,
        node: Node,
        standing: NodeData,
        first: Option<Move>,
        extension: i32,
        accumulator: E::Accumulator,
    ) -> Searched<Option<MoveResult>> {
        let mut picker = Picker::all(self.ordering, first, node.ply, self.line.last());
        let mut search = MoveSearch {
            node,
            key: self.line.position().key(),
            standing,
            number: 0,
            quiets: 0,
        };
        let mut alpha = node.alpha;
        let mut best = None;
        let mut score = -INFINITY;
        let mut bound = Bound::Upper;
        let mut tried = P::Moves::default();
        let mut has_pruned = false;
        let mut provisional = false;
        loop {
            if !picker.forcing_only && self.prunes_quiets(&search, alpha, score) {
                picker.prune_quiets(self.line.position());
                has_pruned = true;
                provisional = true;
            }
            let Some(mv) = self.next_move(&mut picker, &node, accumulator)? else {
                break;
            };
            if node.without == Some(mv) {
                continue;
            }
            let is_capture = self.line.position().is_capture(mv);
            if score > -INFINITY && self.prunes(&search, mv, is_capture, alpha, score) {
                has_pruned = true;
                provisional = true;
                continue;
            }
            search.number += 1;
            let present = CurrentMove {
                mv,
                is_capture,
                is_hint: matches!(picker.stage(), Some(Stage::Killers | Stage::CounterMove)),
                extension: if first == Some(mv) { extension } else { 0 },
            };
            let result = self.value_of(present, &search, alpha, score, accumulator)?;
            // A cut-off depends only on its own move.
            provisional = self.provisional || (provisional && result < node.beta);
            search.quiets += u32::from(!is_capture);
            if result < node.beta && self.memory.takes_penalties() {
                tried.add(mv);
            }
            if result <= score {
                continue;
            }
            score = result;
            if result > alpha {
                best = Some(mv);
                alpha = result;
                bound = Bound::Exact;
                self.variation.set(node.ply as usize, mv);
                if result >= node.beta {
                    bound = Bound::Lower;
                    self.counters.cutoffs += 1;
                    self.counters.first_move_cutoffs += u64::from(search.number == 1);
                    self.counters.cutoff_numbers += u64::from(search.number);
                    break;
                }
            }
        }
        self.provisional = provisional;
        if has_pruned && bound == Bound::Upper {
            // The score of the pruned moves is known only to be at most alpha.
            score = score.max(node.alpha);
        }
        if score == -INFINITY {
            return Ok(None);
        }
        if let Some(mv) = best {
            self.learn(mv, node.depth, node.ply, bound, &tried);
        } else if node.without.is_none() {
            self.memory.credit_prior(node.ply, node.depth);
        }
        Ok(Some(MoveResult { best, score, bound }))
    }

    /// Returns whether a move is pruned after the first one.
    #[inline]
    fn prunes(
        &self,
        search: &MoveSearch,
        mv: Move,
        is_capture: bool,
        alpha: Score,
        best: Score,
    ) -> bool {
        let MoveSearch { node, standing, .. } = search;
        let params = self.params;
        if standing.in_check || !is_ordinary(best) || node.ply == 0 {
            return false;
        }
        let depth = node.depth;
        let hopeless = || !is_capture && (self.is_late(search) || self.is_futile(search, alpha));
        let poor = || {
            !is_capture
                && params.history_pruning.as_ref().is_some_and(|pruning| {
                    depth <= pruning.max_depth && {
                        let score = self.memory.score(self.line.position(), node.ply, mv);
                        score < -((pruning.slope * depth) as i32)
                    }
                })
        };
        let losing = || {
            params.exchange_pruning.as_ref().is_some_and(|pruning| {
                depth <= pruning.max_depth && {
                    let threshold = pruning.threshold(depth, is_capture);
                    let (position, values) = (self.line.position(), &self.ordering.values);
                    !position.exchange_at_least(mv, threshold, values)
                }
            })
        };
        (hopeless() || poor() || losing()) && !self.line.position().gives_check(mv)
    }

    /// Returns whether all remaining quiet moves without check are pruned.
    #[inline]
    fn prunes_quiets(&self, search: &MoveSearch, alpha: Score, best: Score) -> bool {
        let MoveSearch { node, standing, .. } = search;
        !standing.in_check
            && node.ply > 0
            && is_ordinary(best)
            && (self.is_late(search) || self.is_futile(search, alpha))
    }

    /// Returns whether late move pruning applies to quiet moves.
    #[inline]
    fn is_late(&self, search: &MoveSearch) -> bool {
        let pruning = self.params.late_move_pruning.as_ref();
        let depth = search.node.depth;
        pruning.is_some_and(|pruning| {
            depth <= pruning.max_depth
                && search.quiets >= pruning.quiets(depth, search.standing.improving)
        })
    }

    /// Returns whether futility pruning applies to quiet moves.
    #[inline]
    fn is_futile(&self, search: &MoveSearch, alpha: Score) -> bool {
        let depth = search.node.depth;
        let futility = self.params.futility.as_ref();
        futility.is_some_and(|futility| {
            depth <= futility.max_depth
                && is_ordinary(alpha)
                && search.standing.evaluation + margin(futility.base, futility.slope, depth)
                    <= alpha
        })
    }

    /// The value of the current move for the side that plays it; `best` is the value of the best
    /// move so far.
    #[inline]
    pub(super) fn value_of(
        &mut self,
        present: CurrentMove,
        search: &MoveSearch,
        alpha: Score,
        best: Score,
        accumulator: E::Accumulator,
    ) -> Searched<Score> {
        let node = &search.node;
        let mv = present.mv;
        self.budget.spend()?;
        self.fetch_after(mv);
        let after = self.eval.advance(accumulator, self.line.position(), mv);
        let late = self.late(present, search);
        let may_extend = self.may_extend(node, mv);
        self.memory.enter(self.line.position(), node.ply, mv);
        self.line.play_from(search.key, mv);
        let extended = u32::from(may_extend && self.line.position().in_check());
        let extended = match extended {
            0 => present.extension,
            _ => present.extension.max(1),
        };
        let child = |depth, alpha: Score, beta: Score, cuts| Node {
            extensions: node.extensions.saturating_add_signed(extended.max(0)),
            cuts,
            ..Node::new(depth, node.ply + 1, -beta, -alpha)
        };
        let depth = (node.depth - 1).saturating_add_signed(extended);
        let is_pv = search.standing.is_pv;
        let is_exact = node.ply == 0 && self.candidates.is_some();
        let (low, high) = match self.params.algorithm {
            _ if is_exact => (-INFINITY, INFINITY),
            Algorithm::Minimax | Algorithm::Negamax => (-INFINITY, INFINITY),
            Algorithm::BetaOnly => (best, INFINITY),
            Algorithm::FailHard | Algorithm::FailSoft | Algorithm::Pvs => (alpha, node.beta),
        };
        let is_pvs = self.params.algorithm == Algorithm::Pvs && !is_exact;
        let scout = if is_pvs && search.number > 1 {
            low + 1
        } else {
            high
        };
        let reduction = if late > 0 && !self.line.position().in_check() {
            late
        } else {
            0
        };
        let mut score = -INFINITY;
        let mut open = true;
        let mut reduced = u32::MAX;
        if reduction > 0 {
            reduced = depth.saturating_sub(reduction).max(depth.min(1));
            score = -self.value(child(reduced, low, scout, true), after)?;
            open = score > low;
        }
        if open {
            let cuts = !node.cuts && (!is_pv || scout < high);
            let again = match reduction {
                0 => depth,
                _ => self.reductions.map_or(depth, |reductions| {
                    reductions.depth_after(depth, score, best)
                }),
            };
            if again != reduced {
                score = -self.value(child(again, low, scout, cuts), after)?;
            }
            if scout < high && score > low && score < high {
                score = -self.value(child(depth, low, high, false), after)?;
            }
        }
        self.line.undo();
        Ok(score)
    }

    /// Returns whether a move about to be played from `node` is extended if it gives check.
    #[inline]
    fn may_extend(&self, node: &Node, mv: Move) -> bool {
        let extension = self.params.check_extension.as_ref();
        extension.is_some_and(|extension| {
            let position = self.line.position();
            node.extensions < extension.limit
                && (!extension.safe
                    || (position.gives_check(mv)
                        && position.exchange_at_least(mv, 0, &self.ordering.values)))
        })
    }

    /// Plies by which a move about to be played is reduced at first, unless it gives check.
    #[inline]
    fn late(&self, present: CurrentMove, search: &MoveSearch) -> u32 {
        self.reductions.map_or(0, |reductions| {
            reductions.plies(present, search, || {
                let position = self.line.position();
                self.memory.score(position, search.node.ply, present.mv)
            })
        })
    }

    /// Credits the best move of a node, which raised alpha or cut off.
    #[inline]
    pub(super) fn learn(&mut self, mv: Move, depth: u32, ply: u32, bound: Bound, tried: &[Move]) {
        let cut = bound == Bound::Lower;
        let position = self.line.position();
        self.memory.learn(position, ply, depth, mv, cut, tried);
    }
}
