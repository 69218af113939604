//! The nodes of the search tree below the root.

use super::evaluations::Evaluations;
use super::limits::Budget;
use super::memory::Memory;
use super::ordering::Ordering;
use super::picker::Picker;
use super::selectivity::{Selectivity, is_ordinary};
use super::table::{Bound, Known, Table};
use super::variation::Variation;
use super::{
    Algorithm, Counters, DeepeningKind, InternalDeepening, MAX_PLY, Quiescence, Stage, Tactics,
};
use crate::eval::{Evaluation, MATE, Score};
use crate::game::{Line, Move, MoveList, Scope};

/// Beyond every score.
pub(super) const INFINITY: Score = MATE + 1;

/// Tells the key of a position that stood before from that of one that did not.
const REPEATED: u64 = 0x9e37_79b9_7f4a_7c15;

/// One of 64 bits that a key is told apart by.
pub(super) fn key_bit(key: u64) -> u64 {
    1 << (key >> 58)
}

/// No evaluation: the side to move was in check.
const UNKNOWN: Score = INFINITY;

/// The working state of one search.
///
/// Each search function returns `None` when the budget is spent; the line is
/// then left as it stands.
pub(super) struct Tree<'a, P: Tactics, E: Evaluation<P>> {
    pub(super) line: &'a mut Line<P>,
    pub(super) eval: &'a E,
    pub(super) evaluations: Option<&'a mut Evaluations>,
    pub(super) table: &'a mut Table,
    pub(super) memory: &'a mut Memory,
    pub(super) variation: &'a mut Variation,
    pub(super) paths: &'a mut [Trace],
    pub(super) ordering: &'a Ordering,
    pub(super) algorithm: Algorithm,
    /// Whether the table decides only for the depth that it was told.
    pub(super) same_depth: bool,
    pub(super) selectivity: &'a Selectivity,
    pub(super) quiescence: Option<&'a Quiescence>,
    pub(super) internal_deepening: Option<&'a InternalDeepening>,
    /// The history rules, if they are applied inside the tree.
    pub(super) rules: Option<P::Rules>,
    /// Number of moves of the line before the search.
    pub(super) root: usize,
    /// A bit, by [`key_bit`], for each position that a position of the tree
    /// could repeat from the root or from before it.
    pub(super) stood: u64,
    pub(super) budget: Budget<'a>,
    pub(super) counters: Counters,
}

/// What is kept for each ply of the present path.
#[derive(Clone, Copy)]
pub(super) struct Trace {
    /// The static evaluation, or [`UNKNOWN`].
    evaluation: Score,
    /// The move that the last search of a position at this ply found best.
    found: Option<Move>,
}

impl Trace {
    pub(super) const NEW: Trace = Trace {
        evaluation: UNKNOWN,
        found: None,
    };
}

/// A position to be searched, and how.
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
    /// Whether the side to move may pass.
    pub(super) may_pass: bool,
}

/// What is known of a position when its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    pub(super) in_check: bool,
    /// The static evaluation, or what the table knows better; [`UNKNOWN`] in
    /// check or where nobody asks.
    pub(super) evaluation: Score,
    /// Whether it is better than at the side's last turn.
    pub(super) improving: bool,
    /// Whether the score may become part of the principal variation.
    pub(super) is_pv: bool,
}

impl<'a, P: Tactics, E: Evaluation<P>> Tree<'a, P, E> {
    /// The value of the present position, searched as `node` says: exact if it
    /// lies between alpha and beta, else a bound on the side on which it lies.
    pub(super) fn value(&mut self, node: Node, accumulator: E::Accumulator) -> Option<Score> {
        match self.algorithm {
            Algorithm::Minimax => self.extreme_value(node, accumulator),
            Algorithm::FailHard => {
                let score = self.unbounded_value(node, accumulator)?;
                Some(score.clamp(node.alpha, node.beta))
            }
            _ => self.unbounded_value(node, accumulator),
        }
    }

    fn unbounded_value(&mut self, mut node: Node, accumulator: E::Accumulator) -> Option<Score> {
        let ply = node.ply;
        self.variation.clear(ply as usize);
        if let Some(score) = self.ruled(ply) {
            return Some(score);
        }
        if self.selectivity.mate_distance {
            node.alpha = node.alpha.max(ply as Score - MATE);
            node.beta = node.beta.min(MATE - ply as Score - 1);
            if node.alpha >= node.beta {
                return Some(node.alpha);
            }
        }
        if node.depth == 0 || ply >= MAX_PLY {
            return self.horizon(node, accumulator);
        }

        let key = self.key();
        let known = self.table.probe(key, ply);
        self.counters.table_probes += 1;
        self.counters.table_hits += u64::from(known.is_some());
        if let Some(known) = known
            && (known.depth == node.depth || !self.same_depth)
            && let Some(score) = known.decides(node.depth, node.alpha, node.beta)
        {
            self.counters.table_cutoffs += 1;
            return Some(score);
        }

        let standing = self.standing(&node, known, accumulator);
        if let Some(score) = self.cut_short(&node, standing, accumulator)? {
            return Some(score);
        }
        let mut first = known.and_then(|known| known.best);
        if first.is_none() {
            first = self.deepen_internally(&mut node, accumulator)?;
        }
        let picker = Picker::all(self.ordering, first, ply);
        let found = self.search_moves(node, standing, picker, accumulator)?;
        let Some(found) = found else {
            return Some(self.eval.evaluate_without_moves(self.line.position(), ply));
        };
        self.paths[ply as usize].found = found.best;
        self.table.store(
            key,
            ply,
            Known {
                best: found.best,
                score: match self.algorithm {
                    Algorithm::FailHard => found.score.clamp(node.alpha, node.beta),
                    _ => found.score,
                },
                depth: node.depth,
                bound: found.bound,
            },
        );
        Some(found.score)
    }

    /// The key under which the table keeps the present position.
    ///
    /// A position that stood before, at the root or earlier in the game, has
    /// one of its own: it is one repetition nearer to the end of the game than
    /// when the table last heard of it.
    pub(super) fn key(&self) -> u64 {
        let key = self.line.position().key();
        if self.stood & key_bit(key) != 0 && self.rules.is_some() && self.stood_by_root(key) {
            key ^ REPEATED
        } else {
            key
        }
    }

    #[cold]
    fn stood_by_root(&self, key: u64) -> bool {
        let now = self.line.len();
        let reach = self.line.position().reversible_plies().min(now);
        let earlier = (4..=reach).step_by(2).map(|back| now - back);
        earlier
            .filter(|&index| index <= self.root)
            .any(|index| self.line.key_after(index) == key)
    }

    /// The value of a position at the horizon.
    pub(super) fn horizon(&mut self, node: Node, accumulator: E::Accumulator) -> Option<Score> {
        match self.quiescence {
            Some(settings) => {
                self.settled(settings, node.ply, 0, node.alpha, node.beta, accumulator)
            }
            None => Some(self.evaluate(accumulator)),
        }
    }

    /// The static evaluation of the present position.
    #[inline]
    pub(super) fn evaluate(&mut self, accumulator: E::Accumulator) -> Score {
        let position = self.line.position();
        match &mut self.evaluations {
            None => self.eval.evaluate(position, accumulator),
            Some(known) => {
                let evaluate = || self.eval.evaluate(position, accumulator);
                known.get(position.key(), evaluate)
            }
        }
    }

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
    fn cut_short(
        &mut self,
        node: &Node,
        standing: Standing,
        accumulator: E::Accumulator,
    ) -> Option<Option<Score>> {
        let evaluation = standing.evaluation;
        if standing.is_pv || evaluation == UNKNOWN {
            return Some(None);
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
            return Some(Some(evaluation));
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
                return Some(Some(score));
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
    ) -> Option<Option<Score>> {
        let Some(null_move) = &self.selectivity.null_move else {
            return Some(None);
        };
        let Node { depth, beta, .. } = *node;
        if !node.may_pass
            || depth < null_move.min_depth
            || !is_ordinary(beta)
            || evaluation < beta
            || !self.line.position().can_pass()
        {
            return Some(None);
        }
        let reduced = depth.saturating_sub(null_move.reduction(depth, evaluation - beta));
        self.budget.spend()?;
        self.memory.enter_null(node.ply);
        self.line.play_null();
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
            return Some(None);
        }
        // A mate after a pass proves nothing.
        let score = if is_ordinary(score) { score } else { beta };
        if null_move.verification == 0 || depth < null_move.verification {
            return Some(Some(score));
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
        Some((confirmed >= beta).then_some(score))
    }

    /// A first move by a shallower search of the same position.
    fn deepen_internally(
        &mut self,
        node: &mut Node,
        accumulator: E::Accumulator,
    ) -> Option<Option<Move>> {
        let Some(deepening) = self.internal_deepening else {
            return Some(None);
        };
        if node.depth < deepening.min_depth || node.depth <= deepening.reduction {
            return Some(None);
        }
        let shallower = Node {
            depth: node.depth - deepening.reduction,
            may_pass: false,
            ..*node
        };
        if deepening.kind == DeepeningKind::Reduce {
            node.depth = shallower.depth;
            return Some(None);
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
        Some(self.paths[node.ply as usize].found)
    }

    /// Searches the moves of the present position; nothing if there are none.
    pub(super) fn search_moves(
        &mut self,
        node: Node,
        standing: Standing,
        mut picker: Picker<'a>,
        accumulator: E::Accumulator,
    ) -> Option<Option<Found>> {
        let mut search = Moves {
            node,
            standing,
            number: 0,
            quiets: 0,
        };
        let mut alpha = node.alpha;
        let mut best = None;
        let mut score = -INFINITY;
        let mut bound = Bound::Upper;
        let mut tried = MoveList::new();
        while let Some(mv) = picker.next(self.line.position(), self.memory) {
            let is_capture = self.line.position().is_capture(mv);
            if score > -INFINITY && self.leaves_out(&search, mv, is_capture, alpha, score) {
                continue;
            }
            search.number += 1;
            let present = Present {
                mv,
                is_capture,
                is_hint: matches!(picker.stage(), Some(Stage::Killers | Stage::CounterMove)),
            };
            let result = self.value_of(present, &search, alpha, score, accumulator)?;
            if !is_capture {
                search.quiets += 1;
                if result < node.beta && self.memory.takes_penalties() {
                    let _ = tried.try_push(mv);
                }
            }
            if result <= score {
                continue;
            }
            score = result;
            if result > alpha {
                best = Some(mv);
                alpha = result;
                bound = Bound::Exact;
                if result >= node.beta {
                    bound = Bound::Lower;
                    self.counters.cutoffs += 1;
                    self.counters.first_move_cutoffs += u64::from(search.number == 1);
                    self.counters.cutoff_numbers += u64::from(search.number);
                    break;
                }
                self.variation.set(node.ply as usize, mv);
            }
        }
        if score == -INFINITY {
            return Some(None);
        }
        if let Some(mv) = best {
            self.learn(mv, node.depth, node.ply, bound, &tried);
        }
        Some(Some(Found { best, score, bound }))
    }

    /// Whether a move is not searched at all, once another one was.
    #[inline]
    fn leaves_out(
        &self,
        search: &Moves,
        mv: Move,
        is_capture: bool,
        alpha: Score,
        best: Score,
    ) -> bool {
        let Moves {
            node,
            standing,
            quiets,
            ..
        } = search;
        let selectivity = self.selectivity;
        if standing.in_check || !is_ordinary(best) || node.ply == 0 {
            return false;
        }
        let late = !is_capture
            && selectivity
                .late_move_pruning
                .as_ref()
                .is_some_and(|pruning| {
                    node.depth <= pruning.max_depth
                        && *quiets >= pruning.quiets(node.depth, standing.improving)
                });
        let futile = !is_capture
            && selectivity.futility.as_ref().is_some_and(|futility| {
                node.depth <= futility.max_depth
                    && is_ordinary(alpha)
                    && standing.evaluation + futility.margin(node.depth) <= alpha
            });
        let losing = || {
            selectivity
                .exchange_pruning
                .as_ref()
                .is_some_and(|pruning| {
                    node.depth <= pruning.max_depth && {
                        let threshold = pruning.threshold(node.depth, is_capture);
                        !self.line.position().exchange_at_least(mv, threshold)
                    }
                })
        };
        (late || futile || losing()) && !self.line.position().gives_check(mv)
    }

    /// The value of the present move for the side that plays it; `best` is that
    /// of the best move so far.
    #[inline]
    pub(super) fn value_of(
        &mut self,
        present: Present,
        search: &Moves,
        alpha: Score,
        best: Score,
        accumulator: E::Accumulator,
    ) -> Option<Score> {
        let node = &search.node;
        let mv = present.mv;
        self.budget.spend()?;
        let after = self.eval.advance(accumulator, self.line.position(), mv);
        let late = self.late(present, search);
        self.memory.enter(self.line.position(), node.ply, mv);
        self.line.play(mv);
        let extended = u32::from(self.is_extended(node));
        let child = |depth, alpha: Score, beta: Score| Node {
            depth,
            ply: node.ply + 1,
            alpha: -beta,
            beta: -alpha,
            extensions: node.extensions + extended,
            may_pass: true,
        };
        let depth = node.depth - 1 + extended;
        let (low, high) = match self.algorithm {
            Algorithm::Minimax | Algorithm::Negamax => (-INFINITY, INFINITY),
            Algorithm::BetaOnly => (best, INFINITY),
            Algorithm::FailHard | Algorithm::FailSoft | Algorithm::Pvs => (alpha, node.beta),
        };
        let is_pvs = self.algorithm == Algorithm::Pvs;
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
        if reduction > 0 {
            score = -self.value(child(depth - reduction, low, scout), after)?;
            open = score > low;
        }
        if open {
            score = -self.value(child(depth, low, scout), after)?;
            if scout < high && score > low && score < high {
                score = -self.value(child(depth, low, high), after)?;
            }
        }
        self.line.undo();
        Some(score)
    }

    /// Whether the position after a move from `node` is searched deeper.
    #[inline]
    fn is_extended(&self, node: &Node) -> bool {
        let extension = self.selectivity.check_extension.as_ref();
        extension.is_some_and(|extension| {
            node.extensions < extension.limit && self.line.position().in_check()
        })
    }

    /// Plies by which a move that is about to be played is searched less deeply
    /// at first, unless it gives check.
    #[inline]
    fn late(&self, present: Present, search: &Moves) -> u32 {
        let Some(reductions) = &self.selectivity.reductions else {
            return 0;
        };
        let Moves {
            node,
            standing,
            number,
            ..
        } = *search;
        if number <= reductions.full_moves
            || node.depth < reductions.min_depth
            || present.is_capture
            || standing.in_check
        {
            return 0;
        }
        let mut hundredths = reductions.hundredths(node.depth, number);
        if standing.is_pv {
            hundredths -= 100;
        }
        if !standing.improving {
            hundredths += 50;
        }
        if present.is_hint {
            hundredths -= 100;
        } else if reductions.history > 0 {
            let position = self.line.position();
            let score = self.memory.score(position, node.ply, present.mv);
            let plies = i64::from(score) * 100 / i64::from(reductions.history);
            hundredths -= plies.clamp(-200, 200) as i32;
        }
        // At least one ply is left: the horizon is for the quiescence search.
        ((hundredths / 100).max(0) as u32).min(node.depth.saturating_sub(2))
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

/// The move that is being searched.
#[derive(Clone, Copy)]
pub(super) struct Present {
    pub(super) mv: Move,
    pub(super) is_capture: bool,
    /// Whether it is a killer or a counter move.
    pub(super) is_hint: bool,
}

/// How far the search of a position's moves is.
pub(super) struct Moves {
    pub(super) node: Node,
    pub(super) standing: Standing,
    /// Number of moves searched, the present one included.
    pub(super) number: u32,
    /// Number of quiet moves searched before it.
    pub(super) quiets: u32,
}

/// What the search of a position's moves found.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// The move that raised alpha last.
    pub(super) best: Option<Move>,
    pub(super) score: Score,
    pub(super) bound: Bound,
}
