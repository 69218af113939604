//! Limits for players outside the main group.

use std::collections::BTreeMap;

use super::evidence::{Cluster, Meeting, Meetings};
use super::graph::{Scored, group_numbers};
use super::{OneSided, Ranged, Rating, Ratings, Standing};
use crate::bisection::bisect;
use crate::logistic::score_from_elo;

/// The probability of a one-sided limit: one side of a 95 % interval.
const TAIL: f64 = 0.025;

/// Returns the players' entries without ratings. `groups[0]` is the main group if it has two members
/// or more.
pub(super) fn unrated(
    players: usize,
    meetings: &Meetings,
    scored: &Scored,
    groups: &[Vec<usize>],
) -> Vec<Rating> {
    let mut points = vec![(0_u128, 0_u128); players];
    for (&(first, second, _), &Meeting { won, lost }) in meetings {
        for (player, won, lost) in [(first, won, lost), (second, lost, won)] {
            points[player].0 = points[player].0.saturating_add(won);
            points[player].1 = points[player].1.saturating_add(lost);
        }
    }
    let main = groups.first().filter(|members| members.len() > 1);
    // The players that the main group scored against, and those that scored against it.
    let reached =
        main.map(|members| [scored, &scored.turned()].map(|relation| relation.reached(members[0])));
    let group_of = group_numbers(players, groups);
    let rating = |(player, (won, lost)): (usize, (u128, u128))| {
        let games = won.saturating_add(lost) / 2;
        let group = group_of[player];
        let standing = if games == 0 {
            Standing::NoGames
        } else if main.is_some() && group == 0 {
            Standing::Rated
        } else if lost == 0 {
            Standing::WonAll
        } else if won == 0 {
            Standing::LostAll
        } else {
            match &reached {
                Some([_, above]) if above[player] => Standing::Above,
                Some([below, _]) if below[player] => Standing::Below,
                _ => Standing::Apart,
            }
        };
        Rating {
            games: u64::try_from(games).unwrap_or(u64::MAX),
            score: (games > 0).then(|| won as f64 / (won as f64 + lost as f64)),
            group,
            standing,
            elo: Ranged::NOTHING,
            error: None,
            model_error: None,
        }
    };
    points.into_iter().enumerate().map(rating).collect()
}

/// The games of one player in one cluster against opponents with known ratings, all won or all
/// lost: the opponents' ratings minus the advantage in the game, each with its number of games.
struct Sweep {
    copies: f64,
    opponents: Vec<(f64, f64)>,
}

impl Sweep {
    fn games(&self) -> f64 {
        self.opponents.iter().map(|(_, games)| games).sum()
    }
}

/// Sweeps by the number of their cluster.
type Sweeps = BTreeMap<usize, Sweep>;

/// Computes the one-sided limits of single players outside a rated main group, and of each two
/// players of different groups that met. The ratings of the main group and the advantage are
/// treated as exact.
pub(super) fn limits(ratings: &mut Ratings, clusters: &[Cluster]) {
    let mut size = vec![0_usize; ratings.groups.len()];
    for player in &ratings.players {
        size[player.group] += 1;
    }
    let advantage = ratings.first_move.value.unwrap_or_default();
    let mut alone: BTreeMap<(usize, bool), Sweeps> = BTreeMap::new();
    let mut meetings: BTreeMap<(usize, usize), Sweeps> = BTreeMap::new();
    let group = |player: usize| ratings.players[player].group;
    let counted = clusters.iter().enumerate();
    for (number, cluster) in counted.filter(|(_, cluster)| cluster.copies > 0) {
        for bout in cluster.bouts.iter().filter(|bout| bout.games > 0) {
            let (one, two) = (bout.first, bout.second);
            if group(one) == group(two) {
                continue;
            }
            let add = |sweeps: &mut Sweeps, opponent: f64| {
                let sweep = sweeps.entry(number).or_insert_with(|| Sweep {
                    copies: cluster.copies as f64,
                    opponents: Vec::new(),
                });
                sweep.opponents.push((opponent, f64::from(bout.games)));
            };
            let ahead = if bout.moved_first { advantage } else { 0.0 };
            // Between groups one side won all games.
            let (winner, loser, ahead) = if bout.half_points > 0 {
                (one, two, ahead)
            } else {
                (two, one, -ahead)
            };
            add(meetings.entry((winner, loser)).or_default(), -ahead);
            for (player, opponent, ahead) in [(winner, loser, ahead), (loser, winner, -ahead)] {
                if let Some(elo) = ratings.players[opponent].elo.value
                    && group(opponent) == 0
                    && size[group(player)] == 1
                {
                    let sweeps = alone.entry((player, player == winner)).or_default();
                    add(sweeps, elo - ahead);
                }
            }
        }
    }
    for ((player, won), sweeps) in alone {
        let limit = limit(&sweeps, won);
        let (low, high) = if won { (limit, None) } else { (None, limit) };
        ratings.players[player].elo = Ranged::new(None, low, high);
    }
    let one_sided = meetings.into_iter().map(|((above, below), sweeps)| {
        let games = |sweep: &Sweep| sweep.copies * sweep.games();
        OneSided {
            above,
            below,
            games: sweeps.values().map(games).sum::<f64>() as u64,
            at_least: limit(&sweeps, true),
        }
    });
    ratings.one_sided = one_sided.collect();
}

/// Returns the rating at which the probability of winning (or losing) all clusters is at most 2.5
/// %.
///
/// The probability of winning every game of a cluster is at most its expected score E, for any
/// draws and any correlation of its games, and that of winning all clusters at most ΠE: the limit
/// solves Σ ln E = ln 0.025. For equal opponents this is the limit of Clopper and Pearson. `None`
/// outside ±100 000 Elo.
fn limit(sweeps: &Sweeps, won: bool) -> Option<f64> {
    let log_chance = |rating: f64| -> f64 {
        let of = |sweep: &Sweep| {
            let points = sweep.opponents.iter().map(|&(opponent, games)| {
                let ahead = rating - opponent;
                games * score_from_elo(if won { ahead } else { -ahead })
            });
            sweep.copies * libm::log(points.sum::<f64>() / sweep.games())
        };
        sweeps.values().map(of).sum()
    };
    // The probability rises with the rating if all games were won, and falls if all were lost.
    let enough = |rating: f64| (log_chance(rating) > libm::log(TAIL)) == won;
    let ends = [-1e5, 1e5];
    if enough(ends[0]) || !enough(ends[1]) {
        return None;
    }
    // 200 halvings reach adjacent doubles.
    let [low, high] = bisect(ends, 200, |rating| !enough(rating));
    Some(f64::midpoint(low, high))
}
