//! What is usual in a game.

use serde::Serialize;

/// How pairs of a game usually end among equals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct UsualSpread {
    /// Share of drawn games.
    pub draw_rate: f64,
    /// How much the openings favour one side: root mean square, in Elo.
    pub opening_bias: f64,
}

/// How openings are made for games that an evaluation is fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitOpenings {
    /// Random plies, the fewest and the most.
    pub plies: (u32, u32),
    /// Positions that the judge sees further from level than this are no openings, in its
    /// units.
    pub window: i32,
    /// The preset that judges: one whose numbers no tune changes, or the same config would
    /// have other openings once the default evaluation is another. Empty for the first.
    pub judge: &'static str,
}
