//! The search of the cells.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::stored_cells::{Row, description, iteration, row};
use super::{Grid, Measure};
use leitai_config::Variant;
use leitai_game::Move;
use leitai_game::card::GameChoice;
use leitai_game::eval::Score;
use leitai_game::search::{Counters, SearchLimits};
use leitai_players::schedule::Book;

/// The cells to search.
#[derive(Debug)]
pub struct Task<'a> {
    /// The game, and the rules inside the search tree.
    pub game: GameChoice,
    /// The variants, all of this game.
    pub variants: &'a [Variant],
    /// The positions.
    pub suite: &'a Book,
    /// The last iteration, in plies.
    pub depth: u32,
    /// The node limit: a position is given up when a search needs more. Counts all iterations
    /// together, or the search to one depth if each depth is a separate search.
    pub nodes: Option<u64>,
}

/// One finished iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Moves made below the root in this iteration.
    pub nodes: u64,
    /// Nodes of the whole search up to this iteration: of all iterations so far, or equal to
    /// `nodes` if each depth is a separate search.
    pub total_nodes: u64,
    /// The score for the side to move.
    pub score: Score,
    /// The best move.
    pub best: Option<Move>,
    /// The counters of this iteration.
    pub counters: Counters,
    /// Time of this iteration.
    pub time: Duration,
    /// Time of the whole search up to this iteration.
    pub total_time: Duration,
}

/// One variant on one position: its iterations from depth 1 on. Has fewer than requested if the
/// position was given up, or the game ends earlier.
pub type Cell = Vec<Iteration>;

/// The cells of a task.
pub type Cells = Grid<Cell>;

impl Cells {
    /// The iterations of a variant on a position; empty if the cell is missing.
    pub fn iterations(&self, variant: usize, position: usize) -> &[Iteration] {
        self.cell(variant, position)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// The positions on which every variant has reached `depth`.
    pub(super) fn finished(&self, depth: u32) -> Vec<usize> {
        self.rows(|cell| cell.map_or(0, Vec::len) >= depth as usize)
    }
}

/// Except for times, the cells do not depend on the number of threads.
impl Measure for Task<'_> {
    type Cell = Cell;

    fn size(&self) -> [usize; 2] {
        [self.variants.len(), self.suite.len()]
    }

    fn names(&self, variant: usize, position: usize) -> [String; 2] {
        let id = self.suite.id(position);
        [self.variants[variant].name.clone(), id]
    }

    fn worker<'a>(&'a self, cancel: &'a AtomicBool) -> impl FnMut(usize, usize) -> Option<Cell> {
        |variant, position| cell(self, variant, position, cancel)
    }

    fn describer(&self) -> impl FnMut(usize, usize) -> String {
        |variant, position| description(self, variant, position)
    }

    fn cost(cell: &Cell) -> (Option<u64>, f64) {
        let nodes = cell.iter().map(|iteration| iteration.nodes).sum();
        (
            Some(nodes),
            cell.iter().map(|it| it.time.as_secs_f64()).sum(),
        )
    }

    fn write(cell: &Cell) -> Option<String> {
        let rows: Vec<Row> = cell.iter().map(row).collect();
        Some(serde_json::json!(rows).to_string())
    }

    fn read(content: &str) -> Option<Cell> {
        let rows: Vec<Row> = serde_json::from_str(content).ok()?;
        rows.into_iter().map(iteration).collect()
    }
}

/// Searches a cell; `None` if the search was stopped.
///
/// A variant without iterative deepening starts a separate search for each depth.
fn cell(task: &Task<'_>, variant: usize, position: usize, cancel: &AtomicBool) -> Option<Cell> {
    let variant = &task.variants[variant];
    let position = task.suite.get(position)?.position();
    let game = &task.game;
    let mut params = variant.search.clone();
    params.solver = None;
    let mut thinker = game.card.thinker(&params, &variant.eval, &game.rules)?;
    let line = game.card.line(&*position);
    let stop = || cancel.load(Ordering::Relaxed);
    let mut cell = Cell::new();
    let shallowest = if variant.search.deepening {
        task.depth
    } else {
        1
    };
    for depth in shallowest..=task.depth {
        let limits = SearchLimits {
            nodes: task.nodes,
            depth: Some(depth),
        };
        let (mut nodes, mut counters) = (0, Counters::default());
        let began = Instant::now();
        let mut before = Duration::ZERO;
        thinker.new_game();
        thinker.run(
            &*line,
            &limits,
            &stop,
            Some(&mut |report| {
                let total_time = began.elapsed();
                cell.push(Iteration {
                    nodes: report.nodes - nodes,
                    total_nodes: report.nodes,
                    score: report.score,
                    best: report.best,
                    counters: since(&counters, &report.counters),
                    time: total_time.saturating_sub(before),
                    total_time,
                });
                (nodes, counters, before) = (report.nodes, report.counters, total_time);
            }),
        );
        if cell.len() < depth as usize {
            break;
        }
    }
    let whole = cell.len() == task.depth as usize || !stop();
    whole.then_some(cell)
}

/// The counts between two reports of one search.
fn since(before: &Counters, now: &Counters) -> Counters {
    Counters {
        quiescence_nodes: now.quiescence_nodes - before.quiescence_nodes,
        table_probes: now.table_probes - before.table_probes,
        table_hits: now.table_hits - before.table_hits,
        table_cutoffs: now.table_cutoffs - before.table_cutoffs,
        cutoffs: now.cutoffs - before.cutoffs,
        first_move_cutoffs: now.first_move_cutoffs - before.first_move_cutoffs,
        cutoff_numbers: now.cutoff_numbers - before.cutoff_numbers,
    }
}
