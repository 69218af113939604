//! Evaluation: what a position is worth before it is searched.
//!
//! An evaluation owns its parameters, so two variants with different numbers
//! live side by side. What can be kept up move by move is carried by the
//! search as a small copyable accumulator; nothing has to be undone.

mod pair;

pub use pair::Pair;

use crate::{Move, Position};

/// Evaluation units, from the side to move's point of view: positive is good
/// for the side that moves next.
pub type Score = i32;

/// Being mated in `n` plies is worth `n - MATE`.
pub const MATE: Score = 10_000;

/// Static evaluations stay within plus or minus this, clear of every mate
/// score.
pub const MAX_EVAL: Score = 9_000;

/// A score is a mate in `n` plies only for `n` below this. What lies between
/// [`MAX_EVAL`] and that is for ends of the game that no distance belongs to.
pub const MATE_PLIES: u32 = 128;

/// The number of plies to the mate that `score` announces for either side.
pub const fn mate_plies(score: Score) -> Option<u32> {
    let plies = (MATE - score.abs()) as u32;
    if plies < MATE_PLIES {
        Some(plies)
    } else {
        None
    }
}

/// An evaluation of positions of the game `P`.
pub trait Evaluation<P: Position>: Clone + Send + Sync {
    /// What is carried along a line of play.
    type Accumulator: Copy;

    /// The accumulator of a position, from nothing.
    fn accumulate(&self, position: &P) -> Self::Accumulator;

    /// The accumulator after `mv`, given that of `before`, the position in
    /// which `mv` is played.
    fn advance(&self, accumulator: Self::Accumulator, before: &P, mv: Move) -> Self::Accumulator;

    /// The static value for the side to move, within [`MAX_EVAL`].
    fn evaluate(&self, position: &P, accumulator: Self::Accumulator) -> Score;

    /// The same without what takes long; no more than an estimate.
    fn estimate(&self, position: &P, accumulator: Self::Accumulator) -> Score {
        self.evaluate(position, accumulator)
    }

    /// Whether [`evaluate`](Evaluation::evaluate) takes long enough to be worth
    /// remembering, or leaving out.
    fn is_costly(&self) -> bool {
        false
    }

    /// About how much the static value rises by the material that the legal
    /// move `mv` captures, for deciding whether it is worth a search.
    fn prize(&self, position: &P, mv: Move) -> Score {
        let _ = (position, mv);
        0
    }

    /// The value for the side to move of a position in which it has no legal
    /// move, `ply` plies below the root: either a mate in `ply`, or a value
    /// that does not depend on `ply` and is no mate by [`mate_plies`].
    fn evaluate_without_moves(&self, position: &P, ply: u32) -> Score {
        match position.verdict_without_moves().winner {
            None => 0,
            Some(winner) if winner == position.side_to_move() => MATE - ply as Score,
            Some(_) => ply as Score - MATE,
        }
    }
}
