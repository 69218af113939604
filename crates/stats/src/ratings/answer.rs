//! The result of rating players.

use serde::{Deserialize, Serialize};

use super::FirstMoveBasis;
use super::many::ManyErrors;
use crate::normal::{self, Z95};
use crate::{Basis, Ranged};

/// Relation of a player to the main group (group 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Member of the main group: rated, unless its scores are beyond double precision; then it has
    /// no value.
    Rated,
    /// Won every game, so that no finite rating fits.
    WonAll,
    /// Lost every game, so that no finite rating fits.
    LostAll,
    /// Above the main group, which did not score against it, directly or through others.
    Above,
    /// Below the main group, against which it did not score, directly or through others.
    Below,
    /// No chain of results compares it with the main group.
    Apart,
    /// Played no game.
    NoGames,
}

/// The rating of one player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Number of games, saturating.
    pub games: u64,
    /// Mean score, 0..=1; `None` without games.
    pub score: Option<f64>,
    /// Index of its group; 0 is the main group.
    pub group: usize,
    /// Relation to the main group.
    pub standing: Standing,
    /// Elo above the mean of **its own group**, or on the anchor's scale. A player outside a group
    /// of two or more has no value, but one limit on the main group's scale if it won or lost all
    /// games against members.
    pub elo: Ranged,
    /// Standard error of `elo`, in Elo: the limits are ± 1.96 of it. `None` without a value, or if
    /// all results are in one cluster; 0 for the anchor.
    pub error: Option<f64>,
    /// Standard error of `elo` by the model alone.
    pub model_error: Option<f64>,
}

/// Players with comparable ratings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Indices, ascending.
    pub members: Vec<usize>,
    /// Basis of the intervals; `no-results` if the group could not be fitted (a single player, or
    /// scores beyond double precision).
    pub basis: Basis,
}

/// The advantage of the first move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FirstMoveAdvantage {
    /// Value of moving first in Elo; `None` if it could not be fitted.
    pub value: Option<f64>,
    /// Its 95 % interval, if fitted.
    pub range: Ranged,
    /// Its standard error in Elo, if fitted.
    pub error: Option<f64>,
    /// Source of the value.
    pub basis: FirstMoveBasis,
    /// Basis of the interval, if fitted.
    pub interval_basis: Basis,
}

/// Two players of different groups that met: one took all the points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OneSided {
    /// The player who won all games between the two.
    pub above: usize,
    /// The player who lost them.
    pub below: usize,
    /// Number of these games.
    pub games: u64,
    /// Minimum lead of `above` in Elo: with a smaller lead, the probability of this result would be
    /// below 2.5 %. May be negative after few games.
    pub at_least: Option<f64>,
}

/// Ratings of all players, in the order of their indices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// One rating for each player.
    pub players: Vec<Rating>,
    /// The groups: most members first, then most games among them, then lowest index. With more
    /// than one group, not all players can be compared.
    pub groups: Vec<Group>,
    /// The advantage of the first move.
    pub first_move: FirstMoveAdvantage,
    /// Meetings across groups.
    pub one_sided: Vec<OneSided>,
    /// Basis of the errors of differences.
    #[serde(skip)]
    pub(super) errors: Errors,
}

/// The errors of the difference of two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DifferenceErrors {
    /// Covariance of the ratings, from the plain sandwich.
    pub(super) covariance: f64,
    /// Variance of the difference, the basis of intervals and LOS.
    pub(super) claimed: f64,
}

/// The errors of the differences of ratings.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Errors {
    /// A matrix by player; without entries across groups.
    Dense(Vec<Vec<Option<DifferenceErrors>>>),
    /// Errors of each fit of very many players.
    Many(Vec<ManyErrors>),
}

impl Ratings {
    /// Lead of i over j in Elo, with its 95 % interval; no value across groups or out of range.
    pub fn difference(&self, i: usize, j: usize) -> Ranged {
        self.gap(i, j).map_or(Ranged::NOTHING, |gap| {
            let deviation = self.difference_error(i, j).map(|d| Z95 * d);
            let limit = |sign: f64| deviation.map(|half| gap + sign * half);
            Ranged::new(Some(gap), limit(-1.0), limit(1.0))
        })
    }

    /// The standard error of the difference of i and j: its limits are ± 1.96 of it. `None` across
    /// groups, out of range, and if all results are in one cluster.
    pub fn difference_error(&self, i: usize, j: usize) -> Option<f64> {
        let variance = match &self.errors {
            Errors::Dense(players) => (*players.get(i)?.get(j)?).map(|errors| errors.claimed),
            Errors::Many(fits) => {
                self.gap(i, j)?;
                self.players[i].error?;
                fits.iter().find_map(|errors| errors.difference(i, j))
            }
        };
        variance.map(|variance| variance.max(0.0).sqrt())
    }

    /// The covariance of the ratings of i and j in Elo², from the plain sandwich, which with few
    /// clusters is smaller than the errors. `None` across groups, if all results are in one
    /// cluster, and for very many players.
    pub fn covariance(&self, i: usize, j: usize) -> Option<f64> {
        match &self.errors {
            Errors::Dense(players) => (*players.get(i)?.get(j)?).map(|errors| errors.covariance),
            Errors::Many(_) => None,
        }
    }

    /// Returns whether the number of players was too large for error matrices: there are no
    /// covariances, and errors are accurate to some 4 %.
    pub fn is_approximate(&self) -> bool {
        matches!(self.errors, Errors::Many(_))
    }

    /// The probability that i is stronger than j, 0..=1; `None` if i = j or the difference has no
    /// error.
    pub fn los(&self, i: usize, j: usize) -> Option<f64> {
        let gap = self.gap(i, j).filter(|_| i != j)?;
        let deviation = self.difference_error(i, j)?;
        Some(normal::cdf(if gap == 0.0 { 0.0 } else { gap / deviation }))
    }

    fn gap(&self, i: usize, j: usize) -> Option<f64> {
        let (one, other) = (self.players.get(i)?, self.players.get(j)?);
        let gap = one.elo.value? - other.elo.value?;
        (one.group == other.group).then_some(gap)
    }
}
