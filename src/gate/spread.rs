//! How much the results of pairs vary: what a gate's cost depends on.

use serde::Serialize;

use super::Trials;
use super::forecast::{NoForecast, strengths};
use crate::card::UsualSpread;
use crate::stats::{BadLaw, BadPlan, GameVariance, PairLaw, Pentanomial};

/// What is known of the spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Nothing: what is usual in the game is assumed.
    Assumed(#[serde(skip)] UsualSpread),
    /// The recorded pairs of one candidate, tilted to each strength.
    Recorded(Pentanomial),
}

/// Pairs that tell more than the assumption does.
const ENOUGH_PAIRS: u64 = 30;

/// Why recorded pairs were not gone by.
pub(super) const ONE_SIDED: &str = "the recorded pairs are too one-sided to stand for both \
     hypotheses: a usual spread is assumed instead";

impl Spread {
    /// That of the candidate who has played most, if it has played enough and
    /// its pairs can stand for every strength between the hypotheses; whether
    /// they cannot.
    pub(super) fn of(trials: &Trials, usual: UsualSpread) -> (Self, bool) {
        let tallies = trials.standings.tallies();
        let most = tallies
            .map(|(_, tally)| tally.pairs)
            .max_by_key(Pentanomial::pairs);
        match most.filter(|pairs| pairs.pairs() >= ENOUGH_PAIRS) {
            Some(pairs) => match strengths(&trials.gate, Self::Recorded(pairs)) {
                Ok(_) => (Self::Recorded(pairs), false),
                Err(_) => (Self::Assumed(usual), true),
            },
            None => (Self::Assumed(usual), false),
        }
    }

    /// The variance about the mean of the pairs themselves.
    pub(super) fn first_guess(self) -> Result<GameVariance, BadPlan> {
        match self {
            Self::Assumed(usual) => GameVariance::from_rates(usual.draw_rate, usual.opening_bias),
            Self::Recorded(pairs) => GameVariance::from_pilot(pairs),
        }
    }

    /// Variance of one game's score within its pair, of a candidate who is `elo`
    /// (logistic) stronger.
    ///
    /// # Errors
    /// No law like the recorded one has that strength.
    pub fn variance(self, elo: f64) -> Result<GameVariance, NoForecast> {
        Ok(self.law(elo)?.game_variance()?)
    }

    /// The law of pairs of a candidate who is `elo` (logistic) stronger.
    ///
    /// # Errors
    /// No law like the recorded one has that strength.
    pub fn law(self, elo: f64) -> Result<PairLaw, BadLaw> {
        match self {
            Self::Assumed(usual) => PairLaw::from_rates(usual.draw_rate, usual.opening_bias, elo),
            Self::Recorded(pairs) => PairLaw::from_pilot(pairs, elo),
        }
    }
}
