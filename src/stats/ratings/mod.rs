//! Ratings of several players from all their pair results.
//!
//! The score-logistic Bradley-Terry model: player i scores
//! `E = 1/(1 + 10^(-(rᵢ-rⱼ)/400))` against j, a draw is half a win. The
//! ratings are the maximum of the likelihood, where every player's points
//! equal their expectation (what Ordo solves). Differences of ratings are Elo
//! in the sense of [`estimate`](super::estimate): for two players they agree.
//!
//! The errors are not the model's own, which take games for independent coin
//! tosses without draws (measured: up to 1.6 times off either way). They come
//! from the sandwich `H⁺ J H⁺`, with H the Fisher information and J the
//! scatter seen between the units (pairs): right for any draw rate and any
//! dependence of the two games of a pair (White, Econometrica 50, 1982;
//! statistics.md section 2). Intervals are symmetric, `± 1.96` standard
//! errors; LOS is `Φ(Δ / sd(Δ))`.
//!
//! # What cannot be rated
//!
//! A finite maximum exists only within a *group*: players of whom each has,
//! directly or through others, scored against each. Groups are found first
//! and fitted apart, each with mean zero; numbers of different groups are not
//! comparable, and what is known of the order instead is in [`Standing`]. A
//! player who took all or none of the points from the main group gets the
//! one-sided limit at which the group's ratings would give the limit of a
//! [score interval](super::estimate) for those points.
//!
//! An advantage of the first move cancels within a pair and is not fitted.

mod fit;
mod graph;
mod linear;
mod place;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::fit::{Bout, Fit, fit};
use self::graph::Reach;
use super::estimate::{Basis, Bound, Ranged};
use super::normal::{self, Z95};
use super::{Multinomial, Pentanomial};

/// All results of one player against another.
#[derive(Clone, Copy, Debug)]
pub struct Pairing {
    /// Index of the player whose point of view the counts take.
    pub first: usize,
    /// Index of the opponent.
    pub second: usize,
    /// The results: pairs, or single games.
    pub results: Multinomial,
}

impl Pairing {
    /// The results of `first` against `second` in pairs.
    pub fn of_pairs(first: usize, second: usize, results: Pentanomial) -> Self {
        Self {
            first,
            second,
            results: results.into(),
        }
    }
}

/// A pairing that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RatingsError {
    /// A player's index is not below the number of players.
    #[error("player {player} does not exist: there are {players} players, numbered from 0")]
    NoSuchPlayer {
        /// The index given.
        player: usize,
        /// Number of players.
        players: usize,
    },
    /// A player paired with itself.
    #[error("player {0} is paired with itself")]
    AgainstItself(usize),
}

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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Games played, saturating.
    pub games: u64,
    /// Mean score, 0..=1; `None` without games.
    pub score: Option<f64>,
    /// Index of its group; 0 is the main group.
    pub group: usize,
    /// How it stands to the main group.
    pub standing: Standing,
    /// Elo above the mean of **its own group**. Outside of a group of two or
    /// more: no value, and one limit relative to the main group's mean if it
    /// won or lost all games against members.
    pub elo: Ranged,
    /// Standard error of `elo`, in Elo; `None` where there is no value.
    pub error: Option<f64>,
}

/// Players with comparable ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Indices, ascending.
    pub members: Vec<usize>,
    /// What the intervals rest on; `no-results` if the group could not be
    /// fitted (a single player, or scores beyond double precision).
    pub basis: Basis,
}

/// Ratings of all players, in the order of their indices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// A line for each player.
    pub players: Vec<Rating>,
    /// The groups: most members first, then most games among them, then
    /// lowest index. More than one means that not all can be compared.
    pub groups: Vec<Group>,
    /// `los[i][j]`: probability that i is stronger than j, 0..=1; `None` on
    /// the diagonal and across groups.
    pub los: Vec<Vec<Option<f64>>>,
    /// `covariance[i][j]` of the ratings in Elo²; `None` across groups.
    pub covariance: Vec<Vec<Option<f64>>>,
}

impl Ratings {
    /// By how much i is above j in Elo, with its 95 % interval; nothing
    /// across groups and out of range.
    pub fn difference(&self, i: usize, j: usize) -> Ranged {
        self.gap(i, j).map_or(Ranged::NOTHING, |(gap, deviation)| {
            let half = Z95 * deviation;
            Ranged::new(Some(gap), Some(gap - half), Some(gap + half))
        })
    }

    /// Difference and its standard error.
    fn gap(&self, i: usize, j: usize) -> Option<(f64, f64)> {
        let covariance = |a: usize, b: usize| *self.covariance.get(a)?.get(b)?;
        let gap = self.players.get(i)?.elo.value? - self.players.get(j)?.elo.value?;
        let variance = covariance(i, i)? + covariance(j, j)? - 2.0 * covariance(i, j)?;
        Some((gap, variance.max(0.0).sqrt()))
    }

    fn fill_los(&mut self) {
        let count = self.players.len();
        self.los = (0..count)
            .map(|i| {
                (0..count)
                    .map(|j| {
                        let (gap, deviation) = self.gap(i, j).filter(|_| i != j)?;
                        Some(normal::cdf(if gap == 0.0 { 0.0 } else { gap / deviation }))
                    })
                    .collect()
            })
            .collect();
    }
}

/// One player's results against one opponent.
struct Tie {
    opponent: usize,
    /// Whether the player scored above zero.
    scored: bool,
    results: Multinomial,
}

/// All pairings, seen from each player.
struct Field {
    players: usize,
    ties: Vec<Vec<Tie>>,
}

impl Field {
    fn new(players: usize, pairings: &[Pairing]) -> Result<Self, RatingsError> {
        let mut ties: Vec<Vec<Tie>> = (0..players).map(|_| Vec::new()).collect();
        for pairing in pairings {
            let (first, second) = (pairing.first, pairing.second);
            if let Some(player) = [first, second].into_iter().find(|&p| p >= players) {
                return Err(RatingsError::NoSuchPlayer { player, players });
            }
            if first == second {
                return Err(RatingsError::AgainstItself(first));
            }
            let views = [
                (first, second, pairing.results),
                (second, first, pairing.results.mirror()),
            ];
            for (player, opponent, results) in views {
                let scored = results.counts().iter().skip(1).any(|&n| n > 0);
                ties[player].push(Tie {
                    opponent,
                    scored,
                    results,
                });
            }
        }
        Ok(Self { players, ties })
    }

    fn ties_of(&self, player: usize) -> &[Tie] {
        &self.ties[player]
    }

    /// Games of one player against `members`.
    fn games(&self, player: usize, members: &[usize]) -> u128 {
        self.ties_of(player)
            .iter()
            .filter(|tie| members.binary_search(&tie.opponent).is_ok())
            .map(|tie| u128::from(tie.results.games()))
            .sum()
    }

    /// The results within a group, each once, with indices of the group.
    fn bouts(&self, members: &[usize]) -> Vec<Bout> {
        let mut bouts = Vec::new();
        for (first, &player) in members.iter().enumerate() {
            for tie in self.ties_of(player) {
                if tie.opponent > player
                    && let Ok(second) = members.binary_search(&tie.opponent)
                    && !tie.results.is_empty()
                {
                    bouts.push(Bout {
                        first,
                        second,
                        results: tie.results,
                    });
                }
            }
        }
        bouts
    }
}

/// Rates `players` players, numbered from 0, from their pairings.
///
/// A pairing may be listed in either direction and more than once. Total: any
/// counts give finite numbers or `None` with the reason. Time grows with the
/// cube of the number of players: well under a second for 200.
///
/// # Errors
/// [`RatingsError`] for a pairing of a player that does not exist, or with
/// itself.
pub fn rate(players: usize, pairings: &[Pairing]) -> Result<Ratings, RatingsError> {
    let field = Field::new(players, pairings)?;
    let reach = Reach::of(&field);
    let mut components = reach.components();
    components.sort_by_cached_key(|members| {
        let games: u128 = members.iter().map(|&i| field.games(i, members)).sum();
        std::cmp::Reverse((members.len(), games, std::cmp::Reverse(members[0])))
    });
    let mut ratings = Ratings {
        players: place::unrated(&field, &reach, &components),
        groups: Vec::new(),
        los: Vec::new(),
        covariance: vec![vec![None; players]; players],
    };
    for (group, members) in components.into_iter().enumerate() {
        let fitted = if members.len() < 2 {
            None
        } else {
            fit(members.len(), &field.bouts(&members))
        };
        let basis = fitted
            .as_ref()
            .map_or(Basis::NoResults, |fitted| fitted.basis);
        if let Some(fitted) = fitted {
            enter(&mut ratings, &members, &fitted);
            if group == 0 {
                place::limits(&mut ratings, &field, &members);
            }
        }
        ratings.groups.push(Group { members, basis });
    }
    ratings.fill_los();
    Ok(ratings)
}

/// Writes a group's fit into its members' lines.
fn enter(ratings: &mut Ratings, members: &[usize], fitted: &Fit) {
    for (row, &i) in members.iter().enumerate() {
        let value = fitted.elo[row];
        let error = fitted.covariance.at(row, row).max(0.0).sqrt();
        ratings.players[i].elo = Ranged::new(
            Some(value),
            Some(value - Z95 * error),
            Some(value + Z95 * error),
        );
        ratings.players[i].error = Some(error);
        for (column, &j) in members.iter().enumerate() {
            ratings.covariance[i][j] = Some(fitted.covariance.at(row, column));
        }
    }
}

#[cfg(test)]
mod tests;
