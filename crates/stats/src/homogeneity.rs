//! Tests for differences between the results of workers.
//!
//! *Cells.* Pearson's χ² of the table of workers and pair outcomes,
//!
//! ```text
//! χ² = Σ (n - e)²/e,   e = row·column/N,   (rows - 1)(columns - 1) degrees of freedom
//! ```
//!
//! Workers with few pairs are merged first. Then neighbouring outcomes are merged until every e is
//! [`EXPECTED`] or more (Cochran, Biometrics 10, 1954), in as many groups as possible. The groups
//! depend only on the margins of the table, which the test treats as given.
//!
//! *Means.* Cochran's Q (Biometrics 10, 1954),
//!
//! ```text
//! Q = Σ n_w (x̄_w - x̄)² / v,   v = Σ (x - x̄_w)² / (N - G),   G - 1 degrees of freedom
//! ```
//!
//! Workers with few pairs are merged here too, because x̄ of one pair is not normal. Q/(G - 1) is
//! approximately the variance of the mean between workers divided by the variance that independent
//! pairs would give.
//!
//! Statistics of several pairings are added, and so are their degrees of freedom.

use std::cmp::Reverse;
use std::ops::Range;

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF as _};

use super::Pentanomial;

/// Smallest expected count of a cell.
const EXPECTED: f64 = 5.0;
/// Rows with fewer pairs are merged.
const FEW_PAIRS: u64 = 30;
/// The same limit for the test of means, which are approximately normal with fewer pairs.
const FEW_FOR_MEANS: u64 = 10;

/// A χ² test of the null hypothesis of no difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Homogeneity {
    /// The statistic.
    pub chi_square: f64,
    /// Degrees of freedom, 1 or more.
    pub freedom: u64,
    /// Probability of a statistic at least this large without a difference, 0..=1.
    pub p: f64,
}

impl Homogeneity {
    /// Returns the test of the sum of independent statistics; `None` without any.
    pub fn sum(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        all.into_iter().reduce(|one, other| {
            Self::of(
                one.chi_square + other.chi_square,
                one.freedom + other.freedom,
            )
        })
    }

    /// The statistic divided by its degrees of freedom: about 1 without a difference.
    pub fn ratio(&self) -> f64 {
        self.chi_square / self.freedom as f64
    }

    fn of(chi_square: f64, freedom: u64) -> Self {
        let law = ChiSquared::new(freedom as f64);
        Self {
            chi_square,
            freedom,
            p: law.map_or(1.0, |law| law.sf(chi_square)),
        }
    }
}

/// Tests whether the outcomes of all rows, one per worker, have the same probabilities. `None` with
/// fewer than two rows or cells after merging.
pub fn same_cells(rows: &[Pentanomial]) -> Option<Homogeneity> {
    let mut rows: Vec<Pentanomial> = rows.iter().copied().filter(|row| row.pairs() > 0).collect();
    loop {
        rows.sort_by_key(|row| Reverse(row.pairs()));
        let totals = rows.iter().copied().sum::<Pentanomial>();
        let least = rows.pop()?;
        let next = rows.last_mut()?;
        let share = least.pairs() as f64 / totals.pairs() as f64;
        let columns = columns(&totals, share);
        if least.pairs() >= FEW_PAIRS && columns.len() > 1 {
            rows.push(least);
            return Some(chi_square(&rows, &totals, &columns));
        }
        *next += least;
    }
}

/// Returns the ends of the groups into which neighbouring cells are merged: as many groups as
/// possible such that a row with `share` of all pairs expects [`EXPECTED`] in each. Of several such
/// divisions, returns the one whose smallest group is largest.
fn columns(totals: &Pentanomial, share: f64) -> Vec<usize> {
    let divisions = (0..16_u32).map(|cuts| {
        let ends = (1..5).filter(|end| cuts & (1 << (end - 1)) != 0);
        ends.chain([5]).collect::<Vec<usize>>()
    });
    let least = |ends: &Vec<usize>| {
        let parts = parts(totals, ends);
        parts.into_iter().fold(f64::INFINITY, f64::min)
    };
    let fit = divisions.filter(|ends| share * least(ends) >= EXPECTED);
    let best = fit.max_by(|a, b| {
        let finer = a.len().cmp(&b.len());
        finer.then(least(a).total_cmp(&least(b)))
    });
    best.unwrap_or_default()
}

/// Returns the numbers of pairs in these groups of cells.
fn parts(row: &Pentanomial, ends: &[usize]) -> Vec<f64> {
    let mut from = 0;
    let cells = |&end: &usize| std::mem::replace(&mut from, end)..end;
    let part = |cells: Range<usize>| row.0[cells].iter().map(|&count| count as f64).sum();
    ends.iter().map(cells).map(part).collect()
}

fn chi_square(rows: &[Pentanomial], totals: &Pentanomial, columns: &[usize]) -> Homogeneity {
    let (totals, all) = (parts(totals, columns), totals.pairs() as f64);
    let mut sum = 0.0;
    for row in rows {
        let share = row.pairs() as f64 / all;
        for (count, total) in parts(row, columns).iter().zip(&totals) {
            let expected = share * total;
            sum += (count - expected) * (count - expected) / expected;
        }
    }
    Homogeneity::of(sum, ((rows.len() - 1) * (columns.len() - 1)) as u64)
}

/// Tests whether the pairs of all rows, one per worker, have the same mean score. `None` with fewer
/// than two rows after merging, or without variance within the rows.
pub fn same_means(rows: &[Pentanomial]) -> Option<Homogeneity> {
    let rows = without_few(rows);
    let rows: Vec<(f64, f64, f64)> = rows
        .iter()
        .filter_map(|row| Some((row.pairs() as f64, row.mean()?, row.variance()?)))
        .collect();
    let (number, all) = (rows.len(), rows.iter().map(|row| row.0).sum::<f64>());
    if number < 2 || all <= number as f64 {
        return None;
    }
    let mean = rows.iter().map(|row| row.0 * row.1).sum::<f64>() / all;
    let within = rows.iter().map(|row| row.0 * row.2).sum::<f64>() / (all - number as f64);
    let between = rows.iter().map(|row| row.0 * (row.1 - mean).powi(2));
    (within > 0.0).then(|| Homogeneity::of(between.sum::<f64>() / within, number as u64 - 1))
}

/// Merges rows with few pairs, the smallest first.
fn without_few(rows: &[Pentanomial]) -> Vec<Pentanomial> {
    let mut rows = rows.to_vec();
    loop {
        rows.sort_by_key(|row| Reverse(row.pairs()));
        match rows[..] {
            [.., ref mut next, least] if least.pairs() < FEW_FOR_MEANS => *next += least,
            _ => return rows,
        }
        rows.pop();
    }
}

#[cfg(test)]
mod tests;
