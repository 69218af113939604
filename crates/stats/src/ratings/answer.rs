//! What a rating of players says.

use serde::{Deserialize, Serialize};

use super::FirstMoveBasis;
use super::many::ManyErrors;
use crate::normal::{self, Z95};
use crate::{Basis, Ranged};

/// How a player stands to the main group (group 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Member of the main group: rated (unless its scores are beyond double
    /// precision; then there is no value).
    Rated,
    /// Won every game, so that no finite rating fits.
    WonAll,
    /// Lost every game, so that no finite rating fits.
    LostAll,
    /// Above the main group, which has not scored against it, directly or
    /// through others.
    Above,
    /// Below the main group, against which it has not scored, directly or
    /// through others.
    Below,
    /// No chain of results orders it and the main group.
    Apart,
    /// Played no game.
    NoGames,
}

/// One player's line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Games played, saturating.
    pub games: u64,
    /// Mean score, 0..=1; `None` without games.
    pub score: Option<f64>,
    /// Index of its group; 0 is the main group.
    pub group: usize,
    /// How it stands to the main group.
    pub standing: Standing,
    /// Elo above the mean of **its own group**, or on the anchor's scale.
    /// Outside of a group of two or more: no value, and one limit on the main
    /// group's scale if it won or lost all games against members.
    pub elo: Ranged,
    /// Standard error of `elo`, in Elo: the limits are ± 1.96 of it. `None` where
    /// there is no value, or all results hang together; 0 for the anchor.
    pub error: Option<f64>,
    /// What the model alone would take for the error.
    pub model_error: Option<f64>,
}

/// Players with comparable ratings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Indices, ascending.
    pub members: Vec<usize>,
    /// What the intervals rest on; `no-results` if the group could not be
    /// fitted (a single player, or scores beyond double precision).
    pub basis: Basis,
}

/// The advantage of the first move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FirstMoveAdvantage {
    /// Elo that moving first is worth; `None` if it was to be fitted and could
    /// not be.
    pub value: Option<f64>,
    /// Its 95 % interval, if fitted.
    pub range: Ranged,
    /// Its standard error in Elo, if fitted.
    pub error: Option<f64>,
    /// Where it comes from.
    pub basis: FirstMoveBasis,
    /// What the interval rests on, if fitted.
    pub interval_basis: Basis,
}

/// Two players of different groups that have met: one took all the points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OneSided {
    /// Who won all games between the two.
    pub above: usize,
    /// Who lost them.
    pub below: usize,
    /// How many there were.
    pub games: u64,
    /// Elo that `above` is ahead at least: with less, this would have happened
    /// with a chance of less than 2.5 %. May be negative after few games.
    pub at_least: Option<f64>,
}

/// Ratings of all players, in the order of their indices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// A line for each player.
    pub players: Vec<Rating>,
    /// The groups: most members first, then most games among them, then
    /// lowest index. More than one means that not all can be compared.
    pub groups: Vec<Group>,
    /// The advantage of the first move.
    pub first_move: FirstMoveAdvantage,
    /// Meetings across groups.
    pub one_sided: Vec<OneSided>,
    /// What the errors of differences rest on.
    #[serde(skip)]
    pub(super) errors: Errors,
}

/// The errors of the differences of ratings.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Errors {
    /// Matrices by player.
    Dense {
        /// The plain sandwich.
        covariance: Vec<Vec<Option<f64>>>,
        /// The variance of each difference that intervals and LOS rest on.
        claimed: Vec<Vec<Option<f64>>>,
    },
    /// Those of each fit of very many players.
    Many(Vec<ManyErrors>),
}

impl Ratings {
    /// By how much i is above j in Elo, with its 95 % interval; nothing
    /// across groups and out of range.
    pub fn difference(&self, i: usize, j: usize) -> Ranged {
        self.gap(i, j).map_or(Ranged::NOTHING, |gap| {
            let deviation = self.difference_error(i, j).map(|d| Z95 * d);
            let limit = |sign: f64| deviation.map(|half| gap + sign * half);
            Ranged::new(Some(gap), limit(-1.0), limit(1.0))
        })
    }

    /// The standard error of the difference of i and j: its limits are ± 1.96 of
    /// it; `None` across groups, out of range, and where all results hang together.
    pub fn difference_error(&self, i: usize, j: usize) -> Option<f64> {
        let variance = match &self.errors {
            Errors::Dense { claimed, .. } => claimed.get(i)?.get(j).copied()?,
            Errors::Many(all) => {
                self.gap(i, j)?;
                self.players[i].error?;
                let claimed = |errors: &ManyErrors| Some(errors.difference(i, j)?.0);
                all.iter().find_map(claimed)
            }
        };
        variance.map(|variance| variance.max(0.0).sqrt())
    }

    /// The covariance of the ratings of i and j in Elo², the plain sandwich, which with
    /// few clusters is smaller than the errors; `None` across groups, where all results
    /// hang together, and for very many players.
    pub fn covariance(&self, i: usize, j: usize) -> Option<f64> {
        match &self.errors {
            Errors::Dense { covariance, .. } => covariance.get(i)?.get(j).copied()?,
            Errors::Many(_) => None,
        }
    }

    /// Whether there are so many players that their errors were not counted as
    /// matrices: no covariances, and errors uncertain to some 4 %.
    pub fn is_of_many(&self) -> bool {
        matches!(self.errors, Errors::Many(_))
    }

    /// The probability that i is stronger than j, 0..=1; `None` for one and the same,
    /// and where the difference has no error.
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
