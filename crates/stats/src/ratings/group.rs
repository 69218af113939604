//! Ratings of the groups of two or more players, and their covariance.

use super::advantage::{FirstMove, FirstMoveBasis, basis};
use super::errors::{claimed, contrast};
use super::evidence::{Bout, Cluster, Crossing, Line, LineKey};
use super::fit::{Model, PATIENT, Term};
use super::linear::Matrix;
use super::scatter::scatter;
use crate::Basis;
use crate::crossed::two_way;
use crate::logistic::ELO_PER_LOGIT;
use crate::small_sample::Unseen;

/// The groups of two or more players, with their own indices.
pub(super) struct Field {
    /// The player of each index.
    pub(super) players: Vec<usize>,
    /// Index of each player in a group.
    pub(super) index: Vec<Option<usize>>,
    /// The groups, in the new indices.
    pub(super) groups: Vec<Vec<usize>>,
    /// The lines within groups.
    pub(super) lines: Vec<(LineKey, Line)>,
    /// The clusters, reduced to the bouts within groups.
    pub(super) clusters: Vec<Cluster>,
    /// The same games in other clusters, reduced in the same way.
    pub(super) crossing: Option<Crossing>,
}

impl Field {
    /// Selects the evidence within `groups`.
    pub(super) fn new<'l>(
        count: usize,
        groups: &[&Vec<usize>],
        lines: impl Iterator<Item = (&'l LineKey, &'l Line)>,
        clusters: &[Cluster],
        crossing: Option<&Crossing>,
    ) -> Self {
        let players: Vec<usize> = groups.iter().copied().flatten().copied().collect();
        let mut index = vec![None; count];
        let mut group_of = vec![None; count];
        for (at, &player) in players.iter().enumerate() {
            index[player] = Some(at);
        }
        for (number, group) in groups.iter().enumerate() {
            for &player in *group {
                group_of[player] = Some(number);
            }
        }
        let within = |first: usize, second: usize| {
            let together = group_of[first].is_some() && group_of[first] == group_of[second];
            index[first].zip(index[second]).filter(|_| together)
        };
        let lines = lines
            .filter_map(|(&(first, second, moved_first), &line)| {
                let (first, second) = within(first, second)?;
                Some(((first, second, moved_first), line))
            })
            .collect();
        let cut = |cluster: &Cluster| {
            let bouts = cluster.bouts.iter().filter(|bout| bout.games > 0);
            let bouts: Vec<Bout> = bouts
                .filter_map(|bout| {
                    let (first, second) = within(bout.first, bout.second)?;
                    Some(Bout {
                        first,
                        second,
                        ..*bout
                    })
                })
                .collect();
            (!bouts.is_empty() && cluster.copies > 0).then_some(Cluster {
                bouts,
                copies: cluster.copies,
            })
        };
        let all = |clusters: &[Cluster]| clusters.iter().filter_map(cut).collect();
        let clusters = all(clusters);
        let crossing = crossing.map(|crossing| Crossing {
            workers: all(&crossing.workers),
            both: all(&crossing.both),
        });
        let groups = groups
            .iter()
            .map(|group| group.iter().filter_map(|&player| index[player]).collect())
            .collect();
        Self {
            players,
            index,
            groups,
            lines,
            clusters,
            crossing,
        }
    }

    /// The terms of the likelihood.
    pub(super) fn terms(&self) -> Vec<Term> {
        let terms = self.lines.iter();
        terms.map(|&(key, line)| Term::new(key, line)).collect()
    }

    /// Returns the model to fit, and the treatment of the advantage.
    pub(super) fn model(&self, first_move: FirstMove) -> (Model, FirstMoveBasis) {
        let (advantage, basis) = match first_move {
            FirstMove::Fixed(elo) => (Some(elo / ELO_PER_LOGIT), FirstMoveBasis::Fixed),
            FirstMove::Estimate => match basis(self.players.len(), &self.lines) {
                FirstMoveBasis::Estimated => (None, FirstMoveBasis::Estimated),
                unknown => (Some(0.0), unknown),
            },
        };
        let model = Model {
            players: self.players.len(),
            groups: self.groups.clone(),
            advantage,
        };
        (model, basis)
    }
}

/// The maximum, in logits, and covariances in Elo² with every group's mean at zero. The last row is
/// that of the advantage if it was fitted.
pub(super) struct Fit {
    pub(super) model: Model,
    pub(super) logits: Vec<f64>,
    /// The sandwich from the observed scatter.
    pub(super) covariance: Matrix,
    /// Variances for the intervals: of differences, and on the diagonal of each parameter on its
    /// own. Limits are ± 1.96 times their square root.
    pub(super) claimed: Matrix,
    /// Covariance by the model alone.
    pub(super) by_model: Matrix,
    pub(super) bases: Vec<Basis>,
    pub(super) advantage_basis: Basis,
}

/// Fits `model` to the field; `None` beyond double precision.
pub(super) fn fit(field: &Field, model: Model) -> Option<Fit> {
    let terms = field.terms();
    let logits = model.maximise(&terms, &vec![0.0; model.size()], PATIENT)?;
    let information = model.information(&terms, &logits);
    let inverse = information.inverse()?;
    let by_model = model.without_shift(&information, &inverse);
    let at = Maximum {
        model: &model,
        logits: &logits,
        information: &information,
        inverse: &inverse,
        by_model: &by_model,
    };
    let mut errors = at.errors(&field.clusters, Unseen::Expected);
    if let Some(Crossing { workers, both }) = &field.crossing {
        let workers = at.errors(workers, Unseen::None);
        at.cross(&mut errors, &workers, &at.errors(both, Unseen::Expected));
    }
    let fit = Fit {
        covariance: in_elo(&errors.covariance),
        claimed: in_elo(&errors.claimed),
        by_model: in_elo(&by_model),
        bases: errors.bases,
        advantage_basis: errors.advantage_basis,
        logits,
        model,
    };
    let finite = (0..fit.model.size())
        .all(|i| fit.claimed.at(i, i).is_finite() && fit.by_model.at(i, i).is_finite());
    finite.then_some(fit)
}

/// The maximum of the likelihood, and the likelihood's shape there.
struct Maximum<'m> {
    model: &'m Model,
    logits: &'m [f64],
    information: &'m Matrix,
    inverse: &'m Matrix,
    by_model: &'m Matrix,
}

/// Errors from clusters at the maximum, in logits².
struct ClusterErrors {
    covariance: Matrix,
    claimed: Matrix,
    bases: Vec<Basis>,
    advantage_basis: Basis,
}

impl Maximum<'_> {
    fn errors(&self, clusters: &[Cluster], unseen: Unseen) -> ClusterErrors {
        let model = self.model;
        let scatter = scatter(model, clusters, self.logits, self.information);
        // The inverse differs from the pseudo-inverse only along the common shift of a group, where
        // the scatter has no component, so the product is exact.
        let covariance = self
            .inverse
            .product(&scatter.observed)
            .product(self.inverse);
        let bases = scatter.bases.iter().chain([&scatter.advantage_basis]);
        let plain = customary(&covariance);
        let claimed = if bases.copied().all(|basis| basis == Basis::Customary) {
            plain
        } else {
            let mut all = claimed(
                model,
                clusters,
                self.logits,
                self.inverse,
                self.by_model,
                unseen,
            );
            let groups = model.groups.iter().zip(&scatter.bases);
            for (group, _) in groups.filter(|(_, basis)| **basis == Basis::Customary) {
                for (i, j) in contrasts(group) {
                    all.add(i, j, plain.at(i, j) - all.at(i, j));
                }
            }
            let h = model.players;
            if h < model.size() && scatter.advantage_basis == Basis::Customary {
                all.add(h, h, plain.at(h, h) - all.at(h, h));
            }
            all
        };
        ClusterErrors {
            covariance,
            claimed,
            bases: scatter.bases,
            advantage_basis: scatter.advantage_basis,
        }
    }

    /// Adds the correlation by workers ([`two_way`]) if there are two or more of them.
    fn cross(&self, of: &mut ClusterErrors, workers: &ClusterErrors, both: &ClusterErrors) {
        let mut cross = |basis: &mut Basis, by_worker: Basis, i: usize, j: usize| {
            if *basis == Basis::OneCluster || by_worker == Basis::OneCluster {
                return;
            }
            let one_way = of.claimed.at(i, j);
            let crossed = two_way(one_way, workers.claimed.at(i, j), both.claimed.at(i, j));
            of.claimed.add(i, j, crossed - one_way);
            *basis = Basis::Clustered;
        };
        let bases = of.bases.iter_mut().zip(&workers.bases);
        for (group, (basis, &by_worker)) in self.model.groups.iter().zip(bases) {
            for (i, j) in contrasts(group) {
                cross(basis, by_worker, i, j);
            }
        }
        let h = self.model.players;
        if h < self.model.size() {
            cross(&mut of.advantage_basis, workers.advantage_basis, h, h);
        }
    }
}

/// Returns all ordered pairs of players of a group, including each player with itself.
fn contrasts(group: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let others = |&i: &usize| group.iter().map(move |&j| (i, j));
    group.iter().flat_map(others)
}

/// Returns the variances of the plain sandwich.
fn customary(covariance: &Matrix) -> Matrix {
    let mut claimed = Matrix::zero(covariance.size());
    for i in 0..covariance.size() {
        for j in 0..covariance.size() {
            claimed.add(i, j, contrast(covariance, i, j));
        }
    }
    claimed
}

/// Converts logits² to Elo², and makes the matrix exactly symmetric.
fn in_elo(covariance: &Matrix) -> Matrix {
    let mut elo = Matrix::zero(covariance.size());
    for i in 0..covariance.size() {
        for j in 0..covariance.size() {
            let mean = f64::midpoint(covariance.at(i, j), covariance.at(j, i));
            elo.add(i, j, mean * ELO_PER_LOGIT * ELO_PER_LOGIT);
        }
    }
    elo
}
