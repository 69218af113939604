//! The distribution of a pair's result, for simulations.
//!
//! *From rates.* Two games from one opening that favours one side, independent given the opening,
//! each by Rao and Kupper's model (JASA 62, 1967), which is `BayesElo`'s: with L the logistic
//! function, x the strength, a the advantage and d the draw parameter, all in natural units,
//!
//! ```text
//! P(win) = L(x ± a - d),   P(loss) = L(-x ∓ a - d)
//! ```
//!
//! a and d are chosen so that, among equals, the draw rate and the score of the favoured side are
//! as stated; x is chosen so that the pair has the stated expected score. It is the model of
//! vdbergh/simul.
//!
//! *From a pilot.* The observed distribution, tilted to the stated expected score: `pᵢ ∝ p̂ᵢ
//! e^(θi)`, the nearest of all distributions with that score (Csiszár, Annals of Probability 3,
//! 1975).

use serde::Serialize;
use thiserror::Error;

use super::Pentanomial;
use super::bisection::bisect;
use super::logistic::{ELO_PER_LOGIT, elo_from_score, score_from_elo};
use super::planning::{BadPlan, GameVariance};

/// A reason why no law of pairs fits the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BadLaw {
    /// Rates that are out of range or leave no variance.
    #[error(transparent)]
    Rates(#[from] BadPlan),
    /// The favoured side would lose a negative share of games.
    #[error(
        "a draw rate of {draw_rate} leaves no losses for an opening bias of {bias} Elo: \
         it must be below {most:.1} Elo"
    )]
    Bias {
        /// Share of drawn games.
        draw_rate: f64,
        /// The bias in Elo.
        bias: f64,
        /// The bias at which no losses are left, in Elo.
        most: f64,
    },
    /// All results of the pilot are on one side of the strength.
    #[error(
        "the pilot does not fit {elo} Elo: it needs pairs that score more than {score:.3} and pairs \
         that score less"
    )]
    OneSided {
        /// The requested strength.
        elo: f64,
        /// Its expected score.
        score: f64,
    },
    /// A strength outside the supported range.
    #[error("the strength ({0}) must be a number of Elo between -1000 and 1000")]
    Elo(f64),
}

/// Probabilities of the pair results, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PairLaw([f64; 5]);

impl PairLaw {
    /// Computes the law from the share of drawn games and the bias of the openings in Elo, both
    /// among equals, for a first player with a lead of `elo` (logistic).
    ///
    /// # Errors
    /// [`BadLaw`] if a number is out of range or they contradict each other.
    pub fn from_rates(draw_rate: f64, bias: f64, elo: f64) -> Result<Self, BadLaw> {
        Self::from_games(draw_rate, bias, elo, |one, other| {
            let mut law = [0.0; 5];
            for (i, p) in one.iter().enumerate() {
                for (j, q) in other.iter().enumerate() {
                    law[i + j] += p * q;
                }
            }
            law
        })
    }

    /// Computes the law of single games with random colours, which count as pairs of two equal
    /// games; the arguments are those of [`from_rates`](Self::from_rates).
    ///
    /// # Errors
    /// As for [`from_rates`](Self::from_rates).
    pub fn of_single_games(draw_rate: f64, bias: f64, elo: f64) -> Result<Self, BadLaw> {
        Self::from_games(draw_rate, bias, elo, |one, other| {
            let share = |outcome: usize| f64::midpoint(one[outcome], other[outcome]);
            [share(0), 0.0, share(1), 0.0, share(2)]
        })
    }

    /// Computes the law with the expected score of `elo`. `pair` combines the probabilities of a
    /// game with each colour, worst outcome first.
    fn from_games(
        draw_rate: f64,
        bias: f64,
        elo: f64,
        pair: impl Fn([f64; 3], [f64; 3]) -> [f64; 5],
    ) -> Result<Self, BadLaw> {
        let target = target(elo)?;
        GameVariance::from_rates(draw_rate, bias)?;
        let favoured = score_from_elo(bias);
        let (win, loss) = (favoured - draw_rate / 2.0, 1.0 - favoured - draw_rate / 2.0);
        if loss < 1e-12 {
            let most = elo_from_score(1.0 - draw_rate / 2.0).unwrap_or(2000.0);
            return Err(BadLaw::Bias {
                draw_rate,
                bias,
                most,
            });
        }
        let logit = |p: f64| elo_from_score(p).unwrap_or(0.0) / ELO_PER_LOGIT;
        let advantage = (logit(win) - logit(loss)) / 2.0;
        // Rounding can make it negative without draws.
        let draw = (-(logit(win) + logit(loss)) / 2.0).max(0.0);
        let game = |x: f64| {
            let (win, loss) = (logistic(x - draw), logistic(-x - draw));
            [loss, (1.0 - win - loss).max(0.0), win]
        };
        let pair = |x: f64| Self(pair(game(x + advantage), game(x - advantage)));
        Ok(pair(solve(target, 60.0, |x| pair(x).mean())))
    }

    /// Tilts the results of a pilot to a first player with a lead of `elo` (logistic).
    ///
    /// # Errors
    /// [`BadLaw`] if the pilot has no results on one side of that strength.
    pub fn from_pilot(pilot: Pentanomial, elo: f64) -> Result<Self, BadLaw> {
        let target = target(elo)?;
        let seen = pilot.0.iter().enumerate().filter(|(_, count)| **count > 0);
        let scores: Vec<f64> = seen.map(|(cell, _)| cell as f64 / 4.0).collect();
        if scores.iter().all(|&score| score >= target)
            || scores.iter().all(|&score| score <= target)
        {
            return Err(BadLaw::OneSided { elo, score: target });
        }
        let tilted = |theta: f64| {
            // The largest exponent is 0: no overflow.
            let top = if theta > 0.0 { 4.0 } else { 0.0 };
            let mut law = pilot.0.map(|n| n as f64);
            for (i, p) in law.iter_mut().enumerate() {
                *p *= libm::exp(theta * (i as f64 - top));
            }
            let all: f64 = law.iter().sum();
            Self(law.map(|p| p / all))
        };
        Ok(tilted(solve(target, 100.0, |theta| tilted(theta).mean())))
    }

    /// The probabilities, worst result first.
    pub fn probabilities(&self) -> &[f64; 5] {
        &self.0
    }

    /// Expected score of a pair, 0..=1.
    pub fn mean(&self) -> f64 {
        self.moment(|x| x)
    }

    /// Variance of one game's score within its pair.
    ///
    /// # Errors
    /// [`BadPlan::Pilot`] if all pairs have the same result.
    pub fn game_variance(&self) -> Result<GameVariance, BadPlan> {
        let mean = self.mean();
        GameVariance::from_pair_variance(self.moment(|x| (x - mean).powi(2)))
    }

    /// Returns the result at a point of 0..1, for random draws.
    pub fn result_at(&self, point: f64) -> usize {
        let mut left = point;
        for (result, p) in self.0.iter().enumerate() {
            left -= p;
            if left < 0.0 {
                return result;
            }
        }
        // After rounding errors: the best possible result.
        self.0.iter().rposition(|&p| p > 0.0).unwrap_or(2)
    }

    fn moment(&self, f: impl Fn(f64) -> f64) -> f64 {
        let terms = self.0.iter().enumerate();
        terms.map(|(i, p)| p * f(i as f64 / 4.0)).sum()
    }
}

fn target(elo: f64) -> Result<f64, BadLaw> {
    if elo.abs() <= 1000.0 {
        Ok(score_from_elo(elo))
    } else {
        Err(BadLaw::Elo(elo))
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// Finds the point between ± `most` at which a rising function reaches `value`.
fn solve(value: f64, most: f64, rising: impl Fn(f64) -> f64) -> f64 {
    let [low, high] = bisect([-most, most], 80, |x| rising(x) < value);
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equals_by_hand() {
        // No bias: two independent games.
        let law = PairLaw::from_rates(0.5, 0.0, 0.0).expect("a law");
        for (got, want) in law.0.iter().zip([1.0, 4.0, 6.0, 4.0, 1.0]) {
            assert!((got - want / 16.0).abs() < 1e-12, "{law:?}");
        }
        // Bias 191 (score .750164), draws .49: P(win) = .505164, P(loss) = .004836.
        let law = PairLaw::from_rates(0.49, 191.0, 0.0).expect("a law");
        let (win, loss) = (0.505_164, 0.004_836);
        assert!((law.0[4] - win * loss).abs() < 1e-6, "{law:?}");
        assert!(
            (law.0[2] - (win * win + loss * loss + 0.2401)).abs() < 2e-6,
            "{law:?}"
        );
        let variance = law.game_variance().expect("spread").get();
        let stated = GameVariance::from_rates(0.49, 191.0).expect("some").get();
        assert!((variance - stated).abs() < 1e-12);
    }

    #[test]
    fn single_games_by_hand() {
        // Bias 191, draws .49, as above; a colour at random wins (.505164 + .004836) / 2.
        let law = PairLaw::of_single_games(0.49, 191.0, 0.0).expect("a law");
        for (got, want) in law.0.iter().zip([0.255, 0.0, 0.49, 0.0, 0.255]) {
            assert!((got - want).abs() < 1e-9, "{law:?}");
        }
    }

    #[test]
    fn a_pilot_at_its_own_strength_is_itself() {
        let pilot = Pentanomial([10, 40, 100, 60, 15]);
        let elo = elo_from_score(pilot.mean().expect("some")).expect("inside");
        let law = PairLaw::from_pilot(pilot, elo).expect("a law");
        for (p, n) in law.0.iter().zip(pilot.0) {
            assert!((p - n as f64 / 225.0).abs() < 1e-9);
        }
        // Tilting changes all ratios of neighbouring probabilities by the same factor.
        let tilted = PairLaw::from_pilot(pilot, -30.0).expect("a law");
        let odds: Vec<f64> = (0..5).map(|i| libm::log(tilted.0[i] / law.0[i])).collect();
        for i in 0..3 {
            assert!((odds[i + 1] * 2.0 - odds[i] - odds[i + 2]).abs() < 1e-9);
        }
    }

    #[test]
    fn counts_without_a_law() {
        let error = PairLaw::from_rates(0.9, 40.0, 0.0).expect_err("no losses left");
        assert!(error.to_string().contains("34.9"), "{error}");
        assert!(PairLaw::from_rates(0.9, 34.8, 0.0).is_ok());
        assert!(matches!(
            PairLaw::from_rates(1.5, 0.0, 0.0),
            Err(BadLaw::Rates(_))
        ));
        assert!(PairLaw::from_rates(0.5, 0.0, f64::NAN).is_err());
        for pilot in [[0, 0, 9, 9, 9], [0; 5], [0, 0, 9, 0, 0]] {
            let error = PairLaw::from_pilot(Pentanomial(pilot), 0.0).expect_err("one-sided");
            assert!(error.to_string().contains("0.500"), "{error}");
        }
        assert!(PairLaw::from_pilot(Pentanomial([0, 0, 9, 9, 9]), 5.0).is_ok());
    }

    #[test]
    fn results_are_drawn_by_their_probability() {
        let law = PairLaw([0.1, 0.0, 0.4, 0.5, 0.0]);
        for (point, result) in [
            (0.0, 0),
            (0.0999, 0),
            (0.1, 2),
            (0.49, 2),
            (0.51, 3),
            (1.0, 3),
        ] {
            assert_eq!(law.result_at(point), result);
        }
    }

    proptest! {
        #[test]
        fn a_law_has_its_mean(
            draws in 0.0..0.95_f64,
            bias in 0.0..400.0_f64,
            elo in -1000.0..1000.0_f64,
            pilot in [1..1000_u64, 0..1000, 0..100_000, 0..1000, 1..1000],
        ) {
            let laws = [
                PairLaw::from_rates(draws, bias, elo),
                PairLaw::from_pilot(Pentanomial(pilot), elo),
            ];
            for law in laws.into_iter().flatten() {
                prop_assert!((law.mean() - score_from_elo(elo)).abs() < 1e-9, "{law:?}");
                prop_assert!((law.0.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert!(law.0.iter().all(|p| (0.0..=1.0).contains(p)));
            }
        }
    }
}
