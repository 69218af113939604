//! The common part of pair counts and game counts.

/// Largest count per outcome that is accepted as input: sums of many such counts are still exact,
/// in whole numbers and in floating point.
pub const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// Counts of equally spaced outcomes, worst first: 3 outcomes of a game (0, ½, 1) or 5 of a pair
/// (0, ¼, ½, ¾, 1).
///
/// The unit is the independent observation: a game for three outcomes, a pair for five. Converts
/// with `From` from [`Trinomial`](super::Trinomial) and [`Pentanomial`](super::Pentanomial).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multinomial {
    counts: [u64; 5],
    outcomes: usize,
}

/// The first four moments of the unit's score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments {
    /// Number of units, above 0.
    pub(super) units: f64,
    /// Mean score, 0..=1.
    pub(super) mean: f64,
    /// Mean minus ½, without the rounding of that subtraction.
    pub(super) lead: f64,
    /// Variance of one unit, divisor N, 0..=¼. Exactly 0 if and only if a single outcome occurred.
    pub(super) variance: f64,
    /// Third central moment.
    pub(super) third: f64,
    /// Fourth central moment.
    pub(super) fourth: f64,
}

impl Multinomial {
    pub(super) fn new<const K: usize>(cells: [u64; K]) -> Self {
        let outcomes = K.clamp(2, 5);
        let counts = std::array::from_fn(|i| cells.get(i).copied().unwrap_or_default());
        Self { counts, outcomes }
    }

    /// The counts, worst outcome first.
    pub fn counts(&self) -> &[u64] {
        &self.counts[..self.outcomes]
    }

    /// Each outcome's score (0..=1) and count, worst first.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator + '_ {
        let top = (self.outcomes - 1) as f64;
        let counts = self.counts().iter().enumerate();
        counts.map(move |(i, &count)| (i as f64 / top, count as f64))
    }

    /// Number of units (games or pairs).
    pub fn units(&self) -> u64 {
        self.counts().iter().copied().fold(0, u64::saturating_add)
    }

    /// Games in a unit: 1 or 2.
    pub fn games_per_unit(&self) -> u64 {
        (self.outcomes as u64 - 1) / 2
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.units().saturating_mul(self.games_per_unit())
    }

    /// Returns whether there are no units.
    pub fn is_empty(&self) -> bool {
        self.units() == 0
    }

    /// Returns the counts without the last result, for each outcome that it can have had.
    pub(super) fn without_the_last(self) -> impl Iterator<Item = Self> {
        (0..self.outcomes).filter_map(move |outcome| {
            let mut before = self;
            before.counts[outcome] = before.counts[outcome].checked_sub(1)?;
            Some(before)
        })
    }

    /// The same results for the other player.
    #[must_use]
    pub fn mirror(mut self) -> Self {
        self.counts[..self.outcomes].reverse();
        self
    }

    /// Mean score of the first-named player (0..=1); `None` without units.
    pub fn mean(&self) -> Option<f64> {
        self.moments().map(|m| m.mean)
    }

    /// Variance of one unit's score (0..=¼, divisor N); `None` without units.
    pub fn variance(&self) -> Option<f64> {
        self.moments().map(|m| m.variance)
    }

    pub(super) fn moments(&self) -> Option<Moments> {
        self.moments_with_ends(0.0)
    }

    /// Returns the moments after adding `extra / 2` units to each of the two extreme outcomes.
    pub(super) fn moments_with_ends(&self, extra: f64) -> Option<Moments> {
        if self.is_empty() {
            return None;
        }
        let top = self.outcomes - 1;
        let cells = || {
            self.cells().enumerate().map(move |(i, (score, n))| {
                let more = if i == 0 || i == top { extra / 2.0 } else { 0.0 };
                (score, n + more)
            })
        };
        // An integer sum is the same from either end.
        let units = self.counts().iter().map(|&n| u128::from(n)).sum::<u128>() as f64 + extra;
        let seen = cells().filter(|&(_, n)| n > 0.0).count();
        // Measured from ½, so that a small lead among huge counts keeps its digits and mirrored
        // counts give exactly the opposite.
        let lead = match cells().find(|&(_, n)| n > 0.0) {
            Some((score, _)) if seen == 1 => score - 0.5,
            _ => {
                let behind = cells().filter(|cell| cell.0 < 0.5);
                let behind = behind.map(|(score, n)| (0.5 - score) * n);
                let ahead = cells().rev().filter(|cell| cell.0 > 0.5);
                let ahead = ahead.map(|(score, n)| (score - 0.5) * n);
                (ahead.sum::<f64>() - behind.sum::<f64>()) / units
            }
        };
        // Centred sums have positive terms only, so the variance neither cancels nor turns
        // negative.
        let central = |power: i32| {
            let sum: f64 = cells().map(|(s, n)| n * (s - 0.5 - lead).powi(power)).sum();
            sum / units
        };
        Some(Moments {
            units,
            mean: 0.5 + lead,
            lead,
            variance: central(2),
            third: central(3),
            fourth: central(4),
        })
    }
}
