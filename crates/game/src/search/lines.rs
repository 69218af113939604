//! Search of several lines from the root, or of only some of its moves.

use super::aspiration::AspirationWindow;
use super::iterations::{SearchResult, is_proven};
use super::limits::Budget;
use super::searcher::main_nodes;
use super::tree::Tree;
use super::{Search, SearchLimits, SearchReport, Tactics};
use crate::eval::Evaluation;
use crate::{Line, Move};

/// Selects the root moves to search, and the number of lines to report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMoves {
    /// Moves that are not searched.
    pub excluded: Vec<Move>,
    /// Number of best moves to report, each with its own score and line; 0 counts as 1.
    pub lines: usize,
}

impl Default for RootMoves {
    fn default() -> Self {
        Self {
            excluded: Vec::new(),
            lines: 1,
        }
    }
}

impl<P: Tactics, E: Evaluation<P>> Search<P, E> {
    /// As [`run_until`](Search::run_until), for some of the moves and for several lines: each iteration finds
    /// the best move, then the best of the others, and so on. The score of a move is the score of a
    /// search of this move alone (except where the table already has better information).
    ///
    /// The result is sorted from best to worst; it has fewer lines than requested if there are
    /// fewer moves, and none if there is no move. If a limit ends an iteration early, the moves
    /// that it had not reached come after the others, with the scores of the previous iteration.
    /// Each finished iteration is passed to `on_iteration`.
    ///
    /// With one line and no excluded move this is the same search as `run`. The auxiliary search
    /// checks only one line.
    pub fn run_lines(
        &mut self,
        line: &Line<P>,
        rules: P::Rules,
        limits: &SearchLimits,
        roots: &RootMoves,
        stop: &dyn Fn() -> bool,
        on_iteration: &mut dyn FnMut(&[SearchReport]),
    ) -> Vec<SearchReport> {
        self.begin();
        let accumulator = self.eval.accumulate(line.position());
        let schedule = self.schedule(limits);
        let auxiliary = self.params().auxiliary.clone().filter(|_| roots.lines <= 1);
        let nodes = main_nodes(limits, auxiliary.as_ref());
        let mut tree = self.tree(line, rules, Budget::new(nodes, stop));
        tree.plays_out_from = schedule.first_to_play_out();
        tree.shows_lines = true;
        tree.excluded.clone_from(&roots.excluded);
        let Some(first) = SearchResult::begin(&tree, accumulator) else {
            return Vec::new();
        };
        tree.variation.begin(first.best);
        let mut lines = vec![first.report(&mut tree)];
        let mut has_ended = false;
        for depth in schedule.depths() {
            let (found, finished, is_final) =
                one_iteration(&mut tree, depth, roots, &lines, accumulator);
            let others = lines.into_iter().filter(|old| !holds(&found, old.best));
            let others: Vec<_> = others.collect();
            lines = found;
            // With a table, the scores can differ from those of one search, and so can the order.
            lines.sort_by_key(|line| std::cmp::Reverse(line.score));
            if !finished {
                // They come last, since the deeper search ranked them lower. A move that was never
                // searched is used only if there is no other.
                let nothing = lines.is_empty();
                let others = others.into_iter();
                lines.extend(others.filter(|old| nothing || old.depth > 0));
                lines.truncate(roots.lines.max(1));
            }
            update(&mut lines, &tree);
            if !finished {
                break;
            }
            if schedule.reports(depth, is_final) {
                on_iteration(&lines);
            }
            if is_final {
                has_ended = true;
                break;
            }
            let proven = lines.iter().all(|line| is_proven(line.score, depth));
            if limits.depth.is_none() && proven {
                break;
            }
        }
        if let Some(auxiliary) = &auxiliary
            && let Some(line) = lines.first_mut()
            && let Some(best) = line.best
        {
            let mut found = SearchResult {
                best,
                score: line.score,
                depth: line.depth,
                known: Some(best),
                is_final: has_ended,
            };
            tree.budget.limit = limits.nodes.unwrap_or(u64::MAX);
            found.check_chosen(&mut tree, auxiliary);
            *line = found.report(&mut tree);
        }
        update(&mut lines, &tree);
        lines
    }
}

/// Searches the lines of one iteration, starting from those `before`. Also returns whether it
/// finished, and whether all lines are final. A line that was cut before its result counts is
/// omitted.
fn one_iteration<P: Tactics, E: Evaluation<P>>(
    tree: &mut Tree<'_, P, E>,
    depth: u32,
    roots: &RootMoves,
    before: &[SearchReport],
    accumulator: E::Accumulator,
) -> (Vec<SearchReport>, bool, bool) {
    let mut lines: Vec<SearchReport> = Vec::new();
    let mut finished = true;
    let mut is_final = true;
    while finished && lines.len() < roots.lines.max(1) {
        tree.excluded.clone_from(&roots.excluded);
        for line in &lines {
            // Cannot fail: these are different legal moves.
            let _ = line.best.map(|mv| tree.excluded.push(mv));
        }
        let Some(mut found) = SearchResult::begin(tree, accumulator) else {
            break;
        };
        let earlier = before.iter().find(|old| !holds(&lines, old.best));
        if let Some(earlier) = earlier.filter(|earlier| earlier.depth > 0)
            && let Some(best) = earlier.best
        {
            found.best = best;
            found.score = earlier.score;
            found.known = Some(best);
            found.depth = earlier.depth;
        }
        tree.variation.begin(found.best);
        let aim = AspirationWindow::new(tree.params, depth, found.score, tree.swing);
        let deepened = found.deepen(tree, depth, aim, accumulator);
        finished = deepened.finished;
        is_final &= found.is_final;
        if deepened.counts {
            lines.push(found.report(tree));
        }
    }
    (lines, finished, is_final)
}

fn holds(lines: &[SearchReport], mv: Option<Move>) -> bool {
    lines.iter().any(|line| line.best == mv)
}

/// Sets the counters of the whole search in all lines.
fn update<P: Tactics, E: Evaluation<P>>(lines: &mut [SearchReport], tree: &Tree<'_, P, E>) {
    for line in lines {
        line.nodes = tree.budget.spent;
        line.counters = tree.counters;
        line.reach = tree.reach;
        line.table_permille = tree.table.permille();
    }
}
