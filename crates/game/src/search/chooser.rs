//! Interface of move choosers other than alpha-beta.

use super::{SearchLimits, SearchReport};
use crate::{Line, Position};

/// Chooses moves of the game `P` instead of an alpha-beta search: a solver, or any other method. It
/// has its own memory for the current game. As long as no stop signal comes, its choice is a
/// function of its parameters and of the calls since [`new_game`](MoveChooser::new_game): random
/// numbers come from a seed such as the [key](Position::key) of the position.
pub trait MoveChooser<P: Position>: Send {
    /// Clears the memory.
    fn new_game(&mut self);

    /// Chooses a move at the end of `line`, where the game has not ended, until the result is
    /// certain, a limit is reached or `stop` returns true: it should be called every few
    /// milliseconds. A node is a move made below the root. The method defines the meaning of a
    /// depth limit; if it is the only limit, the call must still return.
    fn run(
        &mut self,
        line: &Line<P>,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
    ) -> SearchReport;
}
