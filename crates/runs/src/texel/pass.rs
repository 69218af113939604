//! Loss and gradient over many rows, on many threads.

use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::rows::{Entry, Row};
use super::stored::RowSource;
use leitai_base::threads::pool;
use leitai_stats::logistic::{ELO_PER_LOGIT, score_from_elo};

/// Maximum number of parts of the rows. The sums of the parts are added in order, so the total does
/// not depend on the number of threads.
const SLOTS: usize = 64;

/// The least rows of a part: fewer do not pay for a thread.
const MIN: usize = 256;

/// The prediction of results: the expected score of the side that usually moves first is `1 / (1 +
/// 10^(-k E / 400))` for its evaluation `E`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    /// Elo per evaluation unit.
    pub(super) k: f64,
    /// The unit of the coefficients.
    pub(super) unit: f64,
}

/// Reusable buffers for sums.
#[derive(Debug)]
pub(super) struct Pass {
    slots: Vec<Slot>,
    /// The dimensions' values divided by the rows' unit.
    weights: Vec<f64>,
    gradient: Vec<f64>,
    pool: ThreadPool,
}

/// The sums of one part.
#[derive(Clone, Debug)]
struct Slot {
    loss: f64,
    gradient: Vec<f64>,
}

impl Pass {
    /// Creates the buffers for this number of dimensions, with `threads` threads (at least one).
    pub(super) fn new(dimensions: usize, threads: usize) -> Self {
        let slot = Slot {
            loss: 0.0,
            gradient: vec![0.0; dimensions],
        };
        Self {
            slots: vec![slot; SLOTS],
            weights: Vec::new(),
            gradient: vec![0.0; dimensions],
            pool: pool(NonZeroUsize::new(threads.min(SLOTS)).unwrap_or(NonZeroUsize::MIN)),
        }
    }

    /// The mean squared error over all rows; 0 if there are none.
    ///
    /// # Errors
    /// The rows cannot be read.
    pub(super) fn loss<'r>(
        &mut self,
        rows: impl Into<RowSource<'r>>,
        values: &[f64],
        by: Prediction,
    ) -> io::Result<f64> {
        let rows = rows.into();
        self.run::<false>(rows, 0..rows.len(), values, by)
    }

    /// The mean squared error over a range of rows, and its gradient by the values.
    ///
    /// # Errors
    /// The rows cannot be read.
    pub(super) fn gradient<'r>(
        &mut self,
        rows: impl Into<RowSource<'r>>,
        range: Range<usize>,
        values: &[f64],
        by: Prediction,
    ) -> io::Result<(f64, &[f64])> {
        let count = range.len().max(1) as f64;
        let loss = self.run::<true>(rows.into(), range, values, by)?;
        self.gradient.fill(0.0);
        for slot in &self.slots {
            for (sum, part) in self.gradient.iter_mut().zip(&slot.gradient) {
                *sum += part;
            }
        }
        // A factor common to all entries, left out of the rows' sums.
        let common = -2.0 * by.k / ELO_PER_LOGIT / by.unit / count;
        for sum in &mut self.gradient {
            *sum *= common;
        }
        Ok((loss, &self.gradient))
    }

    fn run<const GRADIENT: bool>(
        &mut self,
        rows: RowSource<'_>,
        range: Range<usize>,
        values: &[f64],
        by: Prediction,
    ) -> io::Result<f64> {
        self.weights.clear();
        self.weights
            .extend(values.iter().map(|value| value / by.unit));
        let weights = &self.weights;
        let length = range.len().div_ceil(SLOTS).max(MIN);
        let slots = self.slots.par_iter_mut().enumerate().with_max_len(1);
        let sum_up = |(number, slot): (usize, &mut Slot)| {
            let first = range.end.min(range.start + number * length);
            let part = first..range.end.min(first + length);
            slot.sum::<GRADIENT>(rows, part, weights, by.k)
        };
        self.pool.install(|| slots.try_for_each(sum_up))?;
        let sum: f64 = self.slots.iter().map(|slot| slot.loss).sum();
        Ok(sum / range.len().max(1) as f64)
    }
}

impl Slot {
    fn sum<const GRADIENT: bool>(
        &mut self,
        rows: RowSource<'_>,
        part: Range<usize>,
        weights: &[f64],
        k: f64,
    ) -> io::Result<()> {
        // Writes to the slot only at the end: neighbouring slots belong to other threads.
        let mut loss = 0.0;
        let gradient = self.gradient.as_mut_slice();
        if GRADIENT {
            gradient.fill(0.0);
        }
        rows.each(part, |row| {
            let expected = score_from_elo(k * evaluation(&row, weights));
            let error = row.result - expected;
            loss += error * error;
            if GRADIENT {
                let slope = error * expected * (1.0 - expected);
                for entry in row.entries {
                    gradient[usize::from(entry.dimension)] += slope * f64::from(entry.coefficient);
                }
            }
        })?;
        self.loss = loss;
        Ok(())
    }
}

/// The value of a row, in evaluation units. `weights` are the dimensions'
/// values divided by the rows' unit.
#[inline]
pub(super) fn evaluation(row: &Row, weights: &[f64]) -> f64 {
    let product =
        |entry: &Entry| weights[usize::from(entry.dimension)] * f64::from(entry.coefficient);
    // Four sums: the latency of an addition exceeds its throughput.
    let (fours, rest) = row.entries.as_chunks::<4>();
    let mut sums = [row.constant, 0.0, 0.0, 0.0];
    for four in fours {
        for (sum, entry) in sums.iter_mut().zip(four) {
            *sum += product(entry);
        }
    }
    for (sum, entry) in sums.iter_mut().zip(rest) {
        *sum += product(entry);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texel::rows::Rows;
    use crate::texel::tests::{Law, random_rows};

    const BY: Prediction = Prediction { k: 0.7, unit: 16.0 };

    fn rows_and_values(count: usize) -> (Rows, Vec<f64>) {
        let law = Law::random(40, 3);
        let rows = random_rows(&law, BY, count, 5);
        (rows, law.start)
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let (rows, values) = rows_and_values(3000);
        let mut pass = Pass::new(values.len(), 1);
        let range = 100..2900;
        let (loss, gradient) = pass.gradient(&rows, range.clone(), &values, BY).unwrap();
        let gradient = gradient.to_vec();
        let mut part = Rows::default();
        for row in rows.range(range.start, range.end) {
            part.push(row.entries, row.constant, row.result as f32);
        }
        assert!((pass.loss(&part, &values, BY).unwrap() - loss).abs() < 1e-12);
        let mut largest = 0.0_f64;
        for (place, &found) in gradient.iter().enumerate() {
            let mut loss_at = |step: f64| {
                let mut values = values.clone();
                values[place] += step;
                pass.loss(&part, &values, BY).unwrap()
            };
            let step = 0.01;
            let expected = (loss_at(step) - loss_at(-step)) / (2.0 * step);
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            largest = largest.max(found.abs());
        }
        assert!(largest > 1e-5, "{largest}");
    }

    #[test]
    fn threads_change_no_bit() {
        let (rows, values) = rows_and_values(20_011);
        for range in [0..rows.len(), 17..5000, 3..4, 9..9] {
            let sums = [1, 2, 4, 100].map(|threads| {
                let mut pass = Pass::new(values.len(), threads);
                let (loss, gradient) = pass.gradient(&rows, range.clone(), &values, BY).unwrap();
                let bits: Vec<u64> = gradient.iter().map(|sum| sum.to_bits()).collect();
                (loss.to_bits(), bits)
            });
            assert!(sums.iter().all(|sum| *sum == sums[0]));
        }
    }

    #[test]
    fn extreme_values_give_finite_results() {
        let (rows, values) = rows_and_values(50);
        let mut pass = Pass::new(values.len(), 1);
        for factor in [1e7, -1e7] {
            let huge: Vec<f64> = values.iter().map(|value| value * factor).collect();
            let (loss, gradient) = pass.gradient(&rows, 0..50, &huge, BY).unwrap();
            assert!((0.0..=1.0).contains(&loss), "{loss}");
            assert!(gradient.iter().all(|slope| slope.is_finite()));
        }
        assert!(pass.loss(&Rows::default(), &values, BY).unwrap() == 0.0);
    }
}
