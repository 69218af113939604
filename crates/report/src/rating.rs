//! Ratings as data, from which the table and the JSON are made.

mod matrices;
mod meetings;
mod notes;
mod table;
mod text;

use std::cmp::Ordering;

use serde::Serialize;

pub use meetings::MeetingRow;
pub use table::{meetings_csv, ratings_csv};
pub use text::{render_ratings, render_ratings_markdown};

use leitai_runs::results::{ClusterBy, Counts, Evidence, Results};
use leitai_stats::logistic::elo_from_score;
use leitai_stats::{
    Basis, FirstMoveBasis, Ranged, Rating, Ratings, Resampled, Resamples, Standing,
};

/// Ratings with the data needed to judge them. Undefined numbers are `null`.
#[derive(Clone, Debug, Serialize)]
pub struct RatingList {
    /// The players by descending rating. Players without a rating come first, between the others or
    /// last, by their standing.
    pub ratings: Vec<RatingRow>,
    /// Advantage of the first move in Elo.
    pub first_advantage: Option<f64>,
    /// Standard error of the advantage, if fitted.
    pub first_advantage_se: Option<f64>,
    /// Lower 95 % limit of the advantage, if fitted.
    pub first_advantage_low: Option<f64>,
    /// Upper 95 % limit of the advantage, if fitted.
    pub first_advantage_high: Option<f64>,
    /// Source of the advantage.
    pub first_advantage_basis: FirstMoveBasis,
    /// Names of the rows and columns of the matrices: those of `ratings`.
    pub covariance_order: Vec<String>,
    /// Covariances of the ratings in Elo², `null` across components. Empty for more than 400
    /// players, like the next two matrices.
    pub covariance: Vec<Vec<Option<f64>>>,
    /// Standard errors of the differences of ratings.
    pub difference_se: Vec<Vec<Option<f64>>>,
    /// Probability that the row's player is stronger than the column's.
    pub los: Vec<Vec<Option<f64>>>,
    /// Groups of players whose ratings are comparable, the main one first.
    pub components: Vec<Vec<String>>,
    /// Meetings across components in which one side won every game.
    pub one_sided: Vec<OneSidedRow>,
    /// Results of every player against every opponent, both in the order of `ratings`, once
    /// [added](RatingList::add_meetings).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub head_to_head: Vec<MeetingRow>,
    /// The requested tables of the text.
    #[serde(skip)]
    pub tables: RatingTables,
    /// The anchor of the scale, if there is exactly one.
    pub anchor: Option<Anchor>,
    /// All anchors of the scale. Their mean rating is fixed to the mean of these values.
    pub anchors: Vec<Anchor>,
    /// Number of games.
    pub games: u64,
    /// Number of pairs among the games.
    pub pairs: u64,
    /// Games that belong to no pair.
    pub unpaired_games: u64,
    /// Number of different openings, if all are known.
    pub openings: Option<usize>,
    /// The criterion that puts results into one cluster.
    pub cluster: ClusterBy,
    /// Number of clusters.
    pub clusters: u64,
    /// Workers that count as clusters too; 0 unless several played with a time limit.
    pub workers: usize,
    /// The resampling, if any.
    pub bootstrap: Option<BootstrapRow>,
    /// Warnings about the reliability of the numbers.
    pub notes: Vec<String>,
}

/// The tables that the text has besides the ratings.
#[derive(Clone, Copy, Debug, Default)]
pub struct RatingTables {
    /// Points of every player against every other.
    pub cross_table: bool,
    /// A row for every player and opponent.
    pub head_to_head: bool,
    /// The matrix of the probabilities of superiority.
    pub los: bool,
}

/// One player.
#[derive(Clone, Debug, Serialize)]
pub struct RatingRow {
    /// The name.
    pub name: String,
    /// The rating: mean 0 over the player's component, or on the anchor's scale.
    pub elo: Option<f64>,
    /// Standard error of the rating: the limits are ± 1.96 of it; the anchor's is 0.
    pub se: Option<f64>,
    /// Lower 95 % limit.
    pub elo_low: Option<f64>,
    /// Upper 95 % limit.
    pub elo_high: Option<f64>,
    /// The standard error from the model alone.
    pub se_model: Option<f64>,
    /// Games played.
    pub games: u64,
    /// Probability that the player is stronger than the next of its component, 0 to 1.
    pub los_next: Option<f64>,
    /// Share of the points, 0 to 1.
    pub score: Option<f64>,
    /// Elo of that score, as in `leitai report`; `null` unless finite.
    pub performance: Option<f64>,
    /// Lower 95 % limit of `performance`; also `null` if some games are in pairs and others are
    /// not.
    pub performance_low: Option<f64>,
    /// Upper 95 % limit of `performance`.
    pub performance_high: Option<f64>,
    /// Games won; `null` if only the pair totals of some games are known.
    pub wins: Option<u64>,
    /// Games drawn; `null` as for `wins`.
    pub draws: Option<u64>,
    /// Games lost; `null` as for `wins`.
    pub losses: Option<u64>,
    /// Index of the player's component.
    pub component: usize,
    /// Relation to the main component.
    pub standing: Standing,
    /// The reason for a missing rating, or the basis of its interval.
    pub note: Option<String>,
    /// Standard deviation over the resamples.
    pub bootstrap_se: Option<f64>,
    /// Lower 95 % percentile limit of the resamples.
    pub bootstrap_low: Option<f64>,
    /// Upper 95 % percentile limit of the resamples.
    pub bootstrap_high: Option<f64>,
    /// Share of the resamples in which the player is first of its component.
    pub first_probability: Option<f64>,
}

/// Two players of different components with all games won by one side.
#[derive(Clone, Debug, Serialize)]
pub struct OneSidedRow {
    /// The player that won all games.
    pub above: String,
    /// The player that lost all games.
    pub below: String,
    /// Number of games.
    pub games: u64,
    /// Least Elo lead of `above` (97.5 %).
    pub elo_at_least: Option<f64>,
}

/// A player with a fixed rating.
#[derive(Clone, Debug, Serialize)]
pub struct Anchor {
    /// Name of the player.
    pub name: String,
    /// The fixed rating.
    pub elo: f64,
}

/// The settings and counts of a bootstrap.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BootstrapRow {
    /// Number of resamples drawn.
    pub resamples: u32,
    /// Seed of the resampling.
    pub seed: u64,
    /// Resamples that are left out because a player had no finite rating.
    pub without_ratings: u32,
    /// Standard deviation of the first move's advantage.
    pub first_advantage_se: Option<f64>,
}

impl RatingList {
    /// Lists `ratings`, which were computed from `evidence` of `results`, with the `resamples` and
    /// their seed.
    pub fn new(
        results: &Results,
        evidence: &Evidence,
        ratings: &Ratings,
        anchors: &[(usize, f64)],
        resamples: Option<(&Resamples, u64)>,
    ) -> Self {
        let names = results.players.all();
        let order = order(ratings);
        let counts = results.counts();
        let name = |player: usize| names[player].clone();
        let matrix = |cell: &dyn Fn(usize, usize) -> Option<f64>| -> Vec<Vec<Option<f64>>> {
            let row = |&i: &usize| order.iter().map(|&j| cell(i, j)).collect();
            let rows = order.iter().filter(|_| !ratings.is_approximate());
            rows.map(row).collect()
        };
        let mut place = vec![0; names.len()];
        for (at, &player) in order.iter().enumerate() {
            place[player] = at;
        }
        let components = ratings.groups.iter().map(|group| {
            let mut members = group.members.clone();
            members.sort_by_key(|&player| place[player]);
            members.into_iter().map(name).collect()
        });
        let first_move = &ratings.first_move;
        let one_sided = ratings.one_sided.iter().map(|sided| OneSidedRow {
            above: name(sided.above),
            below: name(sided.below),
            games: sided.games,
            elo_at_least: sided.at_least,
        });
        let in_pairs = evidence.pairs.saturating_mul(2);
        let row = |(&player, los_next): (&usize, Option<f64>)| {
            let score = evidence.scores.get(player).and_then(Option::as_ref);
            let performance = score.map(|score| score.elo);
            let spread = resamples.and_then(|(resamples, _)| resamples.players[player]);
            let rating = &ratings.players[player];
            let row = row(name(player), rating, counts[player], performance, spread);
            RatingRow {
                los_next,
                note: note(rating, ratings),
                ..row
            }
        };
        let rows = order.iter().zip(los_next(ratings, &order)).map(row);
        let anchors = anchors.iter().map(|&(player, elo)| Anchor {
            name: name(player),
            elo,
        });
        let anchors: Vec<Anchor> = anchors.collect();
        let mut list = Self {
            ratings: rows.collect(),
            first_advantage: first_move.value,
            first_advantage_se: first_move.error,
            first_advantage_low: first_move.range.low,
            first_advantage_high: first_move.range.high,
            first_advantage_basis: first_move.basis,
            covariance_order: order.iter().map(|&player| name(player)).collect(),
            covariance: matrix(&|i, j| ratings.covariance(i, j)),
            difference_se: matrix(&|i, j| ratings.difference_error(i, j)),
            los: matrix(&|i, j| ratings.los(i, j)),
            components: components.collect(),
            one_sided: one_sided.collect(),
            head_to_head: Vec::new(),
            tables: RatingTables::default(),
            anchor: anchors.first().filter(|_| anchors.len() == 1).cloned(),
            anchors,
            games: in_pairs.saturating_add(evidence.unpaired),
            pairs: evidence.pairs,
            unpaired_games: evidence.unpaired,
            openings: evidence.openings,
            cluster: evidence.by,
            clusters: evidence.units,
            workers: evidence.workers,
            bootstrap: resamples.map(|(resamples, seed)| BootstrapRow {
                resamples: resamples.drawn,
                seed,
                without_ratings: resamples.without_ratings,
                first_advantage_se: resamples.first_move.map(|spread| spread.error),
            }),
            notes: Vec::new(),
        };
        list.notes = list.gather_notes(results, evidence, ratings);
        list
    }
}

/// Returns the players by descending rating, ties in the order of the files. Players without a
/// rating are placed by their standing.
fn order(ratings: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.players.len()).collect();
    let class = |player: &Rating| match (player.elo.value, player.standing) {
        (Some(_), _) => 1,
        (None, Standing::WonAll | Standing::Above) => 0,
        (None, Standing::Rated | Standing::Apart) => 2,
        (None, Standing::LostAll | Standing::Below) => 3,
        (None, Standing::NoGames) => 4,
    };
    order.sort_by(|&i, &j| {
        let (one, two) = (&ratings.players[i], &ratings.players[j]);
        let by_value = match (one.elo.value, two.elo.value) {
            (Some(a), Some(b)) => b.total_cmp(&a),
            _ => Ordering::Equal,
        };
        class(one).cmp(&class(two)).then(by_value)
    });
    order
}

/// For each player in order, the probability that it is stronger than the next of its component.
fn los_next(ratings: &Ratings, order: &[usize]) -> Vec<Option<f64>> {
    let mut after = vec![None; ratings.groups.len()];
    let los = order.iter().rev().map(|&player| {
        let next = after[ratings.players[player].group].replace(player);
        next.and_then(|next| ratings.los(player, next))
    });
    let mut los: Vec<_> = los.collect();
    los.reverse();
    los
}

/// A row without its note and its comparison with the next player.
fn row(
    name: String,
    rating: &Rating,
    counts: Counts,
    performance: Option<Ranged>,
    spread: Option<Resampled>,
) -> RatingRow {
    let known = |count: u64| (counts.totals.pairs() == 0).then_some(count);
    RatingRow {
        name,
        elo: rating.elo.value,
        se: rating.error,
        elo_low: rating.elo.low,
        elo_high: rating.elo.high,
        se_model: rating.model_error,
        games: rating.games,
        los_next: None,
        score: rating.score,
        performance: performance
            .and_then(|elo| elo.value)
            .or_else(|| rating.score.and_then(elo_from_score)),
        performance_low: performance.and_then(|elo| elo.low),
        performance_high: performance.and_then(|elo| elo.high),
        wins: known(counts.games.wins),
        draws: known(counts.games.draws),
        losses: known(counts.games.losses),
        component: rating.group,
        standing: rating.standing,
        note: None,
        bootstrap_se: spread.map(|spread| spread.error),
        bootstrap_low: spread.map(|spread| spread.low),
        bootstrap_high: spread.map(|spread| spread.high),
        first_probability: spread.map(|spread| spread.first),
    }
}

fn note(rating: &Rating, ratings: &Ratings) -> Option<String> {
    if rating.elo.value.is_some() {
        return match ratings.groups[rating.group].basis {
            _ if ratings.is_approximate() => None,
            Basis::FewResults => Some("few results: Student's intervals".to_owned()),
            Basis::Skewed => Some("rare results decide: wider intervals".to_owned()),
            _ => None,
        };
    }
    let reason = match rating.standing {
        Standing::WonAll => "won every game: no finite rating fits",
        Standing::LostAll => "lost every game: no finite rating fits",
        Standing::Above => "has lost no point to the main component: no finite rating fits",
        Standing::Below => "has won no point from the main component: no finite rating fits",
        Standing::Apart => "no results connect it with the main component",
        Standing::NoGames => "has played no game",
        Standing::Rated => "its scores are too close to 0 or 100 % for a number",
    };
    Some(reason.to_owned())
}
