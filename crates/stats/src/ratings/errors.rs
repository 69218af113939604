//! Errors of ratings and of their differences, from clusters.

use std::collections::BTreeMap;

use super::evidence::{Cluster, LineKey};
use super::fit::{Model, expected, surplus};
use super::linear::Matrix;
use crate::small_sample::{ErrorSums, Unseen};

/// Returns the claimed variances in logits²: of the difference of two parameters, and on the
/// diagonal of each parameter on its own, with every group's mean at zero. The half-width of a 95 %
/// interval is 1.96 times their square root.
///
/// `inverse` is that of the information, and `by_model` the covariance by the model alone. A
/// cluster adds u = H⁺g to the ratings, g the sum of (points - expected)·v over its games, and its
/// share in the information on c'r is `c'H⁺H_oH⁺c` over `c'H⁺c` (`stats::small_sample`). `unseen`
/// is the assumption about clusters of a kind that was not observed.
///
/// Time grows with the square of the number of players, times the meetings.
pub(super) fn claimed(
    model: &Model,
    clusters: &[Cluster],
    logits: &[f64],
    inverse: &Matrix,
    by_model: &Matrix,
    unseen: Unseen,
) -> Matrix {
    let size = model.size();
    // The lower triangle, row by row.
    let of_model = triangle(size, |i, j| contrast(by_model, i, j));
    let mut sums = vec![ErrorSums::default(); of_model.len()];
    let mut information = vec![0.0; of_model.len()];
    let mut pulls = Vec::new();
    for cluster in clusters {
        information.fill(0.0);
        let mut adds = vec![0.0; size];
        for (&(first, second, moved_first), &(games, points)) in &meetings(cluster) {
            let ahead = model.ahead(logits, first, second, moved_first);
            let weight = games * expected(ahead) * expected(-ahead);
            let pull = surplus(points, games - points, ahead);
            pulls.clear();
            pulls.resize(size, 0.0);
            for (parameter, sign) in model.direction(first, second, moved_first) {
                for (pull, column) in pulls.iter_mut().zip(inverse.row(parameter)) {
                    *pull += sign * column;
                }
            }
            for (add, direction) in adds.iter_mut().zip(&pulls) {
                *add += pull * direction;
            }
            let mut row = &mut information[..];
            for (i, one) in pulls.iter().enumerate() {
                let (these, rest) = row.split_at_mut(i + 1);
                for (sum, other) in these.iter_mut().zip(&pulls[..i]) {
                    *sum += weight * (one - other) * (one - other);
                }
                these[i] += weight * one * one;
                row = rest;
            }
        }
        let copies = cluster.copies as f64;
        let parts = triangle(
            size,
            |i, j| if i == j { adds[i] } else { adds[i] - adds[j] },
        );
        let cells = sums
            .iter_mut()
            .zip(parts)
            .zip(information.iter().zip(&of_model));
        for ((sums, part), (information, of_model)) in cells {
            let share = if *of_model > 0.0 {
                information / of_model
            } else {
                0.0
            };
            sums.add(part, share, copies);
        }
    }
    let mut claimed = Matrix::zero(size);
    let mut cells = sums.iter().zip(&of_model);
    for i in 0..size {
        for j in 0..=i {
            let Some((sums, of_model)) = cells.next() else {
                return claimed;
            };
            let variance = sums.claimed(match unseen {
                Unseen::Expected => *of_model,
                Unseen::None => 0.0,
            });
            claimed.add(i, j, variance);
            if i != j {
                claimed.add(j, i, variance);
            }
        }
    }
    claimed
}

/// Returns values for i and j ≤ i.
fn triangle(size: usize, of: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..size)
        .flat_map(|i| (0..=i).map(move |j| (i, j)))
        .map(|(i, j)| of(i, j))
        .collect()
}

/// The variance of the difference of two parameters, or of one parameter if i = j.
pub(super) fn contrast(covariance: &Matrix, i: usize, j: usize) -> f64 {
    let one = covariance.at(i, i);
    if i == j {
        one
    } else {
        one + covariance.at(j, j) - 2.0 * covariance.at(i, j)
    }
}

/// Games of a cluster and points of the first-named player, by line.
fn meetings(cluster: &Cluster) -> BTreeMap<LineKey, (f64, f64)> {
    let mut meetings: BTreeMap<LineKey, (f64, f64)> = BTreeMap::new();
    for bout in &cluster.bouts {
        let (key, line) = bout.line();
        let (won, lost) = (line.won as f64 / 2.0, line.lost as f64 / 2.0);
        let sum = meetings.entry(key).or_default();
        sum.0 += won + lost;
        sum.1 += won;
    }
    meetings
}
