//! The scatter of results around their expectation: the middle of the sandwich.

use std::collections::BTreeMap;

use super::evidence::{Bout, Cluster};
use super::fit::Model;
use super::graph::group_numbers;
use super::linear::Matrix;
use crate::Basis;
use crate::normal::Z95;

/// The scatter J = Σ ggᵀ over the clusters, with g = Σ (points - expected)·v over the games of a
/// cluster.
pub(super) struct Scatter {
    /// The observed scatter.
    pub(super) observed: Matrix,
    /// Basis of the errors of each group of the model.
    pub(super) bases: Vec<Basis>,
    /// Basis of the error of the advantage of the first move.
    pub(super) advantage_basis: Basis,
}

/// The number of clusters.
#[derive(Clone, Copy, Default)]
struct Number {
    clusters: f64,
    /// True if a cluster is larger than a pair of games.
    shared: bool,
}

impl Number {
    fn add(&mut self, copies: f64, shared: bool) {
        self.clusters += copies;
        self.shared |= shared;
    }

    /// Returns the basis of errors. `constant` means that results spread so little that the scatter
    /// is unreliable.
    fn basis(self, parameters: f64, constant: bool) -> Basis {
        if self.shared && self.clusters < 2.0 {
            Basis::OneCluster
        } else if self.shared {
            Basis::Clustered
        } else if self.clusters < 30.0 * parameters {
            Basis::FewResults
        } else if constant {
            Basis::Skewed
        } else {
            Basis::Customary
        }
    }
}

/// Computes the scatter at `logits`, where the games have `information`.
///
/// Many independent games or pairs are treated as in the two-player estimate: with the plain
/// sandwich and the normal distribution.
pub(super) fn scatter(
    model: &Model,
    clusters: &[Cluster],
    logits: &[f64],
    information: &Matrix,
) -> Scatter {
    let mut observed = Matrix::zero(model.size());
    let group_of = group_numbers(model.players, &model.groups);
    let mut bearing = vec![Number::default(); model.size()];
    let mut within = vec![Number::default(); model.groups.len()];
    let mut score: BTreeMap<usize, f64> = BTreeMap::new();
    let mut groups = Vec::new();
    for cluster in clusters {
        score.clear();
        groups.clear();
        for bout in &cluster.bouts {
            let term = bout.term();
            let (surplus, _) = model.surplus(logits, &term);
            for (parameter, sign) in model.direction(term.key) {
                *score.entry(parameter).or_default() += sign * surplus;
            }
            groups.push(group_of[bout.first]);
        }
        let copies = cluster.copies as f64;
        let entries = score.iter().map(|(&i, &g): (&usize, &f64)| (i, g));
        observed.add_square(&entries, copies);
        let shared = is_shared(cluster);
        groups.sort_unstable();
        groups.dedup();
        for &group in &groups {
            within[group].add(copies, shared);
        }
        for &parameter in score.keys() {
            bearing[parameter].add(copies, shared);
        }
    }
    // Twice the information is the scatter if each pair were won or lost as a whole.
    let constant =
        |i: usize| observed.at(i, i) * bearing[i].clusters < 2.0 * Z95 * Z95 * information.at(i, i);
    let groups = model.groups.iter().zip(&within);
    let bases = groups.map(|(group, number)| {
        let parameters = (group.len() - 1) as f64;
        number.basis(parameters, group.iter().any(|&i| constant(i)))
    });
    let advantage = bearing.get(model.players);
    Scatter {
        bases: bases.collect(),
        advantage_basis: advantage.map_or(Basis::Customary, |number| {
            number.basis(1.0, constant(model.players))
        }),
        observed,
    }
}

/// Returns whether a cluster is larger than a game or a pair.
pub(super) fn is_shared(cluster: &Cluster) -> bool {
    let games: u32 = cluster.bouts.iter().map(|bout| bout.games).sum();
    let players = |bout: &Bout| (bout.first.min(bout.second), bout.first.max(bout.second));
    let mut bouts = cluster.bouts.iter().map(players);
    let first = bouts.next();
    games > 2 || bouts.any(|players| Some(players) != first)
}
