//! Margins of victory, in the points of the game.

use super::Ranged;
use super::normal::Z95;

/// Sums over the margins of a player's games, by pair.
///
/// Integers, so that the order of pairs does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarginSums {
    /// Pairs with at least one counted game.
    pairs: u64,
    /// Counted games, and the sum over pairs of their squared number.
    games: u64,
    games_squared: u64,
    /// Sum of the margins, sum of the squares of the pairs' sums, and sum of those sums times the
    /// games of the pair.
    sum: i64,
    sum_squared: u64,
    sum_by_games: i64,
}

impl MarginSums {
    /// Adds a pair with the player's margin in each game, negative if lost, `None` for a game
    /// without a count of points.
    pub fn record(&mut self, margins: [Option<i32>; 2]) {
        let known = margins.into_iter().flatten();
        let games = known.clone().count() as u64;
        if games == 0 {
            return;
        }
        let sum: i64 = known.map(i64::from).sum();
        self.pairs += 1;
        self.games += games;
        self.games_squared += games * games;
        self.sum += sum;
        self.sum_squared += sum.unsigned_abs().pow(2);
        self.sum_by_games += sum * games as i64;
    }

    /// Returns the sums from the other player's point of view.
    #[must_use]
    pub fn mirror(self) -> Self {
        Self {
            sum: -self.sum,
            sum_by_games: -self.sum_by_games,
            ..self
        }
    }

    /// Adds the sums of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.games += other.games;
        self.games_squared += other.games_squared;
        self.sum += other.sum;
        self.sum_squared += other.sum_squared;
        self.sum_by_games += other.sum_by_games;
    }

    /// Number of counted games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The mean margin of a game with its 95 % interval; no value without games, and no interval
    /// from a single pair.
    ///
    /// The sampling unit is the pair, because its games share an opening. With margins sᵢ of nᵢ
    /// games in m pairs, the mean is μ = Σ sᵢ / Σ nᵢ and its variance
    ///
    /// ```text
    /// d · m/(m-1) · Σ (sᵢ - μ nᵢ)² / (Σ nᵢ)²
    /// ```
    ///
    /// (the ratio estimator of cluster sampling: Cochran, Sampling Techniques, section 9A.2), times
    /// the `design_effect` d of openings that several pairs share. Limits are normal: valid from
    /// some 30 pairs on.
    pub fn mean(&self, design_effect: f64) -> Ranged {
        if self.games == 0 {
            return Ranged::NOTHING;
        }
        let games = self.games as f64;
        let mean = self.sum as f64 / games;
        if self.pairs < 2 {
            return Ranged::new(Some(mean), None, None);
        }
        let spread = self.sum_squared as f64 - 2.0 * mean * self.sum_by_games as f64
            + mean * mean * self.games_squared as f64;
        let pairs = self.pairs as f64;
        let variance = design_effect.max(0.0) * pairs / (pairs - 1.0) * spread.max(0.0);
        let half = Z95 * variance.sqrt() / games;
        Ranged::new(Some(mean), Some(mean - half), Some(mean + half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[[Option<i32>; 2]]) -> MarginSums {
        let mut sums = MarginSums::default();
        for &pair in pairs {
            sums.record(pair);
        }
        sums
    }

    #[test]
    fn the_formula_on_a_small_case() {
        let sums = of(&[[Some(10), Some(-2)], [Some(4), None], [None, None]]);
        assert_eq!((sums.games(), sums.pairs), (3, 2));
        // Mean 4; deviations 8 - 8 and 4 - 4 are zero.
        let mean = sums.mean(1.0);
        assert_eq!(
            (mean.value, mean.low, mean.high),
            (Some(4.0), Some(4.0), Some(4.0))
        );
        // Sums 8 and 0 around a mean of 2: 2 * (16 + 16) / 16 = 4, so ± 1.96 * 2.
        let sums = of(&[[Some(10), Some(-2)], [Some(1), Some(-1)]]);
        let mean = sums.mean(1.0);
        assert_eq!(mean.value, Some(2.0));
        assert!((mean.high.unwrap() - (2.0 + Z95 * 2.0)).abs() < 1e-12);
        let wider = sums.mean(4.0);
        assert!((wider.low.unwrap() - (2.0 - Z95 * 4.0)).abs() < 1e-12);
    }

    #[test]
    fn few_games_give_wide_intervals() {
        assert_eq!(of(&[]).mean(1.0), Ranged::NOTHING);
        assert_eq!(of(&[[None, None]]).mean(1.0), Ranged::NOTHING);
        let one = of(&[[Some(3), Some(4)]]).mean(1.0);
        assert_eq!((one.value, one.low, one.high), (Some(3.5), None, None));
        let odd = of(&[[Some(3), None], [Some(5), None]]).mean(f64::NAN);
        assert_eq!(odd.value, Some(4.0));
    }

    #[test]
    fn the_other_player_has_the_opposite() {
        let pairs = [[Some(10), Some(-2)], [Some(4), None], [Some(-7), Some(1)]];
        let opposite = pairs.map(|pair| pair.map(|margin| margin.map(|margin| -margin)));
        assert_eq!(of(&pairs).mirror(), of(&opposite));
        let mut merged = of(&pairs[..1]);
        merged.merge(&of(&pairs[1..]));
        assert_eq!(merged, of(&pairs));
    }
}
