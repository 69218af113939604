//! Exact solvers of endgames.

use crate::Position;
use crate::eval::Score;

/// Plays positions out to the end of the game, and remembers results within a game.
pub trait EndgameSolver<P: Position>: Send {
    /// Clears the memory.
    fn new_game(&mut self);

    /// The value of a position for the side to move, in evaluation units: exact if it lies between
    /// the ends of `window`, otherwise a bound on that side. `None` if it needs more nodes than the
    /// limit allows, or if a stop signal comes.
    fn value(
        &mut self,
        position: &P,
        rules: P::Rules,
        window: (Score, Score),
        expense: &mut SolverBudget<'_>,
    ) -> Option<Score>;
}

/// Node limit and node count of a solver.
pub struct SolverBudget<'a> {
    /// Maximum number of nodes that it may visit.
    pub limit: u64,
    /// Number of visited nodes.
    pub spent: u64,
    /// Returns whether to give up.
    pub stop: &'a dyn Fn() -> bool,
}
