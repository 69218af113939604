//! Ratings of very many players, and their errors without matrices.
//!
//! The square matrices of [`group`](super::group) need memory with the square of the number of
//! players and time with its cube. This module solves equations in the graph of meetings
//! ([`Laplacian`]) instead. Errors come from vectors `H⁺z`, where z has random signs and the mean
//! square of `H⁺z` is the variance (Hutchinson, Communications in Statistics 18, 1989): z = Σ ±g
//! over the clusters gives the sandwich `H⁺JH⁺`, and z = Σ ±√w·v over the games gives the variance
//! by the model. [`PROBES`] vectors determine each error to 1/√(2·PROBES), 4.4 %. With at most that
//! many clusters, such as openings, each cluster is one vector and no signs are random.
//!
//! The scatter of a player with few games is unreliable. Its variance is the mean of two variances:
//! that of the sandwich, and that of the model times the dispersion of all results (squares of the
//! surplus divided by the information, for the remaining degrees of freedom: `McCullagh` and
//! Nelder, Generalized Linear Models, 1989, section 4.5). The latter has the weight of [`POOLED`]
//! clusters.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::evidence::Cluster;
use super::fit::{Model, PATIENT, Term};
use super::group::{Field, Fit, FitErrors};
use super::laplacian::{Laplacian, merge};
use super::scatter::is_shared;
use crate::Basis;
use crate::logistic::ELO_PER_LOGIT;
use crate::small_sample::ErrorSums;

/// Largest number of players with errors from matrices, which take a second.
pub(super) const MAX_DENSE: usize = 400;

/// Number of random vectors for the sandwich, and for the model.
const PROBES: usize = 256;

/// Number of clusters whose weight the dispersion of all results has, next to a player's own.
const POOLED: f64 = 30.0;

/// Relative error of a Newton step: the next step corrects the rest.
const STEP: f64 = 1e-4;

/// Relative error of a solution whose square is a variance.
const ROUGH: f64 = 1e-4;

/// Right sides that are solved at once.
const LANES: usize = 8;

/// Vectors by probe, one number for each parameter.
type Vectors = Vec<Vec<f32>>;

/// The equations of a Newton step: players as a graph, and the advantage of the first move as an
/// additional row and column.
pub(super) struct Equations {
    graph: Laplacian,
    first_move: Option<FirstMoveRow>,
}

struct FirstMoveRow {
    /// The solution of the graph's equations for `row`.
    solved: Vec<f64>,
    row: Vec<f64>,
    /// The rest of the diagonal after eliminating the players.
    left: f64,
}

impl Equations {
    /// Creates the equations at `logits`; `None` beyond double precision.
    pub(super) fn new(model: &Model, terms: &[Term], logits: &[f64]) -> Option<Self> {
        let edge = |term: &Term| (term.key.0, term.key.1, model.surplus(logits, term).1);
        let edges: Vec<_> = terms.iter().map(edge).collect();
        let graph = Laplacian::new(model.players, &model.groups, &edges);
        if model.advantage.is_some() {
            let first_move = None;
            return Some(Self { graph, first_move });
        }
        let (mut row, mut diagonal) = (vec![0.0; model.players], 0.0);
        for (_, (first, second, weight)) in terms.iter().zip(edges).filter(|(term, _)| term.key.2) {
            row[first] += weight;
            row[second] -= weight;
            diagonal += weight;
        }
        let right: Vec<_> = row.iter().map(|&cell| [cell]).collect();
        let solved = graph.solve(&right, 1e-10)?;
        let solved: Vec<f64> = solved.iter().map(|[cell]| *cell).collect();
        let products = row.iter().zip(&solved).map(|(one, two)| one * two);
        let left = diagonal - products.sum::<f64>();
        let row = FirstMoveRow { solved, row, left };
        (row.left > 1e-12 * diagonal).then_some(Self {
            graph,
            first_move: Some(row),
        })
    }

    /// Solves the equations for `N` right sides at once, in place, to a relative error of about
    /// `tolerance`.
    fn solve<const N: usize>(&self, b: &mut [[f64; N]], tolerance: f64) -> Option<()> {
        let players = self
            .first_move
            .as_ref()
            .map_or(b.len(), |first_move| first_move.row.len());
        let (ratings, advantage) = b.split_at_mut(players);
        ratings.copy_from_slice(&self.graph.solve(ratings, tolerance)?);
        if let (Some(first_move), [advantage]) = (&self.first_move, advantage) {
            for (row, rating) in first_move.row.iter().zip(&*ratings) {
                for lane in 0..N {
                    advantage[lane] -= row * rating[lane];
                }
            }
            *advantage = advantage.map(|advantage| advantage / first_move.left);
            for (rating, solved) in ratings.iter_mut().zip(&first_move.solved) {
                for lane in 0..N {
                    rating[lane] -= advantage[lane] * solved;
                }
            }
        }
        Some(())
    }

    /// Returns a Newton step.
    pub(super) fn step(&self, gradient: &[f64]) -> Option<Vec<f64>> {
        let mut cells: Vec<_> = gradient.iter().map(|&cell| [cell]).collect();
        self.solve(&mut cells, STEP)?;
        Some(cells.iter().map(|[cell]| *cell).collect())
    }

    /// Solves the equations roughly for `count` right sides, and returns the solutions in Elo.
    /// `right` adds a right side, by its number, to zeros.
    fn solve_all(
        &self,
        size: usize,
        count: usize,
        mut right: impl FnMut(usize, &mut [f64]),
    ) -> Option<Vectors> {
        let mut vectors = Vectors::new();
        for begin in (0..count).step_by(LANES) {
            let lanes = begin..count.min(begin + LANES);
            let mut together = vec![[0.0; LANES]; size];
            let mut one = vec![0.0; size];
            for number in lanes.clone() {
                one.fill(0.0);
                right(number, &mut one);
                for (all, cell) in together.iter_mut().zip(&one) {
                    all[number - begin] = *cell;
                }
            }
            self.solve(&mut together, ROUGH)?;
            vectors.extend(lanes.map(|number| {
                let cells = together.iter().map(|all| all[number - begin]);
                cells.map(|x| (x * ELO_PER_LOGIT) as f32).collect()
            }));
        }
        Some(vectors)
    }
}

/// The errors of very many ratings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ManyErrors {
    /// Index of each player in the vectors, if it is in a group.
    index: Vec<Option<usize>>,
    /// Contribution of each cluster, or of random sums of clusters, to each parameter, in Elo.
    scatter: Vectors,
    /// Contributions by the model alone.
    by_model: Vectors,
    /// Relation of the parameters to the vectors in `scatter`.
    bearing: Bearing,
}

#[derive(Clone, Debug, PartialEq)]
enum Bearing {
    /// Many clusters: the number of clusters of each parameter, and the dispersion of all results.
    Many { own: Vec<f64>, dispersion: f64 },
    /// Each vector is a cluster: the number of identical clusters, and the information on each
    /// parameter in it.
    Each(Vec<(f64, Vec<f32>)>),
}

/// Fits `model` to the field; `None` beyond double precision.
pub(super) fn fit_many(field: &Field, model: Model) -> Option<Fit> {
    let logits = model.maximise(&field.terms, &vec![0.0; model.size()], PATIENT)?;
    let equations = Equations::new(&model, &field.terms, &logits)?;
    let scores = field.clusters.iter();
    let scores: Vec<_> = scores
        .map(|cluster| Score::of(&model, &logits, cluster))
        .collect();
    let shared = field.clusters.iter().any(is_shared);
    let each = shared && field.clusters.len() <= PROBES;
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut sign = || [1.0, -1.0][(random.next_u32() & 1) as usize];
    let size = model.size();
    let by_model = equations.solve_all(size, PROBES, |_, z| {
        for term in &field.terms {
            let root = sign() * model.surplus(&logits, term).1.sqrt();
            for (i, v) in model.direction(term.key) {
                z[i] += root * v;
            }
        }
    })?;
    let scatter = if each {
        equations.solve_all(size, scores.len(), |number, z| scores[number].add(z, 1.0))?
    } else {
        equations.solve_all(size, PROBES, |_, z| {
            for score in &scores {
                score.add(z, sign() * score.copies.sqrt());
            }
        })?
    };
    let mut own = vec![0.0; size];
    for score in &scores {
        for cell in &score.parameters {
            own[cell.0] += score.copies;
        }
    }
    let basis = |parameters: &[usize]| {
        let own = || parameters.iter().map(|&parameter| own[parameter]);
        // If several clusters connect players, at least one player is in two of them.
        if shared && own().all(|own| own < 2.0) {
            Basis::OneCluster
        } else if !each && own().any(|own| own < POOLED) {
            Basis::FewResults
        } else if shared {
            Basis::Clustered
        } else {
            Basis::Customary
        }
    };
    let bases = model.groups.iter().map(|group| basis(group)).collect();
    let advantage_basis = basis(&(model.players..size).collect::<Vec<_>>());
    let bearing = if each {
        let informed = |score: &Score| (score.copies, score.information(size));
        Bearing::Each(scores.iter().map(informed).collect())
    } else {
        let dispersion = dispersion(&scores, size - model.groups.len());
        Bearing::Many { own, dispersion }
    };
    let errors = ManyErrors {
        index: field.index.clone(),
        scatter,
        by_model,
        bearing,
    };
    let is_finite = |(claimed, by_model): (f64, f64)| claimed.is_finite() && by_model.is_finite();
    let all_finite = (0..size).all(|parameter| is_finite(errors.variances(parameter, parameter)));
    all_finite.then_some(Fit {
        model,
        logits,
        errors: FitErrors::Many(errors),
        bases,
        advantage_basis,
    })
}

/// The contribution of a cluster: surplus of points and information for each parameter.
struct Score {
    copies: f64,
    parameters: Vec<(usize, [f64; 2])>,
    /// Sums over its meetings: squares of the surplus, information, and their number.
    spread: [f64; 3],
}

impl Score {
    fn of(model: &Model, logits: &[f64], cluster: &Cluster) -> Self {
        let mut parameters: Vec<(usize, [f64; 2])> = Vec::new();
        let mut meetings: Vec<([usize; 2], [f64; 2])> = Vec::new();
        for bout in &cluster.bouts {
            let term = bout.term();
            let (surplus, weight) = model.surplus(logits, &term);
            for (i, sign) in model.direction(term.key) {
                parameters.push((i, [sign * surplus, weight]));
            }
            meetings.push(if bout.first < bout.second {
                ([bout.first, bout.second], [surplus, weight])
            } else {
                ([bout.second, bout.first], [-surplus, weight])
            });
        }
        let add = |sums: &mut [f64; 2], more: [f64; 2]| {
            *sums = [sums[0] + more[0], sums[1] + more[1]];
        };
        merge(&mut parameters, add);
        merge(&mut meetings, add);
        let mut spread = [0.0, 0.0, meetings.len() as f64];
        for (_, [surplus, weight]) in meetings {
            spread[0] += surplus * surplus;
            spread[1] += weight;
        }
        Self {
            copies: cluster.copies as f64,
            parameters,
            spread,
        }
    }

    fn add(&self, z: &mut [f64], factor: f64) {
        for &(i, [surplus, _]) in &self.parameters {
            z[i] += factor * surplus;
        }
    }

    fn information(&self, size: usize) -> Vec<f32> {
        let mut information = vec![0.0; size];
        for &(i, [_, weight]) in &self.parameters {
            information[i] = weight as f32;
        }
        information
    }
}

/// Returns the dispersion of all results around their expectations: 1 if games are coin tosses,
/// less with draws. Squares and information are summed separately, so that one unlikely upset does
/// not dominate. [`POOLED`] meetings with dispersion 1 are added, because some schedules fit any
/// results.
fn dispersion(scores: &[Score], parameters: usize) -> f64 {
    let [squares, information, meetings] = [0, 1, 2].map(|at| {
        let parts = scores.iter().map(|score| score.copies * score.spread[at]);
        parts.sum::<f64>()
    });
    let freedom = (meetings - parameters as f64).max(0.0);
    let seen = if information > 0.0 {
        meetings * squares / information
    } else {
        0.0
    };
    (seen + POOLED) / (freedom + POOLED)
}

impl ManyErrors {
    /// Returns the variance in Elo² of the difference of two parameters, by their indices, or of
    /// one parameter if i = j: as claimed, and by the model.
    pub(super) fn variances(&self, i: usize, j: usize) -> (f64, f64) {
        let other = |vector: &[f32]| if i == j { 0.0 } else { f64::from(vector[j]) };
        let part = |vector: &Vec<f32>| f64::from(vector[i]) - other(vector);
        let mean = |vectors: &Vectors| {
            let squares = vectors.iter().map(|vector| part(vector).powi(2));
            squares.sum::<f64>() / vectors.len() as f64
        };
        let by_model = mean(&self.by_model);
        let claimed = match &self.bearing {
            Bearing::Many { own, dispersion } => {
                let own = own[i].min(own[j]);
                (own * mean(&self.scatter) + POOLED * dispersion * by_model) / (own + POOLED)
            }
            Bearing::Each(clusters) => {
                let informed = |vector: &Vec<f32>| f64::from(vector[i]) + other(vector);
                let all = clusters
                    .iter()
                    .map(|(copies, vector)| copies * informed(vector));
                let all: f64 = all.sum();
                let mut sums = ErrorSums::default();
                for (vector, (copies, information)) in self.scatter.iter().zip(clusters) {
                    sums.add(part(vector), informed(information) / all, *copies);
                }
                sums.claimed(by_model)
            }
        };
        (claimed, by_model)
    }

    /// Returns the claimed variance of the difference of two players; `None` if one of them has no
    /// rating.
    pub(super) fn difference(&self, one: usize, two: usize) -> Option<f64> {
        let index = |player: usize| self.index.get(player).copied().flatten();
        let (i, j) = (index(one)?, index(two)?);
        Some(if i == j { 0.0 } else { self.variances(i, j).0 })
    }
}
