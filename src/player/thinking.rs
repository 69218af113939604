//! A search or a solver, whichever a variant asks for.

use super::Playable;
use crate::config::Variant;
use crate::game::Line;
use crate::search::{Prover, Search, SearchLimits, SearchReport};

/// What a variant thinks with in this process, and what it has learnt in the present
/// game: its search, or where it has `search.solver` the solver of the game.
pub struct Thinking<P: Playable> {
    rules: P::Rules,
    mind: Mind<P>,
}

enum Mind<P: Playable> {
    Search(Box<Search<P, P::Evaluation>>),
    Solver(Box<dyn Prover<P>>),
}

impl<P: Playable> Thinking<P> {
    /// For `variant`, under `rules`; `None` if the variant belongs to another game, is
    /// another program, or has a solver where the game has nothing to prove.
    pub fn new(variant: &Variant, rules: P::Rules) -> Option<Self> {
        if variant.program.is_some() {
            return None;
        }
        let mind = if let Some(solver) = &variant.search.solver {
            Mind::Solver(P::prover(solver, &variant.eval, rules)?)
        } else {
            let evaluation = P::evaluation(&variant.eval, rules)?;
            Mind::Search(Box::new(Search::new(variant.search.clone(), evaluation)))
        };
        Some(Self { rules, mind })
    }

    /// Forgets what was learnt.
    pub fn new_game(&mut self) {
        match &mut self.mind {
            Mind::Search(search) => search.new_game(),
            Mind::Solver(solver) => solver.new_game(),
        }
    }

    /// The best move at the end of `line`, which is not over, within `limits` and until
    /// `stop` says so.
    pub fn run(
        &mut self,
        line: &Line<P>,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
    ) -> SearchReport {
        match &mut self.mind {
            Mind::Search(search) => search.run(line, self.rules, limits, stop, None),
            Mind::Solver(solver) => solver.run(line, limits, stop),
        }
    }

    /// Forgets everything and thinks as another variant from now on, as a new one would;
    /// false if it cannot, and then nothing has changed.
    pub fn become_other(&mut self, variant: &Variant) -> bool {
        if let (Mind::Search(search), None, None) =
            (&mut self.mind, &variant.search.solver, &variant.program)
        {
            // The memory of its tables is kept.
            let Some(evaluation) = P::evaluation(&variant.eval, self.rules) else {
                return false;
            };
            search.become_other(variant.search.clone(), evaluation);
            return true;
        }
        let other = Self::new(variant, self.rules);
        let can = other.is_some();
        if let Some(other) = other {
            *self = other;
        }
        can
    }
}
