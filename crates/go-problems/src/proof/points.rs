//! Sets of points.

use super::certificate::Spot;

/// Points per row in the numbering, for all board sizes.
pub(super) const STRIDE: usize = 19;
/// Points of the largest board.
pub(super) const POINTS: usize = STRIDE * STRIDE;

/// The number of a point.
pub(super) fn index(spot: Spot) -> usize {
    usize::from(spot.row) * STRIDE + usize::from(spot.col)
}

/// A set of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Points([u64; POINTS.div_ceil(64)]);

impl Points {
    pub(super) fn insert(&mut self, spot: Spot) {
        let index = index(spot);
        self.0[index / 64] |= 1 << (index % 64);
    }

    pub(super) fn remove(&mut self, spot: Spot) {
        let index = index(spot);
        self.0[index / 64] &= !(1 << (index % 64));
    }

    pub(super) fn contains(&self, spot: Spot) -> bool {
        let index = index(spot);
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    pub(super) fn add(&mut self, other: &Points) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    pub(super) fn touches(&self, other: &Points) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(word, other)| word & other != 0)
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The points by row, then by column.
    pub(super) fn iter(self) -> impl Iterator<Item = Spot> {
        self.0.into_iter().enumerate().flat_map(|(place, word)| {
            let bits = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            bits.take_while(|&word| word != 0).map(move |word| {
                let index = place * 64 + word.trailing_zeros() as usize;
                let (row, col) = (index / STRIDE, index % STRIDE);
                Spot {
                    col: col as u8,
                    row: row as u8,
                }
            })
        })
    }
}

impl FromIterator<Spot> for Points {
    fn from_iter<I: IntoIterator<Item = Spot>>(spots: I) -> Self {
        let mut points = Points::default();
        spots.into_iter().for_each(|spot| points.insert(spot));
        points
    }
}
