//! How much the results of pairs vary: what a gate's cost depends on.

use serde::Serialize;

use super::Trials;
use super::forecast::{NoForecast, strengths};
use crate::config::GameChoice;
use crate::stats::{BadLaw, BadPlan, GameVariance, PairLaw, Pentanomial};

/// What is known of the spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Nothing: what is usual in the game is assumed.
    Assumed(#[serde(skip)] Usual),
    /// The recorded pairs of one candidate, tilted to each strength.
    Recorded(Pentanomial),
}

/// How pairs of a game usually end among equals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Usual {
    /// Share of drawn games.
    pub draw_rate: f64,
    /// How much the openings favour one side: root mean square, in Elo.
    pub opening_bias: f64,
}

impl Usual {
    /// Measured on the shipped openings, players all but equal: docs/gate.md has the
    /// counts.
    pub fn of(game: &GameChoice) -> Self {
        let (draw_rate, opening_bias) = match game {
            GameChoice::Xiangqi(_) => (0.22, 155.0),
            GameChoice::Othello(_) => (0.025, 90.0),
            // Most problems are lost by the same side whoever plays: one pair in
            // twenty is decided.
            GameChoice::Go(_) => (0.0, 630.0),
        };
        Self {
            draw_rate,
            opening_bias,
        }
    }
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
    pub(super) fn of(trials: &Trials, usual: Usual) -> (Self, bool) {
        let tallies = trials.standings().tallies();
        let most = tallies
            .map(|(_, tally)| tally.pairs)
            .max_by_key(Pentanomial::pairs);
        match most.filter(|pairs| pairs.pairs() >= ENOUGH_PAIRS) {
            Some(pairs) => match strengths(trials.gate(), Self::Recorded(pairs)) {
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
