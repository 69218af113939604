//! Results of pairs: two games from one opening with colours swapped.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Multinomial;

/// Counts of pair results `[LL, LD, WL+DD, WD, WW]` for the first-named
/// player, whose score in such a pair is 0, ¼, ½, ¾ and 1.
///
/// The pair, not the game, is the independent unit: its two games share an
/// opening. Counts saturate at `u64::MAX`. Serialises as the array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

/// A cell number above 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("pair result {0} is not in 0..=4")]
pub struct CellOutOfRange(pub usize);

impl Pentanomial {
    /// Counts one more pair in `cell`: 0 lost both, 2 level, 4 won both.
    ///
    /// # Errors
    /// [`CellOutOfRange`] above 4; then the counts do not change.
    pub fn record(&mut self, cell: usize) -> Result<(), CellOutOfRange> {
        let count = self.0.get_mut(cell).ok_or(CellOutOfRange(cell))?;
        *count = count.saturating_add(1);
        Ok(())
    }

    /// Returns the same pairs from the other player's point of view.
    #[must_use]
    pub fn mirror(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        Multinomial::from(*self).units()
    }

    /// Number of games, twice the pairs.
    pub fn games(&self) -> u64 {
        Multinomial::from(*self).games()
    }

    /// Mean score of the first-named player (0..=1); `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        Multinomial::from(*self).mean()
    }

    /// Variance of one pair's score (0..=¼, divisor N); `None` without pairs.
    pub fn variance(&self) -> Option<f64> {
        Multinomial::from(*self).variance()
    }

    /// Pairs won divided by pairs lost, `(WD+WW) / (LL+LD)`; `None` if no pair was lost.
    pub fn pair_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0.map(|n| n as f64);
        (ll + ld > 0.0).then(|| (wd + ww) / (ll + ld))
    }

    /// Share of level pairs (WL or DD), 0..=1; `None` without pairs.
    ///
    /// fastchess prints this under the name `DrawRatio`.
    pub fn level_ratio(&self) -> Option<f64> {
        let pairs: f64 = self.0.iter().map(|&n| n as f64).sum();
        (pairs > 0.0).then(|| self.0[2] as f64 / pairs)
    }

    /// The least and the greatest share of drawn games that these counts allow; `None` without
    /// pairs.
    ///
    /// A level pair may hold two draws or none, so pair counts alone do not determine the draw
    /// ratio. For the ratio itself count the games:
    /// [`Trinomial::draw_ratio`](super::Trinomial::draw_ratio).
    pub fn draw_ratio_limits(&self) -> Option<(f64, f64)> {
        let [_, ld, level, wd, _] = self.0.map(|n| n as f64);
        let games: f64 = 2.0 * self.0.iter().map(|&n| n as f64).sum::<f64>();
        (games > 0.0).then(|| ((ld + wd) / games, (ld + wd + 2.0 * level) / games))
    }
}

impl std::ops::Add for Pentanomial {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        for (to, from) in self.0.iter_mut().zip(other.0) {
            *to = to.saturating_add(from);
        }
        self
    }
}

impl std::ops::AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Pentanomial {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::default(), std::ops::Add::add)
    }
}

impl From<Pentanomial> for Multinomial {
    fn from(counts: Pentanomial) -> Self {
        Self::new(counts.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_hand() {
        // numpy: x = repeat([0,.25,.5,.75,1], n); x.mean(), x.var()
        let counts = Pentanomial([10, 40, 100, 60, 15]);
        assert_eq!((counts.pairs(), counts.games()), (225, 450));
        assert!((counts.mean().expect("some") - 120.0 / 225.0).abs() < 1e-15);
        assert!((counts.variance().expect("some") - 0.054_444_444_444_444_45).abs() < 1e-15);
    }

    #[test]
    fn ratios() {
        let counts = Pentanomial([1, 3, 4, 5, 7]);
        assert_eq!(counts.pair_ratio(), Some(3.0));
        assert_eq!(counts.level_ratio(), Some(0.2));
        assert_eq!(counts.draw_ratio_limits(), Some((0.2, 0.4)));
        let none_lost = Pentanomial([0, 0, 4, 5, 7]);
        assert_eq!(none_lost.pair_ratio(), None);
        let empty = Pentanomial::default();
        assert_eq!(empty.pair_ratio(), None);
        assert_eq!(empty.level_ratio(), None);
        assert_eq!(empty.draw_ratio_limits(), None);
        assert_eq!(empty.mean(), None);
        assert_eq!(empty.variance(), None);
    }

    #[test]
    fn counting() {
        let mut counts = Pentanomial::default();
        for cell in [0, 4, 4, 2] {
            counts.record(cell).expect("in range");
        }
        assert_eq!(counts.record(5), Err(CellOutOfRange(5)));
        assert_eq!(counts, Pentanomial([1, 0, 1, 0, 2]));
        assert_eq!(counts.mirror(), Pentanomial([2, 0, 1, 0, 1]));
        let twice: Pentanomial = [counts, counts].into_iter().sum();
        assert_eq!(twice, counts + counts);
        assert_eq!(twice.pairs(), 8);
    }

    #[test]
    fn huge_counts_saturate() {
        let counts = Pentanomial([u64::MAX; 5]);
        assert_eq!((counts + counts).pairs(), u64::MAX);
        assert_eq!(counts.games(), u64::MAX);
        assert!((counts.mean().expect("some") - 0.5).abs() < 1e-15);
        assert_eq!(Pentanomial([0, 0, 0, u64::MAX, 0]).variance(), Some(0.0));
        assert!(Pentanomial([0, 1, u64::MAX, 0, 0]).variance() > Some(0.0));
    }

    #[test]
    fn serialises_as_the_array() {
        let counts = Pentanomial([1, 2, 3, 4, 5]);
        let json = serde_json::to_string(&counts).expect("plain numbers");
        assert_eq!(json, "[1,2,3,4,5]");
        assert_eq!(
            serde_json::from_str::<Pentanomial>(&json).expect("back"),
            counts
        );
    }
}
