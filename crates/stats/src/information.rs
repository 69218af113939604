//! Information of a book: the amount that one pair of games reveals about the players' strengths.
//!
//! # Model
//!
//! Davidson's extension (JASA 65, 1970) of Bradley and Terry: with players `e` Elo apart and an
//! opening that favours its first mover, a game's odds of a win to a loss are multiplied by
//! `10^(e/400)`, and those of a draw by its square root. Elo is therefore the same quantity in
//! every book: the Elo of decisive games from level openings.
//!
//! With κ = ln 10 / 400, the mean score of a game then rises, per Elo, by κ times its variance
//! given the opening. Among equals, the two games of a pair are independent given the opening, and
//! the colours are swapped. With v the variance of the pair's mean score:
//!
//! ```text
//! variance of a game given its opening   2 v
//! rise of the pair's mean score per Elo  2 κ v
//! information of a pair                  (2 κ v)² / v = 4 κ² v
//! ```
//!
//! Pairs that the opening decides (the same side wins twice) and drawn pairs carry no information
//! and lower v. v is at most 1/8, with level openings and no drawn games: 1.66e-5 per square Elo. A
//! larger v means that openings suit one of the players.

use serde::Serialize;

use super::logistic::ELO_PER_LOGIT;
use super::{Pentanomial, Trinomial};

/// Elo difference above which two players say little about equal players.
const NEAR: f64 = 50.0;

/// Information of a book, from pairs between players of nearly equal strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Information {
    /// Number of pairs measured.
    pub pairs: u64,
    /// Variance of a pair's mean score, 0 to 1/4.
    pub variance: f64,
    /// Information per pair, per square Elo.
    pub per_pair: f64,
    /// Standard error of `per_pair`, by the delta method.
    pub standard_error: f64,
    /// Share of drawn games.
    pub draw_rate: f64,
    /// Share of drawn games between equal players, by the model: `d / (d + 2√(wl))`, with the odds
    /// w : d : l of a win, draw and loss.
    pub draw_rate_of_equals: f64,
    /// Standard error of `draw_rate_of_equals` over pairs, by the delta method; `None` if there are
    /// no wins, draws or losses.
    pub draw_rate_of_equals_error: Option<f64>,
    /// Difference of the players in logistic Elo of the score; `None` if one player won everything.
    pub elo: Option<f64>,
    /// True if the players differ by at most 50 Elo.
    pub is_near: bool,
}

impl Information {
    /// Computes the information from the pairs and games of one pairing; `None` without pairs.
    pub fn of(pairs: Pentanomial, games: Trinomial) -> Option<Self> {
        let (mean, variance) = (pairs.mean()?, pairs.variance()?);
        let count = pairs.pairs() as f64;
        let fourth: f64 = (0_u32..)
            .zip(pairs.0)
            .map(|(cell, number)| number as f64 * (f64::from(cell) / 4.0 - mean).powi(4))
            .sum::<f64>()
            / count;
        let scale = 4.0 / (ELO_PER_LOGIT * ELO_PER_LOGIT);
        let error = ((fourth - variance * variance).max(0.0) / count).sqrt();
        let [won, drawn, lost] = [games.wins, games.draws, games.losses].map(|it| it as f64);
        let level = 2.0 * (won * lost).sqrt();
        let elo = super::logistic::elo_from_score(mean);
        let of_equals = if drawn > 0.0 {
            drawn / (drawn + level)
        } else {
            0.0
        };
        // The contribution of a pair to ln(d / √(wl)); some level pairs are two draws.
        let [lost_both, half_lost, _, half_won, won_both] = pairs.0.map(|it| it as f64);
        let two_draws = (drawn - half_lost - half_won) / 2.0;
        let kinds = [
            (lost_both, [0.0, 0.0, 2.0]),
            (half_lost, [0.0, 1.0, 1.0]),
            (two_draws, [0.0, 2.0, 0.0]),
            (pairs.0[2] as f64 - two_draws, [1.0, 0.0, 1.0]),
            (half_won, [1.0, 1.0, 0.0]),
            (won_both, [2.0, 0.0, 0.0]),
        ];
        let odds: f64 = kinds
            .iter()
            .map(|(number, [w, d, l])| {
                number * (d / drawn - w / (2.0 * won) - l / (2.0 * lost)).powi(2)
            })
            .sum();
        let of_equals_error = of_equals * (1.0 - of_equals) * odds.sqrt();
        Some(Self {
            pairs: pairs.pairs(),
            variance,
            per_pair: scale * variance,
            standard_error: scale * error,
            draw_rate: drawn / (won + drawn + lost),
            draw_rate_of_equals: of_equals,
            draw_rate_of_equals_error: Some(of_equals_error).filter(|error| error.is_finite()),
            elo,
            is_near: elo.is_some_and(|elo| elo.abs() <= NEAR),
        })
    }

    /// Returns the expected difference in games from these openings, in logistic Elo of the score,
    /// of players `elo` apart in level decisive games. The mean of a pair rises by `2 κ v` per Elo
    /// with these openings and by `κ / 4` with level decisive games.
    pub fn expected_difference(&self, elo: f64) -> f64 {
        8.0 * self.variance * elo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: [u64; 5], games: [u64; 3]) -> Information {
        let [wins, draws, losses] = games;
        let games = Trinomial {
            losses,
            draws,
            wins,
        };
        Information::of(Pentanomial(pairs), games).unwrap()
    }

    #[test]
    fn level_decisive_games_have_the_most_information() {
        let level = of([25, 0, 50, 0, 25], [100, 0, 100]);
        assert!((level.variance - 0.125).abs() < 1e-12);
        // κ²/2, κ = ln 10 / 400.
        assert!((level.per_pair - 1.656_82e-5).abs() < 1e-9, "{level:?}");
        assert!((level.expected_difference(5.0) - 5.0).abs() < 1e-12);
        // The opening decides half of the pairs: half the information.
        let lopsided = of([25, 0, 150, 0, 25], [200, 0, 200]);
        assert!((lopsided.per_pair / level.per_pair - 0.5).abs() < 1e-12);
        // The error of a binomial share of 200 pairs.
        let error = (0.25_f64 * 0.75 / 200.0).sqrt() / 0.25 * lopsided.per_pair;
        assert!((lopsided.standard_error / error - 1.0).abs() < 0.6);
        let same = of([0, 0, 30, 0, 0], [30, 0, 30]);
        assert_eq!((same.per_pair, same.standard_error), (0.0, 0.0));
    }

    /// Compares the claimed error with the scatter of simulated matches.
    #[test]
    fn the_error_of_the_draw_rate_is_its_scatter() {
        use rand::{Rng, SeedableRng};
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let (mut claimed, mut seen) = (0.0, Vec::new());
        for _ in 0..400 {
            let (mut pairs, mut games) = ([0; 5], [0; 3]);
            for _ in 0..200 {
                // Makes draws in the two games of a pair correlated.
                let drawn = random.next_u32() % 3 == 0;
                let mut cell = 0;
                for _ in 0..2 {
                    let kind = match random.next_u32() % 8 {
                        0..3 => 0,
                        3..5 if !drawn => 2,
                        _ => 1,
                    };
                    games[kind] += 1;
                    cell += 2 - kind;
                }
                pairs[cell] += 1;
            }
            let got = of(pairs, games);
            claimed += got.draw_rate_of_equals_error.unwrap() / 400.0;
            seen.push(got.draw_rate_of_equals);
        }
        let mean = seen.iter().sum::<f64>() / 400.0;
        let scatter = seen.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 399.0;
        let ratio = claimed / scatter.sqrt();
        // 400 matches determine a standard deviation to 3.5 %.
        assert!((0.88..1.12).contains(&ratio), "{ratio}");
    }

    #[test]
    fn draws_between_unequal_players_are_fewer() {
        // Davidson with ν = 1 at odds of 4: 4 : 2 : 1.
        let unequal = of([0, 0, 10, 0, 60], [40, 20, 10]);
        assert!((unequal.draw_rate - 2.0 / 7.0).abs() < 1e-12);
        assert!((unequal.draw_rate_of_equals - 1.0 / 3.0).abs() < 1e-12);
        assert!(!unequal.is_near);
        assert!(of([1, 0, 9, 0, 1], [11, 0, 11]).is_near);
    }
}
