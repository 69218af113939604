//! What can be said of players outside of the main group.

use super::graph::Reach;
use super::{Bound, Field, Ranged, Rating, Ratings, Standing};
use crate::stats::estimate;
use crate::stats::logistic::score_from_elo;
use crate::stats::multinomial::Multinomial;

/// Lines with everything but ratings. `groups[0]` is the main group if it has
/// two members or more.
pub(super) fn unrated(field: &Field, reach: &Reach, groups: &[Vec<usize>]) -> Vec<Rating> {
    (0..field.players)
        .map(|player| {
            let (mut games, mut won, mut lost) = (0_u64, 0.0, 0.0);
            for tie in field.ties_of(player) {
                games = games.saturating_add(tie.results.games());
                let per_unit = tie.results.games_per_unit() as f64;
                for (score, n) in tie.results.cells() {
                    won += score * n * per_unit;
                    lost += (1.0 - score) * n * per_unit;
                }
            }
            let group = groups
                .iter()
                .position(|members| members.binary_search(&player).is_ok())
                .unwrap_or_default();
            let main = groups.first().filter(|members| members.len() > 1);
            let standing = if games == 0 {
                Standing::NoGames
            } else if main.is_some() && group == 0 {
                Standing::Rated
            } else if lost == 0.0 {
                Standing::WonAll
            } else if won == 0.0 {
                Standing::LostAll
            } else {
                main.map_or(Standing::Apart, |members| {
                    match (
                        reach.reaches(player, members[0]),
                        reach.reaches(members[0], player),
                    ) {
                        (true, _) => Standing::Above,
                        (_, true) => Standing::Below,
                        _ => Standing::Apart,
                    }
                })
            };
            Rating {
                games,
                score: (games > 0).then(|| won / (won + lost)),
                group,
                standing,
                elo: Ranged::NOTHING,
                error: None,
            }
        })
        .collect()
}

/// Gives the single players outside of a fitted main group their one-sided
/// limits. The main group's ratings are taken as exact.
pub(super) fn limits(ratings: &mut Ratings, field: &Field, members: &[usize]) {
    for player in 0..field.players {
        if ratings.players[player].group == 0 || has_company(ratings, player) {
            continue;
        }
        // Rating and games of each opponent in the group, and all the results
        // together. They are all wins or all losses: with anything between,
        // the player would be a member. The score interval of such results
        // depends on the number of units alone, games or pairs.
        let (mut opponents, mut together) = (Vec::new(), [0_u64; 5]);
        for tie in field.ties_of(player) {
            if members.binary_search(&tie.opponent).is_err() || tie.results.is_empty() {
                continue;
            }
            if let Some(elo) = ratings.players[tie.opponent].elo.value {
                opponents.push((elo, tie.results.games() as f64));
                let end = if tie.scored {
                    &mut together[4]
                } else {
                    &mut together[0]
                };
                *end = end.saturating_add(tie.results.units());
            }
        }
        let score = estimate(Multinomial::new(together)).score;
        let target = if together[4] > 0 {
            score.low
        } else {
            score.high
        };
        let limit = target.and_then(|target| rating_for(&opponents, target));
        let (low, high) = if together[4] > 0 {
            (limit, None)
        } else {
            (None, limit)
        };
        ratings.players[player].elo = Ranged::new(None, low, high);
        debug_assert_ne!(ratings.players[player].elo.bound, Bound::Both);
    }
}

fn has_company(ratings: &Ratings, player: usize) -> bool {
    let group = ratings.players[player].group;
    ratings
        .players
        .iter()
        .filter(|other| other.group == group)
        .count()
        > 1
}

/// The rating at which the expected score against opponents (rating, games)
/// is `target`; `None` without opponents or outside of what ±100 000 Elo give.
fn rating_for(opponents: &[(f64, f64)], target: f64) -> Option<f64> {
    let games: f64 = opponents.iter().map(|o| o.1).sum();
    let expected = |rating: f64| {
        let points: f64 = opponents
            .iter()
            .map(|(elo, n)| n * score_from_elo(rating - elo))
            .sum();
        points / games
    };
    let (mut low, mut high) = (-1e5, 1e5);
    if !(expected(low) < target && target < expected(high)) {
        return None;
    }
    // Rising in the rating: 200 halvings reach adjacent doubles.
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if expected(middle) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(f64::midpoint(low, high))
}
