//! The spread of pair results, which determines the cost of a gate.

use serde::Serialize;

use super::Trials;
use super::forecast::{NoForecast, Result, strengths};
use leitai_config::TestKind;
use leitai_game::card::UsualSpread;
use leitai_stats::{BadLaw, BadPlan, GameVariance, PairLaw, Pentanomial};

/// Source of the spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// No recorded pairs: the usual spread of the game is assumed.
    Assumed(#[serde(skip)] UsualSpread),
    /// The same, if a pair is a single game.
    #[serde(rename = "assumed")]
    AssumedOfGames(#[serde(skip)] UsualSpread),
    /// The recorded pairs of one candidate, tilted to each strength.
    Recorded(Pentanomial),
}

/// Number of pairs from which recorded results are better than the assumption.
const ENOUGH_PAIRS: u64 = 30;

/// The reason for not using recorded pairs.
pub(super) const ONE_SIDED: &str = "the recorded pairs are too one-sided to represent both hypotheses: a usual spread is assumed \
     instead";

impl Spread {
    /// The spread of the candidate with most pairs, if there are enough and they can represent
    /// every strength between the hypotheses, else `usual`. The flag is true if there are enough
    /// pairs, but they are too one-sided.
    ///
    /// # Errors
    /// [`NoForecast::CountsGames`]: the results of games do not follow from those of pairs.
    pub(super) fn of(trials: &Trials, usual: UsualSpread) -> Result<(Self, bool)> {
        if trials.gate.test == TestKind::Trinomial {
            return Err(NoForecast::CountsGames);
        }
        let assumed = if trials.gate.single_games {
            Self::AssumedOfGames(usual)
        } else {
            Self::Assumed(usual)
        };
        let tallies = trials.standings.tallies();
        let most = tallies
            .map(|(_, tally)| tally.pairs)
            .max_by_key(Pentanomial::pairs);
        Ok(match most.filter(|pairs| pairs.pairs() >= ENOUGH_PAIRS) {
            Some(pairs) => match strengths(&trials.gate, Self::Recorded(pairs)) {
                Ok(_) => (Self::Recorded(pairs), false),
                Err(_) => (assumed, true),
            },
            None => (assumed, false),
        })
    }

    /// The variance among equals, or that about the mean of the recorded pairs: the start of the
    /// iteration that finds the strengths of normalized hypotheses.
    pub(super) fn first_guess(self) -> Result<GameVariance, BadPlan> {
        match self {
            Self::Assumed(usual) | Self::AssumedOfGames(usual) => {
                GameVariance::from_rates(usual.draw_rate, usual.opening_bias)
            }
            Self::Recorded(pairs) => GameVariance::from_pilot(pairs),
        }
    }

    /// Variance of one game's score within its pair, for a candidate that is `elo` (logistic)
    /// stronger. Single games count as pairs of two equal games: twice the variance of a game.
    ///
    /// # Errors
    /// No law like the recorded one has that strength.
    pub fn variance(self, elo: f64) -> Result<GameVariance> {
        Ok(self.law(elo)?.game_variance()?)
    }

    /// The law of pairs of a candidate that is `elo` (logistic) stronger.
    ///
    /// # Errors
    /// No law like the recorded one has that strength.
    pub fn law(self, elo: f64) -> Result<PairLaw, BadLaw> {
        match self {
            Self::Assumed(usual) => PairLaw::from_rates(usual.draw_rate, usual.opening_bias, elo),
            Self::AssumedOfGames(usual) => {
                PairLaw::of_single_games(usual.draw_rate, usual.opening_bias, elo)
            }
            Self::Recorded(pairs) => PairLaw::from_pilot(pairs, elo),
        }
    }
}
