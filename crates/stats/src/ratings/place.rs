//! Limits for players outside the main group.

use std::collections::BTreeMap;

use super::evidence::{Cluster, Line, LineKey};
use super::graph::Scored;
use super::{OneSided, Ranged, Rating, Ratings, Standing};
use crate::bisection::bisect;
use crate::logistic::score_from_elo;

/// The probability of a one-sided limit: one side of a 95 % interval.
const TAIL: f64 = 0.025;

/// Returns the players' lines without ratings. `groups[0]` is the main group if it has two members
/// or more.
pub(super) fn unrated(
    players: usize,
    lines: &BTreeMap<LineKey, Line>,
    scored: &Scored,
    groups: &[Vec<usize>],
) -> Vec<Rating> {
    let mut points = vec![(0_u128, 0_u128); players];
    for (&(first, second, _), line) in lines {
        for (player, won, lost) in [(first, line.won, line.lost), (second, line.lost, line.won)] {
            points[player].0 = points[player].0.saturating_add(won);
            points[player].1 = points[player].1.saturating_add(lost);
        }
    }
    let main = groups.first().filter(|members| members.len() > 1);
    // The players that the main group scored against, and those that scored against it.
    let reached = main.map(|members| [scored, &scored.turned()].map(|it| it.reached(members[0])));
    let mut group_of = vec![0; players];
    for (number, members) in groups.iter().enumerate() {
        for &player in members {
            group_of[player] = number;
        }
    }
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

/// Computes the one-sided limits of single players outside a rated main group, and of each two
/// players of different groups that met. The ratings of the main group and the advantage are
/// treated as exact.
pub(super) fn limits(ratings: &mut Ratings, clusters: &[Cluster]) {
    let mut size = vec![0_usize; ratings.groups.len()];
    for player in &ratings.players {
        size[player.group] += 1;
    }
    let advantage = ratings.first_move.value.unwrap_or_default();
    let (mut alone, mut meetings) = (BTreeMap::new(), BTreeMap::new());
    for cluster in clusters.iter().filter(|cluster| cluster.copies > 0) {
        let copies = cluster.copies as f64;
        for bout in cluster.bouts.iter().filter(|bout| bout.games > 0) {
            let (one, two) = (bout.first, bout.second);
            let group = |player: usize| ratings.players[player].group;
            if group(one) == group(two) {
                continue;
            }
            let games = f64::from(bout.games);
            let ahead = if bout.moved_first { advantage } else { 0.0 };
            // Between groups one side won all games.
            let (winner, loser, ahead) = if bout.half_points > 0 {
                (one, two, ahead)
            } else {
                (two, one, -ahead)
            };
            push(
                &mut meetings,
                (winner, loser),
                cluster,
                copies,
                -ahead,
                games,
            );
            for (player, opponent, ahead) in [(winner, loser, ahead), (loser, winner, -ahead)] {
                let rating = ratings.players[opponent].elo.value;
                if let Some(elo) = rating
                    && group(opponent) == 0
                    && size[group(player)] == 1
                {
                    let key = (player, player == winner);
                    push(&mut alone, key, cluster, copies, elo - ahead, games);
                }
            }
        }
    }
    for ((player, won), sweeps) in alone {
        let limit = limit(&sweeps.1, won);
        let (low, high) = if won { (limit, None) } else { (None, limit) };
        ratings.players[player].elo = Ranged::new(None, low, high);
    }
    let one_sided = meetings.into_iter().map(|((above, below), (_, sweeps))| {
        let games = |sweep: &Sweep| sweep.copies * sweep.opponents.iter().map(|o| o.1).sum::<f64>();
        OneSided {
            above,
            below,
            games: sweeps.iter().map(games).sum::<f64>() as u64,
            at_least: limit(&sweeps, true),
        }
    });
    ratings.one_sided = one_sided.collect();
}

/// The sweeps of one key, and the cluster of the last one.
type Sweeps<'c> = (Option<&'c Cluster>, Vec<Sweep>);

/// Adds games to the sweep of their cluster.
fn push<'c, K: Ord>(
    sweeps: &mut BTreeMap<K, Sweeps<'c>>,
    key: K,
    cluster: &'c Cluster,
    copies: f64,
    opponent: f64,
    games: f64,
) {
    let (last, sweeps) = sweeps.entry(key).or_default();
    match sweeps.last_mut() {
        Some(sweep) if last.is_some_and(|last| std::ptr::eq(last, cluster)) => {
            sweep.opponents.push((opponent, games));
        }
        _ => sweeps.push(Sweep {
            copies,
            opponents: vec![(opponent, games)],
        }),
    }
    *last = Some(cluster);
}

/// Returns the rating at which the probability of winning (or losing) all clusters is at most 2.5
/// %.
///
/// The probability of winning every game of a cluster is at most its expected score E, for any
/// draws and any correlation of its games, and that of winning all clusters at most ΠE: the limit
/// solves Σ ln E = ln 0.025. For equal opponents this is the limit of Clopper and Pearson. `None`
/// outside ±100 000 Elo.
fn limit(sweeps: &[Sweep], won: bool) -> Option<f64> {
    let log_chance = |rating: f64| -> f64 {
        let of = |sweep: &Sweep| {
            let games: f64 = sweep.opponents.iter().map(|o| o.1).sum();
            let points = sweep.opponents.iter().map(|&(opponent, games)| {
                let ahead = rating - opponent;
                games * score_from_elo(if won { ahead } else { -ahead })
            });
            sweep.copies * (points.sum::<f64>() / games).ln()
        };
        sweeps.iter().map(of).sum()
    };
    // The probability rises with the rating if all games were won, and falls if all were lost.
    let enough = |rating: f64| (log_chance(rating) > TAIL.ln()) == won;
    let ends = [-1e5, 1e5];
    if enough(ends[0]) || !enough(ends[1]) {
        return None;
    }
    // 200 halvings reach adjacent doubles.
    let [low, high] = bisect(ends, 200, |rating| !enough(rating));
    Some(f64::midpoint(low, high))
}
