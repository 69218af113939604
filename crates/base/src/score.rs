//! Scores of positions and searches.

/// Evaluation units, from the side to move's point of view: positive is good
/// for the side that moves next.
pub type Score = i32;

/// The score of being mated in `n` plies is `n - MATE`.
pub const MATE: Score = 10_000;

/// Static evaluations stay within plus or minus this limit, apart from all mate scores.
pub const MAX_EVAL: Score = 9_000;
