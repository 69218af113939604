//! Iterative deepening, and the memory of a search.

use std::fmt;

use super::aspiration::AspirationWindow;
use super::auxiliary::Candidates;
use super::endgame_play::EndgamePlay;
use super::evaluations::Evaluations;
use super::iterations::{Schedule, SearchResult, is_proven, without_moves};
use super::limits::Budget;
use super::memory::Memory;
use super::ordering::Ordering;
use super::selectivity::Reductions;
use super::table::{StoredScore, Table};
use super::tree::{PlyData, Tree, key_bit};
use super::variation::Variation;
use super::{
    Auxiliary, Counters, DeepeningKind, MAX_PLY, SearchLimits, SearchParams, SearchReport, Tactics,
};
use crate::eval::Evaluation;
use crate::{Line, MoveBuffer as _};

/// An alpha-beta search of the game `P` with the evaluation `E`, and its memory of the current
/// game.
///
/// Its results are a function of the parameters and of the searches since
/// [`new_game`](Search::new_game), as long as no stop signal comes. It allocates all memory on
/// creation; a search allocates only for its reports.
pub struct Search<P: Tactics, E: Evaluation<P>> {
    params: SearchParams,
    pub(super) eval: E,
    /// `None` if evaluating is as fast as a lookup.
    evaluations: Option<Evaluations>,
    ordering: Ordering,
    pub(super) table: Table,
    memory: Memory,
    variation: Variation,
    paths: Vec<PlyData>,
    reductions: Option<Reductions>,
    /// Candidates of the auxiliary search, if enabled.
    candidates: Option<Candidates>,
    line: Line<P>,
    endings: Option<EndgamePlay<P>>,
}

impl<P: Tactics, E: Evaluation<P>> fmt::Debug for Search<P, E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Search");
        shown.field("params", &self.params).finish_non_exhaustive()
    }
}

impl<P: Tactics, E: Evaluation<P>> Search<P, E> {
    /// The table entry of a position `ply` plies below the root.
    #[doc(hidden)]
    pub fn entry(&self, key: u64, ply: u32) -> Option<StoredScore> {
        self.table.probe(key, ply)
    }

    /// A search with empty memory. The parameters must have no
    /// [`conflict`](SearchParams::conflict): numbers out of their ranges can exhaust the memory or
    /// the stack.
    pub fn new(params: SearchParams, eval: E) -> Self {
        let ordering = Ordering::new(&params, P::order_values(&params));
        Self {
            memory: Memory::new::<P>(&params, &ordering),
            ordering,
            table: Table::new(params.table_mb, params.table_replacement),
            variation: Variation::new(),
            paths: vec![PlyData::NEW; MAX_PLY as usize],
            reductions: params.late_move_reductions.as_ref().map(Reductions::new),
            candidates: params
                .auxiliary
                .as_ref()
                .map(|_| Candidates::new(P::Moves::CAPACITY)),
            line: Line::new(P::initial()),
            endings: EndgamePlay::new(params.endgame.as_ref()),
            params,
            evaluations: eval.is_costly().then(Evaluations::new),
            eval,
        }
    }

    /// Clears the memory and replaces parameters and evaluation, as if newly created. Keeps the
    /// table's allocation if the size is the same.
    pub fn reconfigure(&mut self, params: SearchParams, eval: E) {
        if params != self.params {
            let ordering = Ordering::new(&params, P::order_values(&params));
            self.memory = Memory::new::<P>(&params, &ordering);
            self.ordering = ordering;
            self.reductions = params.late_move_reductions.as_ref().map(Reductions::new);
            self.candidates = params
                .auxiliary
                .as_ref()
                .map(|_| Candidates::new(P::Moves::CAPACITY));
            if params.endgame != self.params.endgame {
                self.endings = EndgamePlay::new(params.endgame.as_ref());
            }
            let is_same_table = params.table_mb == self.params.table_mb
                && params.table_replacement == self.params.table_replacement;
            if !is_same_table {
                self.table = Table::new(params.table_mb, params.table_replacement);
            }
            self.params = params;
        }
        // The cache contains the old evaluation's results.
        match (&mut self.evaluations, eval.is_costly()) {
            (Some(evaluations), true) => evaluations.clear(),
            (evaluations, is_costly) => *evaluations = is_costly.then(Evaluations::new),
        }
        self.eval = eval;
        self.new_game();
    }

    /// The parameters of the search.
    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// Clears the memory of the game. Takes no longer for a large table.
    pub fn new_game(&mut self) {
        self.table.new_game();
        self.memory.new_game();
        if let Some(endings) = &mut self.endings {
            endings.solver.new_game();
        }
    }

    /// Searches the position at the end of `line`, deeper and deeper, until a limit is reached.
    ///
    /// An interrupted iteration counts if it had searched the best move of the previous one. The
    /// search also ends when an iteration has reached the end of the game in all relevant lines,
    /// where the game allows it ([`EVERY_LINE_ENDS`](Tactics::EVERY_LINE_ENDS)), and without a
    /// depth limit when it has found a mate that no deeper iteration could improve. The memory of
    /// the game is kept, but history scores age.
    ///
    /// Score and depth of a position without legal moves are those of a search to depth 0, as are
    /// those of a search that is interrupted in its first move: its best move is the first of the
    /// ordering.
    pub fn run(&mut self, line: &Line<P>, rules: P::Rules, limits: &SearchLimits) -> SearchReport {
        self.run_until(line, rules, limits, &|| false, None)
    }

    /// As [`run`](Self::run), or until `stop` returns true, which is called once in 1024 nodes. Each
    /// finished iteration is passed to `on_iteration`.
    pub fn run_until(
        &mut self,
        line: &Line<P>,
        rules: P::Rules,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
        mut on_iteration: Option<&mut dyn FnMut(&SearchReport)>,
    ) -> SearchReport {
        self.begin();
        let accumulator = self.eval.accumulate(line.position());
        let schedule = self.schedule(limits);
        let auxiliary = self.params.auxiliary.clone();
        let nodes = main_nodes(limits, auxiliary.as_ref());
        let mut tree = self.tree(line, rules, Budget::new(nodes, stop));
        tree.shows_lines = on_iteration.is_some();
        tree.plays_out_from = schedule.first_to_play_out();
        let Some(mut found) = SearchResult::begin(&tree, accumulator) else {
            return without_moves(&tree);
        };
        tree.variation.begin(found.best);
        for depth in schedule.depths() {
            let aim = AspirationWindow::new(tree.params, depth, found.score, tree.swing);
            if !found.deepen(&mut tree, depth, aim, accumulator).finished {
                break;
            }
            if let Some(report) = &mut on_iteration
                && schedule.reports(depth, found.is_final)
            {
                report(&found.report(&mut tree));
            }
            if found.is_final {
                break;
            }
            if limits.depth.is_none() && is_proven(found.score, depth) {
                break;
            }
        }
        if let Some(auxiliary) = &auxiliary {
            tree.budget.limit = limits.nodes.unwrap_or(u64::MAX);
            found.check_chosen(&mut tree, auxiliary);
        }
        found.report(&mut tree)
    }

    /// Starts a search in the current game.
    pub(super) fn begin(&mut self) {
        self.memory.new_search();
        self.table.new_search();
        if let Some(candidates) = &mut self.candidates {
            candidates.clear();
        }
    }

    /// The schedule of iterations within these limits.
    pub(super) fn schedule(&self, limits: &SearchLimits) -> Schedule {
        let last = limits.depth.unwrap_or(MAX_PLY).min(MAX_PLY);
        let deepening = self.params.deepening || limits.depth.is_none();
        let (first, step) = if deepening {
            (1, 1)
        } else {
            self.internal_depths(last)
        };
        Schedule {
            first,
            last,
            step,
            deepening,
        }
    }

    /// Without deepening: the first of the depths that internal deepening searches before `last`,
    /// and the step between them.
    fn internal_depths(&self, last: u32) -> (u32, u32) {
        let mut first = last;
        let mut step = 1;
        if let Some(internal) = &self.params.internal_deepening
            && internal.kind != DeepeningKind::Reduce
        {
            step = internal.reduction;
            while first >= internal.min_depth && first > step {
                first -= step;
            }
        }
        (first, step)
    }

    /// The working state of a search of the position at the end of `line`.
    #[doc(hidden)]
    pub fn tree<'a>(
        &'a mut self,
        line: &Line<P>,
        rules: P::Rules,
        budget: Budget<'a>,
    ) -> Tree<'a, P, E> {
        self.line.copy_from(line);
        let root = self.line.len();
        let reach = self.line.position().reversible_plies().min(root);
        let earlier_keys = (root - reach..=root).map(|index| key_bit(self.line.key_after(index)));
        Tree {
            root,
            earlier_keys: earlier_keys.fold(0, |bits, bit| bits | bit),
            line: &mut self.line,
            eval: &self.eval,
            evaluations: self.evaluations.as_mut(),
            table: &mut self.table,
            memory: &mut self.memory,
            variation: &mut self.variation,
            paths: &mut self.paths,
            ordering: &self.ordering,
            params: &self.params,
            reductions: self.reductions.as_ref(),
            evaluates: self.params.uses_evaluation(),
            // In games without captures, every position is settled.
            quiescence: self.params.quiescence.as_ref().filter(|_| P::HAS_CAPTURES),
            candidates: self.candidates.as_mut(),
            rules: self.params.rules.then_some(rules),
            budget,
            counters: Counters::default(),
            reach: 0,
            excluded: Vec::new(),
            provisional: true,
            endings: self.endings.as_mut(),
            end_rules: rules,
            plays_out_from: 0,
            shows_lines: false,
            swing: 0,
        }
    }
}

/// The node limit of the main search.
pub(super) fn main_nodes(limits: &SearchLimits, auxiliary: Option<&Auxiliary>) -> Option<u64> {
    let reserve = auxiliary.map_or(0, |auxiliary| u64::from(auxiliary.reserve.min(100)));
    let nodes = limits.nodes?;
    Some(nodes - (u128::from(nodes) * u128::from(reserve) / 100) as u64)
}
