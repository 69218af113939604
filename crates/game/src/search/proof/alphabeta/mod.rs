//! Alpha-beta by iterative deepening. The value of a position is the defender's evaluation at the
//! end of the best line for both sides; it is the minimum if the goal is reached and the maximum if
//! the goal is out of reach. The search ends when the root has one of these.

mod bounds;
mod node;
mod value;

use self::bounds::Bounds;
use self::value::{DISPROVED, PROVED};
use super::entry::Memory;
use super::meter::Meter;
use super::path::Path;
use super::table::Table;
use super::{AndOr, End, Outcome, Solution, SolverParams};

/// The search with its memory and line.
pub(super) struct AlphaBeta<G: AndOr> {
    params: SolverParams,
    /// Decided positions: these results hold at every depth.
    pub(super) memory: Memory<G::Move, G::Zone>,
    /// Undecided positions.
    table: Table<Bounds<G::Move>>,
    has_table: bool,
    path: Path,
    /// The moves of all nodes of the line; those of the last node come last.
    moves: Vec<G::Move>,
    /// The depth of the current iteration.
    iteration: u32,
    /// The best root move of the last finished iteration.
    best: Option<G::Move>,
}

impl<G: AndOr> AlphaBeta<G> {
    pub(super) fn new(params: &SolverParams) -> Self {
        Self {
            params: params.clone(),
            memory: Memory::new(params.table),
            table: Table::new(params.table),
            has_table: params.table > 0,
            path: Path::new(),
            moves: Vec::new(),
            iteration: 0,
            best: None,
        }
    }

    pub(super) fn clear(&mut self) {
        self.memory.clear();
        self.table.clear();
    }

    /// Searches deeper and deeper until the root is decided or a limit is reached.
    pub(super) fn solve(&mut self, game: &mut G, meter: &mut Meter) -> Solution<G> {
        self.path.clear();
        self.moves.clear();
        self.path.push(game.key());
        game.moves(&mut self.moves);
        self.best = self.moves.first().copied();
        self.moves.clear();
        let mut value = None;
        let step = self.params.deepening.max(1);
        self.iteration = step.min(self.params.max_depth);
        let end = loop {
            let window = (PROVED - 1, DISPROVED);
            let Ok((reply, best)) = self.open_node(game, meter, self.iteration, window) else {
                break meter.end();
            };
            self.best = best;
            value = Some(reply.value);
            meter.report_iteration(self.iteration, reply.value);
            if reply.value == PROVED || reply.value == DISPROVED {
                let verdict = Outcome::decided(reply.value == PROVED, reply.zone);
                return Solution {
                    value,
                    ..Solution::decided(verdict, best)
                };
            }
            if self.iteration >= self.params.max_depth {
                break End::Depth;
            }
            self.iteration = (self.iteration + step).min(self.params.max_depth);
        };
        Solution {
            value,
            ..Solution::open(end, self.line(game))
        }
    }

    /// The best line, as far as the table contains it.
    fn line(&self, game: &mut G) -> Vec<G::Move> {
        let mut line: Vec<G::Move> = self.best.into_iter().collect();
        if let Some(mv) = self.best {
            game.play(mv);
            while line.len() < self.iteration as usize
                && self.has_table
                && let Some(bounds) = self.table.get(game.key())
                && let Some(mv) = bounds.best
            {
                game.play(mv);
                line.push(mv);
            }
        }
        for _ in &line {
            game.undo();
        }
        line
    }
}
