//! Stages of the game, and numbers between them.

use std::ops::{Add, AddAssign, Mul, Sub};

use crate::eval::Score;

/// What the share of a stage in a position is counted in: shares are whole numbers
/// that add up to this.
pub const UNIT: i32 = 16;

/// A stage of the game, which the number of discs on the board decides.
///
/// Each stage has an [`anchor`](Stage::anchor). With so many discs its numbers count
/// alone; between two anchors both stages count, the nearer one more, in a straight
/// line. Before the first anchor and after the last one nothing changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Up to 12 discs: where games from the usual openings of 8 plies begin.
    Opening,
    /// About 28 discs.
    Middle,
    /// About 44 discs.
    Late,
    /// From 60 discs.
    End,
}

/// Discs on the board at the first anchor.
const FIRST: u32 = 12;

impl Stage {
    /// How many there are.
    pub const COUNT: usize = 4;

    /// All of them, in the order of the game.
    pub const ALL: [Stage; Stage::COUNT] = [Stage::Opening, Stage::Middle, Stage::Late, Stage::End];

    /// What a config calls its own numbers; `None` for the first stage, whose
    /// numbers are those without a stage's name.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Stage::Opening => None,
            Stage::Middle => Some("middle"),
            Stage::Late => Some("late"),
            Stage::End => Some("end"),
        }
    }

    /// The number of discs on the board at which this stage counts alone.
    pub const fn anchor(self) -> u32 {
        FIRST + UNIT as u32 * self as u32
    }

    /// The share of each stage in a position with so many discs, in the order of
    /// [`ALL`](Stage::ALL), in units of 1 / [`UNIT`]. At most two are above 0, and
    /// they are neighbours.
    pub fn shares(discs: u32) -> [i32; Stage::COUNT] {
        let Place { span, later } = Place::of(discs);
        let mut shares = [0; Stage::COUNT];
        shares[span] = UNIT - later;
        shares[span + 1] = later;
        shares
    }
}

/// Between which two stages a position lies, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The earlier one of the two, by its place in [`Stage::ALL`].
    pub(super) span: usize,
    /// The share of the later one.
    pub(super) later: i32,
}

impl Place {
    /// Where the first stage counts alone.
    pub(super) const FIRST: Place = Place { span: 0, later: 0 };
    /// How many spans there are between stages.
    pub(super) const SPANS: usize = Stage::COUNT - 1;

    #[inline]
    pub(super) const fn of(discs: u32) -> Place {
        const UNITS: u32 = UNIT as u32;
        let past = discs.saturating_sub(FIRST);
        let span = past / UNITS;
        if span < Place::SPANS as u32 {
            Place {
                span: span as usize,
                later: (past % UNITS) as i32,
            }
        } else {
            Place {
                span: Place::SPANS - 1,
                later: UNIT,
            }
        }
    }
}

/// The same thing in two neighbouring stages, in one number: the sum of the
/// earlier's and 2^32 times the later's. Sums and multiples are those of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Pair(i64);

impl Pair {
    #[inline]
    pub(super) const fn new(earlier: Score, later: Score) -> Self {
        Self(earlier as i64 + ((later as i64) << 32))
    }

    /// The earlier one divided by `by`, rounded towards zero.
    #[inline]
    pub(super) const fn earlier(self, by: Score) -> Score {
        self.0 as Score / by
    }

    /// The number between the two where the later one's share is `later`, divided by
    /// `by` and rounded towards zero, so that the opposite pair gives exactly the
    /// opposite.
    #[inline]
    pub(super) const fn at(self, later: i32, by: Score) -> Score {
        let earlier = self.0 as Score;
        // A negative lower half has borrowed one.
        let other = ((self.0 - earlier as i64) >> 32) as Score;
        let sum = earlier as i64 * (UNIT - later) as i64 + other as i64 * later as i64;
        (sum / (UNIT * by) as i64) as Score
    }
}

impl Add for Pair {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Pair {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i32> for Pair {
    type Output = Self;

    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0 * i64::from(times))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shares_go_in_a_straight_line_from_anchor_to_anchor() {
        for stage in Stage::ALL {
            let mut alone = [0; Stage::COUNT];
            alone[stage as usize] = UNIT;
            assert_eq!(Stage::shares(stage.anchor()), alone, "{stage:?}");
        }
        for discs in 0..=64 {
            let shares = Stage::shares(discs);
            assert_eq!(shares.iter().sum::<i32>(), UNIT, "{discs}");
            let moved: i32 = Stage::shares(discs + 1)
                .iter()
                .zip(shares)
                .map(|(after, before)| (after - before).abs())
                .sum();
            let between = (12..60).contains(&discs);
            assert_eq!(moved, if between { 2 } else { 0 }, "{discs}");
        }
        assert_eq!(Stage::shares(4), [16, 0, 0, 0]);
        assert_eq!(Stage::shares(32), [0, 12, 4, 0]);
        assert_eq!(Stage::shares(64), [0, 0, 0, 16]);
    }

    proptest! {
        #[test]
        fn both_halves_of_a_pair_add_up(
            terms in prop::collection::vec(
                (-90_000_i32..90_000, -90_000_i32..90_000, -64_i32..64), 0..30,
            ),
            later in 0..=UNIT,
        ) {
            let sum = |half: fn(&(i32, i32, i32)) -> i32| {
                terms.iter().map(|term| half(term) * term.2).sum::<i32>()
            };
            let pair = terms
                .iter()
                .map(|&(earlier, late, times)| Pair::new(earlier, late) * times)
                .fold(Pair::default(), Add::add);
            let exact = (sum(|term| term.0) * (UNIT - later) + sum(|term| term.1) * later) / UNIT;
            prop_assert_eq!(pair.at(later, 1), exact);
            prop_assert_eq!((Pair::default() - pair).at(later, 1), -exact);
            prop_assert_eq!((pair + pair).at(later, 2), exact);
            prop_assert_eq!(pair.earlier(1), sum(|term| term.0));
        }
    }
}
