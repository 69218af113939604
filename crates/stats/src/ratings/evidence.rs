//! The input of ratings: games in clusters.

use std::collections::BTreeMap;

use super::RatingsError;
use super::fit::Term;
use crate::{Multinomial, Pentanomial};

/// Games of one player against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bout {
    /// Index of the player whose points are counted.
    pub first: usize,
    /// Index of the opponent.
    pub second: usize,
    /// True if `first` moved first in all of the games. False if the first mover is unknown, or
    /// each moved first equally often: then the expectation leaves out the advantage of the first
    /// move.
    pub moved_first: bool,
    /// Number of games.
    pub games: u32,
    /// Half points of `first`, two for a win and one for a draw: at most `2 * games`.
    pub half_points: u32,
}

/// Games that may be correlated, such as the two of a pair or all from one opening. Clusters are
/// treated as independent of each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cluster {
    /// The games.
    pub bouts: Vec<Bout>,
    /// Number of identical clusters.
    pub copies: u64,
}

/// The same games grouped by worker instead of by opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crossing {
    /// All games of each worker; games that do not depend on their worker are in their usual
    /// clusters.
    pub workers: Vec<Cluster>,
    /// The games of each worker from each opening or other usual cluster.
    pub both: Vec<Cluster>,
}

/// All results of one player against another, as counts without the first mover.
#[derive(Clone, Copy, Debug)]
pub struct Pairing {
    /// Index of the player to whom the counts refer.
    pub first: usize,
    /// Index of the opponent.
    pub second: usize,
    /// The results: pairs, or single games.
    pub results: Multinomial,
}

impl Pairing {
    /// Creates a pairing from the results of `first` against `second` in pairs.
    pub fn of_pairs(first: usize, second: usize, results: Pentanomial) -> Self {
        Self {
            first,
            second,
            results: results.into(),
        }
    }

    /// Returns a cluster for each outcome that occurred: the counts are those of independent units,
    /// games or pairs.
    pub fn clusters(&self) -> impl Iterator<Item = Cluster> + '_ {
        let games = self.results.games_per_unit() as u32;
        let counts = self.results.counts().iter().enumerate();
        counts
            .filter(|&(_, &copies)| copies > 0)
            .map(move |(half_points, &copies)| Cluster {
                bouts: vec![Bout {
                    first: self.first,
                    second: self.second,
                    moved_first: false,
                    games,
                    half_points: half_points as u32,
                }],
                copies,
            })
    }
}

/// Two players, and true if the first-named moved first.
pub(super) type MeetingKey = (usize, usize, bool);

/// The results of all games of the same players with the same first mover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meeting {
    /// Half points of the first-named player.
    pub(super) won: u128,
    /// Half points of the second-named player.
    pub(super) lost: u128,
}

impl Bout {
    /// Returns the meeting of the bout, and the half points of its two players. The lower index
    /// comes first if the first mover is unknown.
    pub(super) fn meeting(&self) -> (MeetingKey, Meeting) {
        let won = u128::from(self.half_points);
        let lost = 2 * u128::from(self.games) - won;
        if self.moved_first || self.first < self.second {
            let key = (self.first, self.second, self.moved_first);
            (key, Meeting { won, lost })
        } else {
            let [won, lost] = [lost, won];
            ((self.second, self.first, false), Meeting { won, lost })
        }
    }

    /// Returns the bout as a term of the likelihood, from the view of its first player.
    pub(super) fn term(&self) -> Term {
        let won = f64::from(self.half_points) / 2.0;
        Term {
            key: (self.first, self.second, self.moved_first),
            won,
            lost: f64::from(self.games) - won,
        }
    }

    fn check(&self, players: usize) -> Result<(), RatingsError> {
        let (first, second) = (self.first, self.second);
        if let Some(player) = [first, second].into_iter().find(|&p| p >= players) {
            return Err(RatingsError::NoSuchPlayer { player, players });
        }
        if first == second {
            return Err(RatingsError::AgainstItself(first));
        }
        if u64::from(self.half_points) > 2 * u64::from(self.games) {
            return Err(RatingsError::TooManyPoints {
                half_points: self.half_points,
                games: self.games,
            });
        }
        Ok(())
    }
}

/// All results by players and first mover.
pub(super) type Meetings = BTreeMap<MeetingKey, Meeting>;

/// Adds up the games of all clusters.
///
/// # Errors
/// An impossible bout.
pub(super) fn meetings(players: usize, clusters: &[Cluster]) -> Result<Meetings, RatingsError> {
    let mut meetings = Meetings::new();
    for cluster in clusters {
        for bout in &cluster.bouts {
            bout.check(players)?;
            if bout.games > 0 && cluster.copies > 0 {
                let (key, meeting) = bout.meeting();
                let copies = u128::from(cluster.copies);
                let sum = meetings.entry(key).or_default();
                sum.won = sum.won.saturating_add(meeting.won.saturating_mul(copies));
                sum.lost = sum.lost.saturating_add(meeting.lost.saturating_mul(copies));
            }
        }
    }
    Ok(meetings)
}
