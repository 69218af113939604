//! Whoever chooses moves.

mod in_process;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub(crate) use in_process::share;
pub use in_process::{InProcess, Playable};

use crate::eval::Score;
use crate::game::{Line, Move, Position};

/// What may be spent on one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Nodes, never overrun.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Wall-clock time.
    pub time: Option<TimeBudget>,
}

/// Wall-clock time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBudget {
    /// All of it may be spent on this move.
    Move(Duration),
    /// This is what the clock of the whole game shows.
    Clock {
        /// Time left.
        remaining: Duration,
        /// Added after the move.
        increment: Duration,
    },
}

/// A player's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move; `None` if the player has none to offer, which loses.
    pub mv: Option<Move>,
    /// Its score from the mover's point of view.
    pub score: Option<Score>,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// A player of the game `P`, kept warm from game to game.
///
/// What it chooses must depend only on what it has been told since
/// [`new_game`](Player::new_game), or pairs would not be reproducible.
pub trait Player<P: Position>: Send {
    /// Forgets the previous game.
    fn new_game(&mut self);

    /// Chooses a move at the end of `line`, which is not over. Once `cancel`
    /// is set the answer no longer matters and should come at once.
    fn choose(&mut self, line: &Line<P>, budget: &Budget, cancel: &AtomicBool) -> Choice;
}
