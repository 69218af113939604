//! Static evaluation of positions.
//!
//! An evaluation owns its parameters, so two variants with different numbers can exist side by
//! side. The search carries the incrementally updated part as a small copyable accumulator; nothing
//! has to be undone.

mod pair;

pub use pair::PackedScore;

use crate::{Move, Position};
pub use leitai_base::score::{MATE, MAX_EVAL, Score};

/// A score is a mate in `n` plies only for `n` below this limit. Scores between [`MAX_EVAL`] and
/// these mates are for game ends without a distance.
pub const MATE_PLIES: u32 = 128;

/// The number of plies to the mate that `score` announces for either side.
pub const fn mate_plies(score: Score) -> Option<u32> {
    let plies = MATE.wrapping_sub(score.saturating_abs()) as u32;
    if plies < MATE_PLIES {
        Some(plies)
    } else {
        None
    }
}

/// An evaluation of positions of the game `P`.
pub trait Evaluation<P: Position>: Clone + Send + Sync {
    /// Incremental data along a line of play.
    type Accumulator: Copy;

    /// Computes the accumulator of a position from scratch.
    fn accumulate(&self, position: &P) -> Self::Accumulator;

    /// The accumulator after `mv`, given that of `before`, the position before the move.
    fn advance(&self, accumulator: Self::Accumulator, before: &P, mv: Move) -> Self::Accumulator;

    /// The static value for the side to move, within [`MAX_EVAL`].
    fn evaluate(&self, position: &P, accumulator: Self::Accumulator) -> Score;

    /// The static value without its costly terms: only an estimate.
    fn estimate(&self, position: &P, accumulator: Self::Accumulator) -> Score {
        self.evaluate(position, accumulator)
    }

    /// Returns whether [`evaluate`](Evaluation::evaluate) takes long enough to be worth caching or
    /// skipping.
    fn is_costly(&self) -> bool {
        false
    }

    /// Approximate increase of the static value by the material that the legal move `mv` captures,
    /// to decide whether the move is worth a search.
    fn prize(&self, position: &P, mv: Move) -> Score {
        let _ = (position, mv);
        0
    }

    /// The value for the side to move of a position without legal moves, `ply` plies below the
    /// root: either a mate in `ply`, or a value that does not depend on `ply` and is no mate by
    /// [`mate_plies`].
    fn evaluate_without_moves(&self, position: &P, ply: u32) -> Score {
        match position.verdict_without_moves().winner {
            None => 0,
            Some(winner) if winner == position.side_to_move() => MATE - ply as Score,
            Some(_) => ply as Score - MATE,
        }
    }
}
