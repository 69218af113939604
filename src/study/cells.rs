//! Searching the cells.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::card::GameChoice;
use crate::config::Variant;
use crate::eval::Score;
use crate::game::Move;
use crate::play::work;
use crate::schedule::Book;
use crate::search::{Counters, SearchLimits};

/// What is to be searched.
#[derive(Debug)]
pub struct Task<'a> {
    /// The game, and the rules inside the tree.
    pub game: GameChoice,
    /// The variants, all of this game.
    pub variants: &'a [Variant],
    /// The positions.
    pub suite: &'a Book,
    /// The last iteration, in plies.
    pub depth: u32,
    /// A position is given up when a search needs more nodes: all iterations
    /// together, or, where each depth is searched afresh, the search to one
    /// depth.
    pub nodes: Option<u64>,
}

/// One finished iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Moves made below the root in this iteration.
    pub nodes: u64,
    /// The same in the whole search that it ends: in this iteration and all
    /// before it, or, where each depth is searched afresh, in the search to this
    /// depth alone, which `nodes` then are too.
    pub total_nodes: u64,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The best move.
    pub best: Option<Move>,
    /// What was counted in this iteration.
    pub counters: Counters,
    /// Time of this iteration.
    pub time: Duration,
    /// Time of the whole search that it ends.
    pub total_time: Duration,
}

/// One variant on one position: its iterations from depth 1 on. Fewer than
/// asked for if it was given up, or the end of the game was nearer.
pub type Cell = Vec<Iteration>;

/// The cells of a task, by position and then by variant; `None` where the study
/// was stopped before.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    variants: usize,
    cells: Vec<Option<Cell>>,
}

impl Cells {
    /// The cells of all `variants` on each position in turn.
    pub fn new(variants: usize, cells: Vec<Option<Cell>>) -> Self {
        Self { variants, cells }
    }

    /// The cells of a task, none of them searched.
    pub fn empty(task: &Task<'_>) -> Self {
        let variants = task.variants.len();
        Self::new(variants, vec![None; variants * task.suite.len()])
    }

    /// Fills in a cell that was searched before.
    pub fn put(&mut self, number: usize, cell: Cell) {
        if let Some(place) = self.cells.get_mut(number) {
            *place = Some(cell);
        }
    }

    /// How many cells there are, and how many of them are searched.
    pub fn progress(&self) -> (usize, usize) {
        (self.cells.len(), self.cells.iter().flatten().count())
    }

    /// The cell of a variant on a position; empty where it is missing.
    pub fn cell(&self, variant: usize, position: usize) -> &[Iteration] {
        self.cells
            .get(position * self.variants + variant)
            .and_then(Option::as_deref)
            .unwrap_or_default()
    }

    /// The positions on which every variant has reached `depth`.
    pub fn finished(&self, depth: u32) -> Vec<usize> {
        let reached = |position| {
            (0..self.variants).all(|variant| self.cell(variant, position).len() >= depth as usize)
        };
        let positions = self.cells.len().checked_div(self.variants).unwrap_or(0);
        (0..positions)
            .filter(|&position| reached(position))
            .collect()
    }
}

/// Searches the cells that are missing on `threads` threads; `clock` tells the
/// time since any moment, `finished` hears of each cell and its number on the
/// calling thread. When `cancel` is set, or `finished` fails, the cells that are
/// not finished are left out.
///
/// The cells are the same for any number of threads, but for their times.
///
/// # Errors
/// That of `finished`.
pub fn search<E>(
    task: &Task<'_>,
    cells: &mut Cells,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    clock: &(dyn Fn() -> Duration + Sync),
    mut finished: impl FnMut(usize, &Cell) -> Result<(), E>,
) -> Result<(), E> {
    let todo: Vec<u64> = (0..)
        .zip(&cells.cells)
        .filter_map(|(number, cell)| cell.is_none().then_some(number))
        .collect();
    let worker = || |number| cell(task, number as usize, cancel, clock);
    work(todo.into_iter(), threads, cancel, worker, |number, cell| {
        finished(number as usize, &cell)?;
        cells.put(number as usize, cell);
        Ok(())
    })
}

/// Cell `number`; `None` if it was stopped.
///
/// A variant that does not deepen searches each depth afresh.
fn cell(
    task: &Task<'_>,
    number: usize,
    cancel: &AtomicBool,
    clock: &(dyn Fn() -> Duration + Sync),
) -> Option<Cell> {
    let variant = &task.variants[number % task.variants.len()];
    let position = &task.suite.openings[number / task.variants.len()].position;
    let game = &task.game;
    let (params, eval, rules) = (&variant.search, &variant.eval, &game.rules);
    let mut thinker = game.card.searcher(params, eval, rules)?;
    let line = game.card.line(&**position);
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
        let began = clock();
        let mut before = Duration::ZERO;
        thinker.new_game();
        thinker.run(
            &*line,
            &limits,
            &stop,
            Some(&mut |report| {
                let total_time = clock().saturating_sub(began);
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

/// What was counted between two reports of one search.
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
