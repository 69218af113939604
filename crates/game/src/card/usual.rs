//! Usual results and openings of a game.

use serde::Serialize;

/// Usual distribution of pair results between equal players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct UsualSpread {
    /// Share of drawn games.
    pub draw_rate: f64,
    /// Advantage of one side due to the openings: root mean square, in Elo.
    pub opening_bias: f64,
}

/// Settings for generated openings of games that an evaluation is fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitOpenings {
    /// Minimum and maximum number of random plies.
    pub plies: (u32, u32),
    /// Limit of the judge's score in its units: positions further from equality are no openings.
    pub window: i32,
    /// The preset that judges. No tune may change its numbers, or the same config would get other
    /// openings after a change of the default evaluation. Empty for the first preset.
    pub judge: &'static str,
}
