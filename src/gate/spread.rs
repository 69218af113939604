//! How much the results of pairs vary: what a gate's cost depends on.

use serde::Serialize;

use super::Trials;
use crate::stats::{BadLaw, BadPlan, GameVariance, PairLaw, Pentanomial};

/// What is known of the spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Nothing: 20 % draws, and openings that favour nobody. Fewer draws take
    /// more games, unbalanced openings fewer.
    Assumed,
    /// The recorded pairs of one candidate, about their own mean.
    Recorded(Pentanomial),
}

/// Draw rate that is assumed where nothing is recorded.
pub const USUAL_DRAW_RATE: f64 = 0.2;
/// Pairs that tell more than the assumption does.
const ENOUGH_PAIRS: u64 = 30;

impl Spread {
    /// That of the candidate who has played most, if it has played enough.
    pub(super) fn of(trials: &Trials) -> Self {
        let tallies = trials.standings().tallies();
        let most = tallies
            .map(|(_, tally)| tally.pairs)
            .max_by_key(Pentanomial::pairs);
        match most {
            Some(pairs)
                if pairs.pairs() >= ENOUGH_PAIRS && GameVariance::from_pilot(pairs).is_ok() =>
            {
                Self::Recorded(pairs)
            }
            _ => Self::Assumed,
        }
    }

    /// Variance of one game's score within its pair.
    ///
    /// # Errors
    /// None in practice: what is recorded was found to vary.
    pub fn variance(self) -> Result<GameVariance, BadPlan> {
        match self {
            Self::Assumed => GameVariance::from_rates(USUAL_DRAW_RATE, 0.0),
            Self::Recorded(pairs) => GameVariance::from_pilot(pairs),
        }
    }

    /// The law of pairs of a candidate who is `elo` (logistic) stronger.
    ///
    /// # Errors
    /// No law like the recorded one has that strength.
    pub fn law(self, elo: f64) -> Result<PairLaw, BadLaw> {
        match self {
            Self::Assumed => PairLaw::from_rates(USUAL_DRAW_RATE, 0.0, elo),
            Self::Recorded(pairs) => PairLaw::from_pilot(pairs, elo),
        }
    }
}
