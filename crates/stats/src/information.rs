//! What a book of openings is worth: how much one pair of games tells of the players.
//!
//! # Model
//!
//! Davidson's (JASA 65, 1970) extension of Bradley and Terry: with players `e` Elo apart
//! and an opening that favours its first mover, a game's odds of a win to a loss are
//! multiplied by `10^(e/400)`, those of a draw by the root of that. Elo are so the same
//! quantity in every book: those of decisive games from level openings.
//!
//! Then a game's mean score rises by κ times its variance given the opening, per Elo,
//! with κ = ln 10 / 400. Among equals the two games of a pair are independent given the
//! opening and the colours are swapped, so that with v the variance of the pair's mean
//! score
//!
//! ```text
//! variance of a game given its opening   2 v
//! rise of the pair's mean score per Elo  2 κ v
//! information of a pair                  (2 κ v)² / v = 4 κ² v
//! ```
//!
//! Pairs that an opening decides (won by the same side twice) and drawn ones lower v:
//! they say nothing. It is at most 1/8, where openings are level and no game is drawn:
//! 1.66e-5 per square Elo. Above that, openings suit one of the players.

use serde::Serialize;

use super::logistic::ELO_PER_LOGIT;
use super::{Pentanomial, Trinomial};

/// Elo between two players above which they tell little about equals.
const NEAR: f64 = 50.0;

/// What pairs between near equals say of their openings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Information {
    /// Pairs that it is measured from.
    pub pairs: u64,
    /// Variance of a pair's mean score, 0 to 1/4.
    pub variance: f64,
    /// Information per pair, per square Elo.
    pub per_pair: f64,
    /// Its standard error, by the delta method.
    pub standard_error: f64,
    /// Share of drawn games.
    pub draw_rate: f64,
    /// The same between equals, by the model: with odds w : d : l it is `d / (d + 2√(wl))`.
    pub draw_rate_of_equals: f64,
    /// Its standard error over pairs, by the delta method; `None` where a kind of result
    /// is missing.
    pub draw_rate_of_equals_error: Option<f64>,
    /// By how much the players differ, in logistic Elo of their score; `None` if one
    /// won everything.
    pub elo: Option<f64>,
    /// Whether they are near enough to equal, within 50 Elo.
    pub is_near: bool,
}

impl Information {
    /// From the pairs and the games of one pairing; `None` without pairs.
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
        // What a pair adds to ln(d / √(wl)); of the level pairs some are two draws.
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

    /// What players `elo` apart in level decisive games are apart in games from these
    /// openings, in logistic Elo of the score: a pair's mean rises by `2 κ v` per Elo here
    /// and by `κ / 4` there.
    pub fn seen(&self, elo: f64) -> f64 {
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
    fn level_decisive_games_tell_the_most() {
        let level = of([25, 0, 50, 0, 25], [100, 0, 100]);
        assert!((level.variance - 0.125).abs() < 1e-12);
        // κ²/2, κ = ln 10 / 400.
        assert!((level.per_pair - 1.656_82e-5).abs() < 1e-9, "{level:?}");
        assert!((level.seen(5.0) - 5.0).abs() < 1e-12);
        // Half of the pairs are decided by their opening: half as much.
        let lopsided = of([25, 0, 150, 0, 25], [200, 0, 200]);
        assert!((lopsided.per_pair / level.per_pair - 0.5).abs() < 1e-12);
        // As a binomial share of 200 pairs.
        let error = (0.25_f64 * 0.75 / 200.0).sqrt() / 0.25 * lopsided.per_pair;
        assert!((lopsided.standard_error / error - 1.0).abs() < 0.6);
        let same = of([0, 0, 30, 0, 0], [30, 0, 30]);
        assert_eq!((same.per_pair, same.standard_error), (0.0, 0.0));
    }

    /// Against the scatter of simulated matches.
    #[test]
    fn the_error_of_the_draw_rate_is_its_scatter() {
        use rand::{Rng, SeedableRng};
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let (mut claimed, mut seen) = (0.0, Vec::new());
        for _ in 0..400 {
            let (mut pairs, mut games) = ([0; 5], [0; 3]);
            for _ in 0..200 {
                // The two games of a pair are drawn together more often than not.
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
        // 400 matches tell a deviation to 3.5 %.
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
