//! What plays positions out to the end of the game.

use crate::Position;
use crate::eval::Score;

/// Plays positions out to the end of the game, and remembers within a game what
/// it found.
pub trait EndgameSolver<P: Position>: Send {
    /// Forgets everything.
    fn new_game(&mut self);

    /// What a position is worth to the side to move, in evaluation units: exact if
    /// it lies between the ends of `window`, else a bound on the side on which it
    /// lies. `None` if that takes more nodes than are left, or if a signal comes.
    fn value(
        &mut self,
        position: &P,
        rules: P::Rules,
        window: (Score, Score),
        expense: &mut Expense<'_>,
    ) -> Option<Score>;
}

/// What a solver may spend, and has spent.
pub struct Expense<'a> {
    /// The most nodes that it may visit.
    pub limit: u64,
    /// How many it has visited.
    pub spent: u64,
    /// Says whether to give up.
    pub stop: &'a dyn Fn() -> bool,
}
