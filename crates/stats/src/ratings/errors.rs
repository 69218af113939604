//! Errors of ratings and of their differences, from clusters.

use std::collections::BTreeMap;

use super::evidence::{Cluster, Meeting, MeetingKey};
use super::fit::{Model, Term};
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
    let mut pulls = vec![0.0; size];
    for cluster in clusters {
        information.fill(0.0);
        let mut adds = vec![0.0; size];
        for term in terms(cluster) {
            let (surplus, weight) = model.surplus(logits, &term);
            pulls.fill(0.0);
            for (parameter, sign) in model.direction(term.key) {
                for (pull, column) in pulls.iter_mut().zip(inverse.row(parameter)) {
                    *pull += sign * column;
                }
            }
            for (add, pull) in adds.iter_mut().zip(&pulls) {
                *add += surplus * pull;
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
        let shares = information.iter().zip(&of_model);
        let shares = shares.map(|(own, all)| if *all > 0.0 { own / all } else { 0.0 });
        for ((sums, part), share) in sums.iter_mut().zip(parts).zip(shares) {
            sums.add(part, share, copies);
        }
    }
    let variances = sums
        .iter()
        .zip(&of_model)
        .map(|(sums, of_model)| match unseen {
            Unseen::Expected => sums.claimed(*of_model),
            Unseen::None => sums.claimed(0.0),
        });
    let variances: Vec<f64> = variances.collect();
    Matrix::new(size, |i, j| {
        let (column, row) = (i.min(j), i.max(j));
        variances[row * (row + 1) / 2 + column]
    })
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

/// Returns the terms of a cluster, one for each meeting.
fn terms(cluster: &Cluster) -> impl Iterator<Item = Term> {
    let mut meetings = BTreeMap::<MeetingKey, Meeting>::new();
    for bout in &cluster.bouts {
        let (key, meeting) = bout.meeting();
        let sum = meetings.entry(key).or_default();
        sum.won += meeting.won;
        sum.lost += meeting.lost;
    }
    meetings.into_iter().map(Term::new)
}
