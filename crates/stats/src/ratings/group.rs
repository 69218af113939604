//! Ratings of the groups of two or more players, and their covariance.

use super::advantage::{FirstMove, FirstMoveBasis, basis};
use super::errors::{claimed, contrast};
use super::evidence::{Bout, Cluster, Crossing, Meetings};
use super::fit::{Model, PATIENT, Term};
use super::linear::Matrix;
use super::many::ManyErrors;
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
    groups: Vec<Vec<usize>>,
    /// The meetings within groups, as terms of the likelihood.
    pub(super) terms: Vec<Term>,
    /// The clusters, reduced to the bouts within groups.
    pub(super) clusters: Vec<Cluster>,
    /// The same games in other clusters, reduced in the same way.
    crossing: Option<Crossing>,
}

impl Field {
    /// Selects the evidence within `groups`.
    pub(super) fn new(
        count: usize,
        groups: &[&Vec<usize>],
        meetings: &Meetings,
        clusters: &[Cluster],
        crossing: Option<&Crossing>,
    ) -> Self {
        let mut players = Vec::new();
        let mut index = vec![None; count];
        let mut group_of = vec![0; count];
        for (number, group) in groups.iter().enumerate() {
            for &player in *group {
                index[player] = Some(players.len());
                group_of[player] = number;
                players.push(player);
            }
        }
        let within = |first: usize, second: usize| {
            let both = index[first].zip(index[second]);
            both.filter(|_| group_of[first] == group_of[second])
        };
        let terms = meetings
            .iter()
            .filter_map(|(&(first, second, moved_first), &meeting)| {
                let (first, second) = within(first, second)?;
                Some(Term::new(((first, second, moved_first), meeting)))
            });
        let terms = terms.collect();
        let cut = |cluster: &Cluster| {
            let bouts = cluster.bouts.iter().filter(|bout| bout.games > 0);
            let bouts = bouts.filter_map(|bout| {
                let (first, second) = within(bout.first, bout.second)?;
                Some(Bout {
                    first,
                    second,
                    ..*bout
                })
            });
            let (bouts, copies): (Vec<Bout>, u64) = (bouts.collect(), cluster.copies);
            (!bouts.is_empty() && copies > 0).then_some(Cluster { bouts, copies })
        };
        let all = |clusters: &[Cluster]| clusters.iter().filter_map(cut).collect();
        let clusters = all(clusters);
        let crossing = crossing.map(|crossing| Crossing {
            workers: all(&crossing.workers),
            both: all(&crossing.both),
        });
        let groups = groups.iter();
        let groups = groups.map(|group| group.iter().filter_map(|&player| index[player]).collect());
        Self {
            groups: groups.collect(),
            players,
            index,
            terms,
            clusters,
            crossing,
        }
    }

    /// Returns the model to fit, and the treatment of the advantage.
    pub(super) fn model(&self, first_move: FirstMove) -> (Model, FirstMoveBasis) {
        let players = self.players.len();
        let (advantage, basis) = match first_move {
            FirstMove::Fixed(elo) => (Some(elo / ELO_PER_LOGIT), FirstMoveBasis::Fixed),
            FirstMove::Estimate => match basis(players, &self.terms) {
                FirstMoveBasis::Estimated => (None, FirstMoveBasis::Estimated),
                unknown => (Some(0.0), unknown),
            },
        };
        let groups = self.groups.clone();
        (
            Model {
                players,
                groups,
                advantage,
            },
            basis,
        )
    }
}

/// The maximum of the likelihood, in logits, and its errors. The last parameter is the advantage if
/// it was fitted.
pub(super) struct Fit {
    pub(super) model: Model,
    pub(super) logits: Vec<f64>,
    pub(super) errors: FitErrors,
    /// Basis of the errors of each group of the model.
    pub(super) bases: Vec<Basis>,
    /// Basis of the error of the advantage of the first move.
    pub(super) advantage_basis: Basis,
}

/// Errors in Elo² with every group's mean at zero.
pub(super) enum FitErrors {
    /// Matrices by parameter.
    Dense {
        /// The sandwich from the observed scatter.
        covariance: Matrix,
        /// Variances for the intervals: of differences, and on the diagonal of each parameter on
        /// its own. Limits are ± 1.96 times their square root.
        claimed: Matrix,
        /// Covariance by the model alone.
        by_model: Matrix,
    },
    /// The errors of very many players.
    Many(ManyErrors),
}

impl FitErrors {
    /// Returns the variance, for the intervals, of the difference of two parameters, or of one on
    /// its own if i = j.
    pub(super) fn claimed(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Dense { claimed, .. } => claimed.at(i, j),
            Self::Many(errors) => errors.variances(i, j).0,
        }
    }
}

/// Fits `model` to the field; `None` beyond double precision.
pub(super) fn fit(field: &Field, model: Model) -> Option<Fit> {
    let logits = model.maximise(&field.terms, &vec![0.0; model.size()], PATIENT)?;
    let information = model.information(&field.terms, &logits);
    let inverse = information.inverse()?;
    let maximum = Maximum {
        by_model: model.without_shift(&information, &inverse),
        model,
        logits,
        information,
        inverse,
    };
    let mut errors = maximum.errors(&field.clusters, Unseen::Expected);
    if let Some(Crossing { workers, both }) = &field.crossing {
        let workers = maximum.errors(workers, Unseen::None);
        maximum.cross(
            &mut errors,
            &workers,
            &maximum.errors(both, Unseen::Expected),
        );
    }
    let [covariance, claimed, by_model] =
        [&errors.covariance, &errors.claimed, &maximum.by_model].map(in_elo);
    let finite =
        (0..claimed.size).all(|i| claimed.at(i, i).is_finite() && by_model.at(i, i).is_finite());
    finite.then_some(Fit {
        model: maximum.model,
        logits: maximum.logits,
        errors: FitErrors::Dense {
            covariance,
            claimed,
            by_model,
        },
        bases: errors.bases,
        advantage_basis: errors.advantage_basis,
    })
}

/// The maximum of the likelihood, and the likelihood's shape there.
struct Maximum {
    model: Model,
    logits: Vec<f64>,
    information: Matrix,
    inverse: Matrix,
    by_model: Matrix,
}

/// Errors from clusters at the maximum, in logits².
struct ClusterErrors {
    covariance: Matrix,
    claimed: Matrix,
    bases: Vec<Basis>,
    advantage_basis: Basis,
}

impl Maximum {
    fn errors(&self, clusters: &[Cluster], unseen: Unseen) -> ClusterErrors {
        let (model, logits, inverse) = (&self.model, &self.logits, &self.inverse);
        let scatter = scatter(model, clusters, logits, &self.information);
        // The inverse differs from the pseudo-inverse only along the common shift of a group, where
        // the scatter has no component, so the product is exact.
        let covariance = inverse.product(&scatter.observed).product(inverse);
        let is_customary = |basis: &Basis| *basis == Basis::Customary;
        // The variances of the plain sandwich.
        let plain = Matrix::new(covariance.size, |i, j| contrast(&covariance, i, j));
        let claimed =
            if scatter.bases.iter().all(is_customary) && is_customary(&scatter.advantage_basis) {
                plain
            } else {
                let mut all = claimed(model, clusters, logits, inverse, &self.by_model, unseen);
                let groups = model.groups.iter().zip(&scatter.bases);
                for (group, _) in groups.filter(|(_, basis)| is_customary(basis)) {
                    for (i, j) in contrasts(group) {
                        all.add(i, j, plain.at(i, j) - all.at(i, j));
                    }
                }
                let h = model.players;
                if h < model.size() && is_customary(&scatter.advantage_basis) {
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

/// Converts logits² to Elo², and makes the matrix exactly symmetric.
fn in_elo(covariance: &Matrix) -> Matrix {
    Matrix::new(covariance.size, |i, j| {
        let mean = f64::midpoint(covariance.at(i, j), covariance.at(j, i));
        mean * ELO_PER_LOGIT * ELO_PER_LOGIT
    })
}
