//! Results of single games.

use serde::{Deserialize, Serialize};

use super::Multinomial;

/// Counts of losses, draws and wins of the first-named player.
///
/// For unpaired games. The games of a pair are not independent, so for pairs estimate from
/// [`Pentanomial`](super::Pentanomial): with game counts the errors are too large for unbalanced
/// openings, and too small for openings that suit one player (statistics.md section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trinomial {
    /// Number of lost games.
    pub losses: u64,
    /// Number of drawn games.
    pub draws: u64,
    /// Number of won games.
    pub wins: u64,
}

impl Trinomial {
    /// Counts a game by the half points of the first-named player, 0 to 2.
    pub fn record(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Number of games, saturating.
    pub fn games(&self) -> u64 {
        Multinomial::from(*self).units()
    }

    /// Returns the same games from the other player's point of view.
    #[must_use]
    pub fn mirror(self) -> Self {
        Self {
            losses: self.wins,
            draws: self.draws,
            wins: self.losses,
        }
    }

    /// Mean score of the first-named player (0..=1); `None` without games.
    pub fn mean(&self) -> Option<f64> {
        Multinomial::from(*self).mean()
    }

    /// Variance of one game's score (0..=¼, divisor N); `None` without games.
    pub fn variance(&self) -> Option<f64> {
        Multinomial::from(*self).variance()
    }

    /// Share of drawn games, 0..=1; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        let games = self.losses as f64 + self.draws as f64 + self.wins as f64;
        (games > 0.0).then(|| self.draws as f64 / games)
    }
}

impl std::ops::Add for Trinomial {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            losses: self.losses.saturating_add(other.losses),
            draws: self.draws.saturating_add(other.draws),
            wins: self.wins.saturating_add(other.wins),
        }
    }
}

impl std::ops::AddAssign for Trinomial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl From<Trinomial> for Multinomial {
    fn from(counts: Trinomial) -> Self {
        Self::new([counts.losses, counts.draws, counts.wins])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_hand() {
        let counts = Trinomial {
            losses: 1,
            draws: 2,
            wins: 5,
        };
        assert_eq!(counts.games(), 8);
        assert_eq!(counts.mean(), Some(0.75));
        assert_eq!(counts.variance(), Some((5.0 + 0.5) / 8.0 - 0.5625));
        assert_eq!(counts.draw_ratio(), Some(0.25));
        assert_eq!(counts.mirror().mean(), Some(0.25));
        assert_eq!((counts + counts.mirror()).mean(), Some(0.5));
    }

    #[test]
    fn nothing_played() {
        let none = Trinomial::default();
        assert_eq!(none.mean(), None);
        assert_eq!(none.variance(), None);
        assert_eq!(none.draw_ratio(), None);
    }
}
