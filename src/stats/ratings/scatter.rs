//! How far results scatter around their expectation: the middle of the
//! sandwich.

use std::collections::BTreeMap;

use super::evidence::{Bout, Cluster};
use super::fit::{Model, expected, surplus};
use super::linear::Matrix;
use crate::stats::Basis;
use crate::stats::normal::Z95;

/// The scatter J = Σ ggᵀ over the clusters, g = Σ (points - expected)·v over
/// the games of one.
pub(super) struct Scatter {
    /// As observed.
    pub(super) observed: Matrix,
    /// With room for the spread that few or constant results have not shown.
    pub(super) cautious: Matrix,
    /// For each group of the model, whether `cautious` is what was observed.
    pub(super) bases: Vec<Basis>,
    /// The same for the advantage of the first move.
    pub(super) advantage_basis: Basis,
}

/// What is summed over the clusters.
struct Sums {
    observed: Matrix,
    /// The widest possible scatter: all games of the same two players in a
    /// cluster won or lost together.
    widest: Matrix,
    /// Clusters that a player is in.
    clusters_of: Vec<f64>,
    /// Clusters that a group is in.
    clusters_in: Vec<f64>,
    /// Clusters that bear on the advantage.
    with_advantage: f64,
}

/// With fewer than 30 clusters a parameter, or a player whose results spread so
/// little that J would be mostly luck, z²·p/N of the widest possible scatter is
/// added: the analogue of the pseudo-counts of the two-player estimate.
pub(super) fn scatter(model: &Model, clusters: &[Cluster], logits: &[f64]) -> Scatter {
    let sums = sums(model, clusters, logits);
    let size = model.size();
    let mut cautious = sums.observed.clone();
    let short = |i: usize, clusters: f64| {
        sums.observed.at(i, i) * clusters < Z95 * Z95 * sums.widest.at(i, i)
    };
    let mut bases = Vec::new();
    for (group, &clusters) in model.groups.iter().zip(&sums.clusters_in) {
        let parameters = (group.len() - 1) as f64;
        let constant = group.iter().any(|&i| short(i, sums.clusters_of[i]));
        let basis = basis(clusters, parameters, constant);
        if basis != Basis::Customary {
            let share = Z95 * Z95 * parameters / clusters;
            for &i in group {
                for &j in group {
                    cautious.add(i, j, share * sums.widest.at(i, j));
                }
            }
        }
        bases.push(basis);
    }
    let mut advantage_basis = Basis::Customary;
    if let Some(h) = (size > model.players).then_some(model.players) {
        let clusters = sums.with_advantage;
        advantage_basis = basis(clusters, 1.0, short(h, clusters));
        if advantage_basis != Basis::Customary {
            cautious.add(h, h, Z95 * Z95 / clusters * sums.widest.at(h, h));
        }
    }
    Scatter {
        observed: sums.observed,
        cautious,
        bases,
        advantage_basis,
    }
}

fn basis(clusters: f64, parameters: f64, constant: bool) -> Basis {
    if clusters < 30.0 * parameters {
        Basis::FewResults
    } else if constant {
        Basis::Skewed
    } else {
        Basis::Customary
    }
}

/// Games of the same two players in one cluster, from the lower index's view.
#[derive(Clone, Copy, Default)]
struct Together {
    games: f64,
    expected: f64,
    with_advantage: f64,
}

fn sums(model: &Model, clusters: &[Cluster], logits: &[f64]) -> Sums {
    let mut sums = Sums {
        observed: Matrix::zero(model.size()),
        widest: Matrix::zero(model.size()),
        clusters_of: vec![0.0; model.players],
        clusters_in: vec![0.0; model.groups.len()],
        with_advantage: 0.0,
    };
    let mut group_of = vec![0; model.players];
    for (number, group) in model.groups.iter().enumerate() {
        for &i in group {
            group_of[i] = number;
        }
    }
    let (mut score, mut meetings) = (BTreeMap::new(), BTreeMap::new());
    for cluster in clusters {
        score.clear();
        meetings.clear();
        for bout in &cluster.bouts {
            add_bout(model, logits, bout, &mut score, &mut meetings);
        }
        let copies = cluster.copies as f64;
        let entries = score.iter().map(|(&i, &g): (&usize, &f64)| (i, g));
        sums.observed.add_square(&entries, copies);
        let mut groups = Vec::new();
        for (&(i, j), meeting) in &meetings {
            let share = meeting.expected / meeting.games;
            let weight = copies * share * (1.0 - share);
            let square = weight * meeting.games.powi(2);
            let direction = model.direction(i, j, false);
            sums.widest.add_square(&direction, square);
            if model.advantage.is_none() {
                let h = model.players;
                sums.widest
                    .add(h, h, weight * meeting.with_advantage.powi(2));
            }
            groups.push(group_of[i]);
        }
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            sums.clusters_in[group] += copies;
        }
        for &i in score.keys() {
            match sums.clusters_of.get_mut(i) {
                Some(clusters) => *clusters += copies,
                None => sums.with_advantage += copies,
            }
        }
    }
    sums
}

fn add_bout(
    model: &Model,
    logits: &[f64],
    bout: &Bout,
    score: &mut BTreeMap<usize, f64>,
    meetings: &mut BTreeMap<(usize, usize), Together>,
) {
    let &Bout {
        first,
        second,
        moved_first,
        ..
    } = bout;
    let games = f64::from(bout.games);
    let won = f64::from(bout.half_points) / 2.0;
    let ahead = model.ahead(logits, first, second, moved_first);
    let pull = surplus(won, games - won, ahead);
    for (parameter, sign) in model.direction(first, second, moved_first) {
        *score.entry(parameter).or_default() += sign * pull;
    }
    let meeting = meetings
        .entry((first.min(second), first.max(second)))
        .or_default();
    meeting.games += games;
    meeting.expected += games * expected(if first < second { ahead } else { -ahead });
    if moved_first {
        meeting.with_advantage += games;
    }
}
