//! Sets of points as bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use super::point::{Point, STRIDE};

const WORDS: usize = 7;

/// A set of points: one bit for each of the 448 padded indices below 448. Ignores larger indices.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// The points of a board of `size`.
    pub fn board(size: u8) -> PointSet {
        Point::all(size).collect()
    }

    #[inline]
    const fn place(point: Point) -> (usize, u64) {
        ((point.0 >> 6) as usize, 1 << (point.0 & 63))
    }

    /// Adds a point. Returns whether it was new.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        self.insert_if(point, true)
    }

    /// Removes a point. Returns whether it was in the set.
    #[inline]
    pub fn remove(&mut self, point: Point) -> bool {
        self.remove_if(point, true)
    }

    /// Adds a point if `condition`, without a branch. Returns whether it was new.
    #[inline]
    pub(super) fn insert_if(&mut self, point: Point, condition: bool) -> bool {
        let (word, bit) = Self::place(point);
        let Some(word) = self.0.get_mut(word) else {
            return false;
        };
        let bit = bit * u64::from(condition);
        let new = bit & !*word != 0;
        *word |= bit;
        new
    }

    /// Removes a point if `condition`, without a branch. Returns whether it was in the set.
    #[inline]
    pub(super) fn remove_if(&mut self, point: Point, condition: bool) -> bool {
        let (word, bit) = Self::place(point);
        let Some(word) = self.0.get_mut(word) else {
            return false;
        };
        let bit = bit * u64::from(condition);
        let there = bit & *word != 0;
        *word &= !bit;
        there
    }

    /// Returns whether a point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        let (word, bit) = Self::place(point);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    #[inline]
    fn zip(mut self, other: &PointSet, with: impl Fn(u64, u64) -> u64) -> PointSet {
        for (mine, &others) in self.0.iter_mut().zip(&other.0) {
            *mine = with(*mine, others);
        }
        self
    }

    /// The points of either set.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &PointSet) -> PointSet {
        self.zip(other, |mine, others| mine | others)
    }

    /// The points of both sets.
    #[must_use]
    #[inline]
    pub fn intersect(&self, other: &PointSet) -> PointSet {
        self.zip(other, |mine, others| mine & others)
    }

    /// The points of this set that are not in the other.
    #[must_use]
    #[inline]
    pub fn minus(&self, other: &PointSet) -> PointSet {
        self.zip(other, |mine, others| mine & !others)
    }

    /// Returns whether the sets have a point in common.
    #[inline]
    pub fn meets(&self, other: &PointSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Returns whether every point of this set is in the other.
    #[inline]
    pub fn is_subset(&self, other: &PointSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        // A comparison of the arrays would call a function.
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The number of points.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The least point.
    #[inline]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points in ascending order.
    #[inline]
    pub fn iter(&self) -> Points {
        Points {
            words: self.0,
            word: 0,
        }
    }

    /// The set with all neighbours of its points, including border points.
    #[must_use]
    #[inline]
    pub fn grown(&self) -> PointSet {
        [1, u32::from(STRIDE)]
            .into_iter()
            .fold(*self, |grown, by| grown | self.up(by) | self.down(by))
    }

    /// Moves every point up by `by` indices, `by` below 64.
    #[inline]
    fn up(&self, by: u32) -> PointSet {
        let mut words = [0; WORDS];
        let mut carried = 0;
        for (to, &from) in words.iter_mut().zip(&self.0) {
            *to = from << by | carried;
            carried = from >> (64 - by);
        }
        PointSet(words)
    }

    /// Moves every point down by `by` indices, `by` below 64.
    #[inline]
    fn down(&self, by: u32) -> PointSet {
        let mut words = [0; WORDS];
        let mut carried = 0;
        for (to, &from) in words.iter_mut().zip(&self.0).rev() {
            *to = from >> by | carried;
            carried = from << (64 - by);
        }
        PointSet(words)
    }
}

/// The points of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Points {
    words: [u64; WORDS],
    word: usize,
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while let Some(word) = self.words.get_mut(self.word) {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(Point(64 * self.word as u16 + bit as u16));
            }
            self.word += 1;
        }
        None
    }
}

impl IntoIterator for &PointSet {
    type Item = Point;
    type IntoIter = Points;

    fn into_iter(self) -> Points {
        self.iter()
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Points;

    fn into_iter(self) -> Points {
        self.iter()
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = PointSet::EMPTY;
        set.extend(points);
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

/// Implements an operator and its assignment with a method.
macro_rules! operator {
    ($operator:ident $apply:ident, $assign:ident $apply_to:ident: $method:ident) => {
        impl $operator for PointSet {
            type Output = PointSet;

            fn $apply(self, other: PointSet) -> PointSet {
                self.$method(&other)
            }
        }

        impl $assign for PointSet {
            fn $apply_to(&mut self, other: PointSet) {
                *self = self.$method(&other);
            }
        }
    };
}

operator!(BitOr bitor, BitOrAssign bitor_assign: union);
operator!(BitAnd bitand, BitAndAssign bitand_assign: intersect);
operator!(Sub sub, SubAssign sub_assign: minus);

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|point| (point.col(), point.row())))
            .finish()
    }
}
