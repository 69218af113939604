//! Whoever chooses moves otherwise than by alpha-beta.

use super::{SearchLimits, SearchReport};
use crate::{Line, Position};

/// What chooses moves of the game `P` in the place of an alpha-beta search: a solver, or
/// any other method. It has a memory of its own for the present game. What it chooses is a
/// function of what it was made from and of what it was asked since
/// [`new_game`](MoveChooser::new_game), as long as no stop signal comes: what it draws by
/// lot, it draws from a seed such as the [key](Position::key) of the position.
pub trait MoveChooser<P: Position>: Send {
    /// Forgets what was learnt.
    fn new_game(&mut self);

    /// Chooses a move at the end of `line`, which is not over, until its answer is certain,
    /// a limit is reached or `stop` says so: it should be asked every few milliseconds. A
    /// node is a move made below the root. What a limit on depth means is up to the method;
    /// where it is the only one, the answer must come all the same.
    fn run(
        &mut self,
        line: &Line<P>,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
    ) -> SearchReport;
}
