//! Two scores in one number.

use std::ops::{Add, AddAssign, Mul, Sub};

use super::Score;

/// The scores of two stages of a game in one number: the sum of the first score and 2^32 times the
/// second. Adding or multiplying the number applies to both scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PackedScore(i64);

impl PackedScore {
    /// Packs two scores.
    #[inline]
    pub const fn new(first: Score, second: Score) -> Self {
        Self(first as i64 + ((second as i64) << 32))
    }

    /// The first score.
    #[inline]
    pub const fn first(self) -> Score {
        self.0 as Score
    }

    /// The second score.
    #[inline]
    pub const fn second(self) -> Score {
        // A negative lower half has borrowed one from the upper half.
        ((self.0 - self.first() as i64) >> 32) as Score
    }

    /// The interpolation between the first score, at the phase `whole`, and the second, at phase 0,
    /// rounded towards zero, so that the value for the other side is exactly the opposite. Calls
    /// `phase` only if the scores differ.
    #[inline]
    pub fn tapered(self, whole: i32, phase: impl FnOnce() -> i32) -> Score {
        if self.first() == self.second() {
            return self.first();
        }
        self.between(whole - phase(), whole, 1)
    }

    /// The interpolation of the two scores, where the second has a share of `share` parts of
    /// `whole`, divided by `by` and rounded towards zero, so that the opposite pair gives exactly
    /// the opposite.
    #[inline]
    pub const fn between(self, share: i32, whole: i32, by: Score) -> Score {
        let (first, second) = (self.first() as i64, self.second() as i64);
        let sum = first * (whole - share) as i64 + second * share as i64;
        (sum / (whole * by) as i64) as Score
    }
}

impl Add for PackedScore {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for PackedScore {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for PackedScore {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i32> for PackedScore {
    type Output = Self;

    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0 * i64::from(times))
    }
}
