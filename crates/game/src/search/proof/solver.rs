//! A solver with any of the algorithms.

use super::alphabeta::AlphaBeta;
use super::dfpn::DfPn;
use super::entry::Memory;
use super::meter::Meter;
use super::pn::Pn;
use super::{AndOr, Event, Solution, SolveLimits, SolverKind, SolverParams, StoredResult};

/// Maximum number of moves in a principal variation.
const LONGEST_LINE: usize = 256;

enum Engine<G: AndOr> {
    AlphaBeta(AlphaBeta<G>),
    Pn(Pn<G>),
    DfPn(DfPn<G>),
}

/// A solver of AND/OR trees with its memory.
///
/// Its memory helps later searches of the same problem: of later positions, or of the same one with
/// more nodes. Call [`new_problem`](Self::new_problem) before another problem; the results and
/// counts are then those of a new solver.
pub struct Solver<G: AndOr> {
    engine: Engine<G>,
}

impl<G: AndOr> Solver<G> {
    /// A solver with empty memory.
    pub fn new(params: &SolverParams) -> Self {
        let engine = match params.kind {
            SolverKind::AlphaBeta => Engine::AlphaBeta(AlphaBeta::new(params)),
            SolverKind::Pn => Engine::Pn(Pn::new(params, false)),
            SolverKind::PnPlus => Engine::Pn(Pn::new(params, true)),
            SolverKind::DfPn => Engine::DfPn(DfPn::new(params, false)),
            SolverKind::DfPnPlus => Engine::DfPn(DfPn::new(params, true)),
        };
        Self { engine }
    }

    /// Clears the memory.
    pub fn new_problem(&mut self) {
        match &mut self.engine {
            Engine::AlphaBeta(engine) => engine.clear(),
            Engine::Pn(engine) => engine.memory.clear(),
            Engine::DfPn(engine) => engine.memory.clear(),
        }
    }

    /// Determines whether the goal can be reached, within `limits`, and reports progress to the
    /// watcher. Leaves the position unchanged.
    pub fn solve<'a>(
        &mut self,
        game: &mut G,
        limits: SolveLimits<'a>,
        watch: Option<&'a mut dyn FnMut(Event)>,
    ) -> Solution<G> {
        let mut meter = Meter::new(limits, watch);
        let known = Solution::known(game, self.memory());
        let mut solution = known.unwrap_or_else(|| match &mut self.engine {
            Engine::AlphaBeta(engine) => engine.solve(game, &mut meter),
            Engine::Pn(engine) => engine.solve(game, &mut meter),
            Engine::DfPn(engine) => engine.solve(game, &mut meter),
        });
        self.extend(game, &mut solution.pv);
        solution.effort = meter.effort;
        solution
    }

    /// The stored result of the position, if it is decided. A strategy can be read from these
    /// results; a position that is no longer in memory must be solved again.
    pub fn known(&self, game: &G) -> Option<StoredResult<G::Move, G::Zone>> {
        self.memory().result(game.key())
    }

    fn memory(&self) -> &Memory<G::Move, G::Zone> {
        match &self.engine {
            Engine::AlphaBeta(engine) => &engine.memory,
            Engine::Pn(engine) => &engine.memory,
            Engine::DfPn(engine) => &engine.memory,
        }
    }

    /// Extends a line with stored moves until a position repeats.
    fn extend(&self, game: &mut G, line: &mut Vec<G::Move>) {
        let mut keys = vec![game.key()];
        for mv in line.iter() {
            game.play(*mv);
            keys.push(game.key());
        }
        while line.len() < LONGEST_LINE
            && !line.is_empty()
            && let Some(entry) = self.memory().get(game.key())
            && let Some(mv) = entry.best
        {
            game.play(mv);
            line.push(mv);
            let key = game.key();
            if keys.contains(&key) {
                break;
            }
            keys.push(key);
        }
        for _ in line.iter() {
            game.undo();
        }
    }
}
