//! Results of one player against another.

use serde::Serialize;

use super::{RatingList, order};
use leitai_runs::results::{Counts, Results};
use leitai_stats::Ratings;

/// All games of a player against one opponent.
#[derive(Clone, Debug, Serialize)]
pub struct MeetingRow {
    /// The player.
    pub name: String,
    /// The opponent.
    pub against: String,
    /// Number of games.
    pub games: u64,
    /// Games won; `null` if only the pair totals of some games are known.
    pub wins: Option<u64>,
    /// Games drawn; `null` as for `wins`.
    pub draws: Option<u64>,
    /// Games lost; `null` as for `wins`.
    pub losses: Option<u64>,
    /// Points won: a draw is half a point.
    pub points: f64,
    /// Share of the points, 0 to 1.
    pub score: f64,
    /// Rating of the player less that of the opponent; `null` across components.
    pub difference: Option<f64>,
    /// Lower 95 % limit of the difference.
    pub difference_low: Option<f64>,
    /// Upper 95 % limit of the difference.
    pub difference_high: Option<f64>,
    /// Probability that the player is stronger than the opponent.
    pub los: Option<f64>,
    /// Positions of both in the list.
    #[serde(skip)]
    pub(super) places: [usize; 2],
}

impl RatingList {
    /// Adds the results of every player against every opponent.
    pub fn add_meetings(&mut self, results: &Results, ratings: &Ratings) {
        let names = results.players.all();
        let mut places = vec![0; names.len()];
        for (place, player) in order(ratings).into_iter().enumerate() {
            places[player] = place;
        }
        let row = |[one, two]: [usize; 2], counts: Counts| {
            let [games, half_points] = counts.games_and_half_points();
            let points = half_points as f64 / 2.0;
            let known = |count: u64| (counts.totals.pairs() == 0).then_some(count);
            let difference = ratings.difference(one, two);
            MeetingRow {
                name: names[one].clone(),
                against: names[two].clone(),
                games,
                points,
                wins: known(counts.games.wins),
                draws: known(counts.games.draws),
                losses: known(counts.games.losses),
                score: points / games as f64,
                difference: difference.value,
                difference_low: difference.low,
                difference_high: difference.high,
                los: ratings.los(one, two),
                places: [places[one], places[two]],
            }
        };
        let meetings = results.meetings().into_iter();
        let rows = meetings.flat_map(|([one, two], counts)| {
            [row([one, two], counts), row([two, one], counts.mirror())]
        });
        self.head_to_head = rows.filter(|row| row.games > 0).collect();
        self.head_to_head.sort_by_key(|row| row.places);
    }
}
