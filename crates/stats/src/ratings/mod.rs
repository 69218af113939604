//! Ratings of several players from all their results.
//!
//! The score-logistic Bradley-Terry model: player i scores `E = 1/(1 + 10^(-(rᵢ-rⱼ+h)/400))`
//! against j, a draw is half a win, and h is the advantage of the first move if i has it (-h if j
//! has it). Ratings and h are the maximum of the likelihood, where every player's points, and the
//! first movers' points, equal their expectation (the equations that Ordo solves).
//!
//! The errors are not those of the model, which treats games as independent coin tosses without
//! draws (measured: wrong by a factor of up to 1.6 in either direction). They come from the
//! sandwich `H⁺ J H⁺`, with H the Fisher information and J the observed scatter between
//! [clusters](Cluster), such as pairs: right for any draw rate and any dependence within a cluster
//! (White, Econometrica 50, 1982). If clusters are few, nearly constant, or larger than a pair,
//! such as all games of an opening, each rating and each difference has the error CR2 of Bell
//! and `McCaffrey` instead: [`Basis`] records the choice. Intervals are symmetric, `± 1.96`
//! errors; LOS is `Φ(Δ / error(Δ))`.
//!
//! # Players without a rating
//!
//! A finite maximum exists only within a *group*: players that have all scored against each other,
//! directly or through others. Groups are found first, and each has its own mean at zero. Numbers
//! of different groups are not comparable; [`Standing`] and [`OneSided`] describe their order
//! instead. A player that took all or none of the points from the main group gets a one-sided limit
//! against it.
//!
//! If the games do not determine the advantage of the first move, the model leaves it out and
//! [`FirstMoveBasis`] gives the reason. The advantage cancels (to first order) in the total of a
//! pair with colours swapped, so pairs with known totals only are fitted without it.

mod advantage;
mod answer;
mod coverage;
mod errors;
mod evidence;
mod fit;
mod graph;
mod group;
mod laplacian;
mod linear;
mod many;
mod place;
mod resample;
mod scatter;

use std::cmp::Reverse;

use thiserror::Error;

pub use self::advantage::{FirstMove, FirstMoveBasis};
pub use self::answer::{FirstMoveAdvantage, Group, OneSided, Rating, Ratings, Standing};
pub use self::coverage::{Covered, PlayerLaw, RatingCheck, SimulatedField};
pub use self::evidence::{Bout, Cluster, Crossing, Pairing};
pub use self::resample::{Resampled, Resamples, resample};

use self::answer::{DifferenceErrors, Errors};
use self::evidence::Meetings;
use self::fit::Model;
use self::graph::{Scored, group_numbers};
use self::group::{Field, FitErrors, fit};
use self::linear::Matrix;
use self::many::{MAX_DENSE, fit_many};
use super::estimate::{Basis, Ranged};
use super::logistic::ELO_PER_LOGIT;
use super::normal::Z95;

/// Invalid results or anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RatingsError {
    /// A player's index is not below the number of players.
    #[error("player {player} does not exist: there are {players} players, numbered from 0")]
    NoSuchPlayer {
        /// The player's index.
        player: usize,
        /// Number of players.
        players: usize,
    },
    /// A player paired with itself.
    #[error("player {0} is paired with itself")]
    AgainstItself(usize),
    /// More points than games.
    #[error("{half_points} half points from {games} games")]
    TooManyPoints {
        /// Number of half points.
        half_points: u32,
        /// Number of games.
        games: u32,
    },
    /// An anchor has no finite rating.
    #[error("player {0} has no finite rating and cannot be an anchor")]
    AnchorNotRated(usize),
}

/// Options of a rating.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RatingOptions<'a> {
    /// Treatment of the advantage of the first move.
    pub first_move: FirstMove,
    /// Players with their required ratings in Elo. A group is shifted so that its anchors have
    /// these ratings, on average if there are several. Without an anchor a group's mean is 0.
    pub anchors: &'a [(usize, f64)],
    /// The same games grouped by worker, if games are also correlated by worker: the errors
    /// add both correlations (Cameron, Gelbach and Miller, 2011). The ratings, the plain covariances and the errors of more than
    /// 400 players are the same.
    pub crossing: Option<&'a Crossing>,
}

/// Rates `players` players, numbered from 0, from their games.
///
/// A meeting may be listed in either direction and more than once. The function is total: any
/// counts give finite numbers or `None` with the reason. Up to 400 players, time grows with the
/// cube of their number, to one second; above, time and memory grow with the number of meetings,
/// and errors are accurate to 4 % (docs/rating.md).
///
/// # Errors
/// [`RatingsError`] for a bout of a player that does not exist, or with itself, or with more points
/// than games; or for an anchor without a rating.
pub fn rate(
    players: usize,
    clusters: &[Cluster],
    options: &RatingOptions<'_>,
) -> Result<Ratings, RatingsError> {
    let meetings = evidence::meetings(players, clusters)?;
    if let Some(Crossing { workers, both }) = options.crossing {
        evidence::meetings(players, workers)?;
        evidence::meetings(players, both)?;
    }
    let scored = Scored::of(players, &meetings);
    let components = ordered(scored.components(), players, &meetings);
    let large: Vec<&Vec<usize>> = components.iter().filter(|c| c.len() > 1).collect();
    let mut ratings = Ratings {
        players: place::unrated(players, &meetings, &scored, &components),
        groups: Vec::new(),
        first_move: given(options.first_move),
        one_sided: Vec::new(),
        errors: if players > MAX_DENSE {
            Errors::Many(Vec::new())
        } else {
            Errors::Dense(vec![vec![None; players]; players])
        },
    };
    let mut bases = vec![Basis::NoResults; components.len()];
    let whole = Field::new(players, &large, &meetings, clusters, options.crossing);
    let (model, basis) = whole.model(options.first_move);
    let entered = (!large.is_empty())
        .then(|| enter(&mut ratings, &whole, model, basis, options.anchors))
        .flatten();
    if let Some(entered) = entered {
        bases[..large.len()].copy_from_slice(&entered);
    } else {
        // Each group is fitted alone, so that one beyond double precision does not affect the
        // others.
        for (number, group) in large.iter().enumerate() {
            let field = Field::new(players, &[*group], &meetings, clusters, options.crossing);
            let given = ratings.first_move.value.unwrap_or_default();
            let (model, _) = field.model(FirstMove::Fixed(given));
            let given = ratings.first_move.basis;
            if let Some(entered) = enter(&mut ratings, &field, model, given, options.anchors) {
                bases[number] = entered[0];
            }
        }
    }
    for &(player, _) in options.anchors {
        let rating = ratings.players.get(player);
        if rating.is_none_or(|rating| rating.model_error.is_none()) {
            return Err(RatingsError::AnchorNotRated(player));
        }
    }
    let groups = components.into_iter().zip(bases);
    ratings.groups = groups
        .map(|(members, basis)| Group { members, basis })
        .collect();
    place::limits(&mut ratings, clusters);
    Ok(ratings)
}

/// Sorts the components: most members first, then most games among them, then lowest index.
fn ordered(
    mut components: Vec<Vec<usize>>,
    players: usize,
    meetings: &Meetings,
) -> Vec<Vec<usize>> {
    let home = group_numbers(players, &components);
    let mut games = vec![0_u128; components.len()];
    for (&(first, second, _), meeting) in meetings {
        if home[first] == home[second] {
            let sum = &mut games[home[first]];
            *sum = sum.saturating_add(meeting.won).saturating_add(meeting.lost);
        }
    }
    components.sort_by_cached_key(|members| {
        Reverse((members.len(), games[home[members[0]]], Reverse(members[0])))
    });
    components
}

/// Returns the advantage before the fit.
fn given(first_move: FirstMove) -> FirstMoveAdvantage {
    let (value, basis) = match first_move {
        FirstMove::Fixed(elo) => (Some(elo).filter(|x| x.is_finite()), FirstMoveBasis::Fixed),
        FirstMove::Estimate => (None, FirstMoveBasis::NoRatings),
    };
    FirstMoveAdvantage {
        value,
        range: Ranged::NOTHING,
        error: None,
        basis,
        interval_basis: Basis::NoResults,
    }
}

/// Fits the model to the field and writes the results into the ratings, on the scale of the anchors
/// if there are any. Returns the bases of the field's groups; `None` beyond double precision.
fn enter(
    ratings: &mut Ratings,
    field: &Field,
    model: Model,
    basis: FirstMoveBasis,
    anchors: &[(usize, f64)],
) -> Option<Vec<Basis>> {
    let fit = if ratings.is_approximate() {
        fit_many(field, model)?
    } else {
        fit(field, model)?
    };
    let first_move = &mut ratings.first_move;
    first_move.basis = basis;
    let h = fit.model.players;
    if basis == FirstMoveBasis::Estimated && h < fit.model.size() {
        let value = fit.logits[h] * ELO_PER_LOGIT;
        first_move.value = Some(value);
        first_move.interval_basis = fit.advantage_basis;
        first_move.error = root(fit.errors.claimed(h, h), fit.advantage_basis);
        first_move.range = around(value, first_move.error);
    }
    for (group, &basis) in fit.model.groups.iter().zip(&fit.bases) {
        let scale = Scale::of(field, group, anchors, &fit.logits);
        for &i in group {
            let claimed = scale.variance(i, |i, j| fit.errors.claimed(i, j));
            let by_model = match &fit.errors {
                FitErrors::Dense { by_model, .. } => scale.covariance(by_model, i, i),
                FitErrors::Many(errors) => scale.variance(i, |i, j| errors.variances(i, j).1),
            };
            let rating = &mut ratings.players[field.players[i]];
            rating.error = root(claimed, basis);
            rating.elo = around(scale.elo(i, fit.logits[i]), rating.error);
            rating.model_error = Some(by_model.max(0.0).sqrt());
            if let Errors::Dense(differences) = &mut ratings.errors
                && let FitErrors::Dense { covariance, .. } = &fit.errors
                && basis != Basis::OneCluster
            {
                for &j in group {
                    differences[field.players[i]][field.players[j]] = Some(DifferenceErrors {
                        covariance: scale.covariance(covariance, i, j),
                        claimed: if i == j {
                            0.0
                        } else {
                            fit.errors.claimed(i, j)
                        },
                    });
                }
            }
        }
    }
    if let (Errors::Many(fits), FitErrors::Many(errors)) = (&mut ratings.errors, fit.errors) {
        fits.push(errors);
    }
    Some(fit.bases)
}

/// The scale of a group.
struct Scale {
    /// The group's anchors by index, with their required ratings.
    anchors: Vec<(usize, f64)>,
    /// Elo that is added to every rating.
    shift: f64,
}

impl Scale {
    fn of(field: &Field, group: &[usize], anchors: &[(usize, f64)], logits: &[f64]) -> Self {
        let placed = anchors.iter().filter_map(|&(player, elo)| {
            let place = (*field.index.get(player)?)?;
            (elo.is_finite() && group.contains(&place)).then_some((place, elo))
        });
        let anchors: Vec<(usize, f64)> = placed.collect();
        let off = anchors
            .iter()
            .map(|&(a, elo)| elo - logits[a] * ELO_PER_LOGIT);
        let shift = off.sum::<f64>() / anchors.len().max(1) as f64;
        Self { anchors, shift }
    }

    /// Returns a rating on the scale. A single anchor has exactly its required rating.
    fn elo(&self, place: usize, logit: f64) -> f64 {
        match self.anchors[..] {
            [(a, elo)] if a == place => elo,
            _ => logit * ELO_PER_LOGIT + self.shift,
        }
    }

    /// Returns the mean over the anchors; 0 without any.
    fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        let sum: f64 = self.anchors.iter().map(|&(a, _)| of(a)).sum();
        sum / self.anchors.len().max(1) as f64
    }

    /// Returns the variance of a rating, from the variances of differences, and of single ratings
    /// if i = j. With anchors it is that of the rating minus the mean of the anchors' ratings: the
    /// mean distance to the anchors, minus half of the mean distance between them.
    fn variance(&self, place: usize, variance: impl Fn(usize, usize) -> f64) -> f64 {
        if self.anchors.is_empty() {
            return variance(place, place);
        }
        let apart = |a: usize, b: usize| if a == b { 0.0 } else { variance(a, b) };
        let between = self.mean(|a| self.mean(|b| apart(a, b)));
        let away = self.mean(|a| apart(place, a));
        (away - between / 2.0).max(0.0)
    }

    /// Returns the covariance of two ratings, each minus the mean of the anchors' ratings.
    fn covariance(&self, matrix: &Matrix, i: usize, j: usize) -> f64 {
        match self.anchors[..] {
            [(a, _)] if i == a || j == a => 0.0,
            _ => {
                let mean = |i: usize| self.mean(|a| matrix.at(i, a));
                matrix.at(i, j) - mean(i) - mean(j) + self.mean(mean)
            }
        }
    }
}

/// Returns the error of a variance; `None` if all results are in one cluster.
fn root(variance: f64, basis: Basis) -> Option<f64> {
    (basis != Basis::OneCluster).then(|| variance.max(0.0).sqrt())
}

fn around(value: f64, error: Option<f64>) -> Ranged {
    let half = error.map(|error| Z95 * error);
    let limit = |sign: f64| half.map(|half| value + sign * half);
    Ranged::new(Some(value), limit(-1.0), limit(1.0))
}

#[cfg(test)]
mod tests;
