//! What chooses moves by proving them, where a game has a goal to be proved.

use super::{SearchLimits, SearchReport};
use crate::game::{Line, Position};

/// A solver of the game `P` in the place of an alpha-beta search, with a memory of its
/// own for the present game. What it finds is a function of its parameters and of what it
/// was asked since [`new_game`](Prover::new_game), as long as no stop signal comes.
pub trait Prover<P: Position>: Send {
    /// Forgets what was learnt.
    fn new_game(&mut self);

    /// Looks for a move that wins the position at the end of `line`, which is not over,
    /// until one is proved, a limit is reached or `stop` says so. The move is then the
    /// most promising. A limit on depth does not limit it.
    fn run(
        &mut self,
        line: &Line<P>,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
    ) -> SearchReport;
}
