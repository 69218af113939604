use proptest::prelude::*;

use super::*;
use crate::logistic::{elo_from_score, score_from_elo};
use crate::{Bound, Pentanomial, RandomNumbers, Trinomial, estimate};

mod advantage;
mod clusters;
mod many;
mod workers;

/// Creates clusters from pairs with known totals.
fn of_pairs(results: &[(usize, usize, [u64; 5])]) -> Vec<Cluster> {
    let pairing = |&(i, j, counts)| Pairing::of_pairs(i, j, Pentanomial(counts));
    let pairings: Vec<Pairing> = results.iter().map(pairing).collect();
    pairings.iter().flat_map(Pairing::clusters).collect()
}

fn rated(players: usize, results: &[(usize, usize, [u64; 5])]) -> Ratings {
    let clusters = of_pairs(results);
    let ratings = rate(players, &clusters, &RatingOptions::default()).expect("valid pairings");
    sane(&ratings);
    ratings
}

/// Checks properties that hold for any ratings.
fn sane(ratings: &Ratings) {
    let finite = |x: Option<f64>| x.is_none_or(f64::is_finite);
    for player in &ratings.players {
        assert!(finite(player.elo.value) && finite(player.elo.low) && finite(player.elo.high));
        assert!(finite(player.error) && player.error.is_none_or(|e| e >= 0.0));
        assert!(finite(player.score));
        // If all results are in one cluster, there is a value without an error.
        let is_told = ratings.groups[player.group].basis != Basis::OneCluster;
        assert_eq!(
            player.error.is_some(),
            player.elo.value.is_some() && is_told
        );
    }
    let count = ratings.players.len();
    assert_eq!(
        ratings
            .groups
            .iter()
            .map(|g| g.members.len())
            .sum::<usize>(),
        count
    );
    for (index, group) in ratings.groups.iter().enumerate() {
        let values: Vec<f64> = group
            .members
            .iter()
            .filter_map(|&i| ratings.players[i].elo.value)
            .collect();
        assert!(values.iter().sum::<f64>().abs() < 1e-6 * (1.0 + values.len() as f64));
        assert!(
            group
                .members
                .iter()
                .all(|&i| ratings.players[i].group == index)
        );
    }
    for i in 0..count {
        for j in 0..count {
            assert!(finite(ratings.covariance(i, j)));
            match (ratings.los(i, j), ratings.los(j, i)) {
                (Some(one), Some(two)) => assert!((one + two - 1.0).abs() < 1e-12),
                (None, None) => {}
                other => panic!("one-way LOS {other:?}"),
            }
        }
    }
    assert!(
        !serde_json::to_string(ratings)
            .expect("total")
            .contains("NaN")
    );
}

fn value(ratings: &Ratings, player: usize) -> f64 {
    ratings.players[player].elo.value.expect("rated")
}

const REFERENCE: [(usize, usize, [u64; 5]); 5] = [
    (0, 1, [3, 20, 45, 40, 12]),
    (0, 2, [1, 10, 30, 50, 29]),
    (0, 3, [0, 5, 20, 30, 65]),
    (1, 2, [5, 22, 40, 33, 10]),
    (2, 3, [8, 15, 30, 28, 9]),
];

/// mpmath 1.3 (`findroot` on the score equations, 30 digits), covariance by numpy 2 (`pinv(H) J
/// pinv(H)` over pairs); scipy 1.17 BFGS on the likelihood agrees to 1e-3.
#[test]
fn four_players_against_independent_computation() {
    let ratings = rated(4, &REFERENCE);
    assert_eq!(ratings.groups[0].basis, Basis::Customary);
    let elo = [
        113.446_596_759_192_02,
        28.611_941_566_386_41,
        -36.026_843_672_366_99,
        -106.031_694_653_211_45,
    ];
    let error = [
        7.864_269_924_867_176,
        9.675_649_804_504_268,
        8.137_249_606_621_966,
        11.608_067_327_333_236,
    ];
    for i in 0..4 {
        assert!((value(&ratings, i) - elo[i]).abs() < 1e-9);
        let player = &ratings.players[i];
        assert_eq!(player.standing, Standing::Rated);
        assert!((player.error.expect("rated") - error[i]).abs() < 1e-9);
        let low = player.elo.low.expect("rated");
        assert!((low - (elo[i] - Z95 * error[i])).abs() < 1e-8);
    }
    let gap = ratings.difference(1, 2);
    assert!((gap.value.expect("rated") - 64.638_785_238_753_4).abs() < 1e-9);
    let half = (gap.high.expect("rated") - gap.low.expect("rated")) / 2.0;
    assert!((half - Z95 * 13.745_269_528_808_6).abs() < 1e-8);
    assert!((ratings.los(1, 2).expect("rated") - 0.999_998_715_781_812_3).abs() < 1e-12);
    assert_eq!(ratings.los(1, 1), None);
}

#[test]
fn direction_order_and_splitting_of_pairings_do_not_matter() {
    let straight = rated(4, &REFERENCE);
    let mut turned: Vec<_> = REFERENCE
        .iter()
        .flat_map(|&(i, j, counts)| {
            let half = counts.map(|n| n / 2);
            let rest: [u64; 5] = std::array::from_fn(|k| counts[k] - half[k]);
            [(j, i, Pentanomial(half).mirror().0), (i, j, rest)]
        })
        .collect();
    turned.reverse();
    let other = rated(4, &turned);
    for i in 0..4 {
        assert!((value(&straight, i) - value(&other, i)).abs() < 1e-9);
        let (one, two) = (straight.players[i].error, other.players[i].error);
        assert!((one.expect("rated") - two.expect("rated")).abs() < 1e-9);
    }
}

#[test]
fn two_players_agree_with_the_two_player_estimate() {
    let mut dice = RandomNumbers::new(3, 0);
    for _ in 0..300 {
        let law = [0.05, 0.15, 0.35, 0.25, 0.2];
        let pairs = 1 + (dice.uniform() * 400.0) as u64;
        let counts = dice.match_of(&law, pairs);
        let alone = estimate(counts);
        let ratings = rated(2, &[(0, 1, counts.0)]);
        let gap = ratings.difference(0, 1);
        match (alone.elo.value, gap.value) {
            (Some(one), Some(two)) => assert!((one - two).abs() < 1e-9, "{counts:?}"),
            (one, two) => assert_eq!(one, two, "{counts:?}"),
        }
        // The customary error of the score, converted by the slope of the Elo function.
        if let Some(basis) = ratings.groups.first().map(|g| g.basis)
            && basis == Basis::Customary
            && let (Some(mean), Some(variance)) = (counts.mean(), counts.variance())
        {
            let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
            let half = Z95 * slope * (variance / counts.pairs() as f64).sqrt();
            let (low, high) = (gap.low.expect("rated"), gap.high.expect("rated"));
            assert!(((high - low) / 2.0 - half).abs() < 1e-9);
        }
    }
}

#[test]
fn unpaired_games_are_units_of_their_own() {
    let games = Trinomial {
        losses: 310,
        draws: 520,
        wins: 402,
    };
    let pairing = Pairing {
        first: 0,
        second: 1,
        results: games.into(),
    };
    let clusters: Vec<Cluster> = pairing.clusters().collect();
    let ratings = rate(2, &clusters, &RatingOptions::default()).expect("valid");
    let gap = ratings.difference(0, 1).value.expect("rated");
    assert!((gap - estimate(games).elo.value.expect("some")).abs() < 1e-9);
}

#[test]
fn winner_of_everything_gets_a_lower_limit() {
    // 1 and 2 are equal; 0 beat both ten times, 3 lost to 2 five times.
    let ratings = rated(
        5,
        &[
            (0, 1, [0, 0, 0, 0, 10]),
            (0, 2, [0, 0, 0, 0, 10]),
            (1, 2, [10, 20, 40, 20, 10]),
            (2, 3, [0, 0, 0, 0, 5]),
        ],
    );
    assert_eq!(ratings.groups[0].members, [1, 2]);
    let standing: Vec<_> = ratings.players.iter().map(|p| p.standing).collect();
    assert_eq!(
        standing,
        [
            Standing::WonAll,
            Standing::Rated,
            Standing::Rated,
            Standing::LostAll,
            Standing::NoGames
        ]
    );
    let top = ratings.players[0].elo;
    assert_eq!((top.value, top.high, top.bound), (None, None, Bound::Lower));
    // Both opponents at 0 Elo: the limit of twenty won pairs is the score with which twenty wins in
    // a row have probability 2.5 %.
    let limit = elo_from_score(libm::pow(0.025, 1.0 / 20.0)).expect("inside");
    assert!((top.low.expect("bounded") - limit).abs() < 1e-9);
    let bottom = ratings.players[3].elo;
    assert_eq!((bottom.value, bottom.bound), (None, Bound::Upper));
    let limit = -elo_from_score(libm::pow(0.025, 1.0 / 5.0)).expect("inside");
    assert!((bottom.high.expect("bounded") - limit).abs() < 1e-9);
    assert_eq!(ratings.players[4].elo, Ranged::NOTHING);
    assert_eq!(ratings.los(0, 1), None);
    assert_eq!(ratings.difference(0, 1), Ranged::NOTHING);
    assert_eq!(ratings.difference(0, 99), Ranged::NOTHING);
}

#[test]
fn groups_that_never_met_are_rated_apart() {
    let ratings = rated(
        5,
        &[
            (0, 1, [1, 2, 3, 4, 5]),
            (2, 3, [5, 4, 3, 2, 1]),
            (3, 4, [2, 2, 2, 2, 2]),
        ],
    );
    assert_eq!(ratings.groups[0].members, [2, 3, 4]);
    assert_eq!(ratings.groups[1].members, [0, 1]);
    assert_eq!(ratings.players[0].standing, Standing::Apart);
    assert!(
        ratings.players[0].elo.value.is_some(),
        "rated within its group"
    );
    assert_eq!(ratings.los(0, 2), None);
    assert!(ratings.los(0, 1).is_some());
}

#[test]
fn one_way_results_order_groups_without_a_number() {
    // {0,1} beat {2,3,4} without losing a point; 5 lost to 0 and beat none.
    let ratings = rated(
        7,
        &[
            (0, 1, [3, 3, 3, 3, 3]),
            (2, 3, [3, 3, 3, 3, 3]),
            (3, 4, [3, 3, 3, 3, 3]),
            (0, 2, [0, 0, 0, 0, 7]),
            (4, 5, [0, 0, 0, 0, 2]),
            (5, 6, [0, 0, 0, 0, 2]),
        ],
    );
    let standing: Vec<_> = ratings.players.iter().map(|p| p.standing).collect();
    assert_eq!(standing[..2], [Standing::Above; 2]);
    assert_eq!(standing[2..5], [Standing::Rated; 3]);
    assert_eq!(standing[5], Standing::Below);
    assert_eq!(standing[6], Standing::LostAll);
    assert_eq!(ratings.players[5].elo.bound, Bound::Upper);
    assert_eq!(ratings.players[6].elo.bound, Bound::Nothing);
}

#[test]
fn nothing_to_rate() {
    assert!(rated(0, &[]).players.is_empty());
    let alone = rated(1, &[]);
    assert_eq!(alone.players[0].standing, Standing::NoGames);
    assert_eq!(alone.groups[0].basis, Basis::NoResults);
    let sweep = rated(2, &[(0, 1, [0, 0, 0, 0, 3])]);
    assert_eq!(sweep.players[0].standing, Standing::WonAll);
    assert_eq!(sweep.players[1].standing, Standing::LostAll);
    assert_eq!(sweep.players[0].elo, Ranged::NOTHING);
}

#[test]
fn impossible_pairings_are_refused() {
    let options = RatingOptions::default();
    let of = |i, j| rate(2, &of_pairs(&[(i, j, [1, 0, 0, 0, 1])]), &options);
    let missing = RatingsError::NoSuchPlayer {
        player: 2,
        players: 2,
    };
    assert_eq!(of(0, 2).expect_err("no player 2"), missing);
    assert_eq!(
        of(1, 1).expect_err("itself"),
        RatingsError::AgainstItself(1)
    );
}

#[test]
fn all_level_pairs_leave_room_for_doubt() {
    let ratings = rated(2, &[(0, 1, [0, 0, 1000, 0, 0])]);
    let gap = ratings.difference(0, 1);
    assert!(gap.value.expect("rated").abs() < 1e-9);
    // The two-player estimate on pseudo-counts gives ± 1.33 Elo.
    let alone = estimate(Pentanomial([0, 0, 1000, 0, 0]))
        .elo
        .high
        .expect("bounded");
    let high = gap.high.expect("rated");
    assert!(
        alone > 1.3 && (high / alone - 1.0).abs() < 0.15,
        "{high} {alone}"
    );
}

/// Plays a pair of games with openings that favour the first or second mover by `bias` logits; a
/// third of the largest possible share is drawn.
fn biased_pair(dice: &mut RandomNumbers, gap: f64, bias: f64) -> usize {
    let lean = if dice.uniform() < 0.5 { bias } else { -bias };
    [lean, -lean]
        .into_iter()
        .map(|lean| {
            let win = score_from_elo(gap + lean);
            let draw = 4.0 * win * (1.0 - win) / 3.0;
            dice.outcome(&[1.0 - win - draw / 2.0, draw, win - draw / 2.0])
        })
        .sum()
}

/// Simulated tournaments: the reported errors against the observed spread, their intervals against
/// the nominal 95 %, the mean against the truth. `mean_score` converts the biased model to exact
/// Elo of the score.
#[test]
fn errors_match_simulated_tournaments() {
    let strength = [120.0, 40.0, 0.0, -50.0, -110.0];
    for bias in [0.0, 200.0] {
        let (spread, reported, covered) = simulate(&strength, bias, 40, 1500);
        for i in 0..strength.len() {
            let ratio = reported[i] / spread[i];
            assert!(
                (0.9..1.1).contains(&ratio),
                "bias {bias}, player {i}: {ratio}"
            );
        }
        println!("bias {bias}: observed {spread:.2?}, reported {reported:.2?}, {covered:.3}");
        assert!((0.93..0.97).contains(&covered), "bias {bias}: {covered}");
    }
}

/// Returns the empirical standard deviation and the root mean reported variance of each player's
/// rating, and the share of difference intervals that cover the long-run value.
fn simulate(strength: &[f64], bias: f64, pairs: u64, runs: u32) -> (Vec<f64>, Vec<f64>, f64) {
    let count = strength.len();
    let mut dice = RandomNumbers::new(11, 0);
    let tournament = |dice: &mut RandomNumbers, pairs: u64| {
        let mut results = Vec::new();
        for i in 0..count {
            for j in i + 1..count {
                let mut counts = Pentanomial::default();
                for _ in 0..pairs {
                    let cell = biased_pair(dice, strength[i] - strength[j], bias);
                    counts.record(cell).expect("two games");
                }
                results.push((i, j, counts.0));
            }
        }
        rated(count, &results)
    };
    // The result of fitting this file's model in the long run.
    let truth: Vec<f64> = {
        let long = tournament(&mut dice, 100_000);
        (0..count).map(|i| value(&long, i)).collect()
    };
    let (mut sum, mut squares, mut variance) =
        (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
    let (mut hits, mut tries) = (0, 0);
    for _ in 0..runs {
        let ratings = tournament(&mut dice, pairs);
        for i in 0..count {
            let off = value(&ratings, i) - truth[i];
            sum[i] += off;
            squares[i] += off * off;
            variance[i] += ratings.players[i].error.expect("rated").powi(2);
            for j in 0..i {
                let gap = ratings.difference(i, j);
                let real = truth[i] - truth[j];
                tries += 1;
                hits += u32::from(gap.low <= Some(real) && gap.high >= Some(real));
            }
        }
    }
    let runs = f64::from(runs);
    for (i, off) in sum.iter().map(|sum| sum / runs).enumerate() {
        assert!(off.abs() < 2.5, "bias of player {i}: {off}");
    }
    let spread = (0..count)
        .map(|i| (squares[i] / runs - (sum[i] / runs).powi(2)).sqrt())
        .collect();
    let reported = variance.iter().map(|v| (v / runs).sqrt()).collect();
    (spread, reported, f64::from(hits) / f64::from(tries))
}

#[test]
fn two_hundred_players() {
    let mut dice = RandomNumbers::new(5, 0);
    let strength: Vec<f64> = (0..200).map(|i| 4.0 * f64::from(i) - 398.0).collect();
    let mut results = Vec::new();
    for i in 0..200 {
        for step in 1..=10 {
            let j = (i + step * step) % 200;
            let win = score_from_elo(strength[i] - strength[j]);
            let law = crate::simulation::independent(win, 0.0);
            results.push((i, j, dice.match_of(&law, 20).0));
        }
    }
    let ratings = rated(200, &results);
    assert_eq!(ratings.groups.len(), 1);
    let off = (0..200)
        .filter(|&i| {
            (value(&ratings, i) - strength[i]).abs() > Z95 * ratings.players[i].error.unwrap()
        })
        .count();
    assert!(off <= 20, "{off} of 200 outside of their 95 % intervals");
}

/// A chain of one-sided results with a single draw in each link gives finite ratings that are far
/// apart.
#[test]
fn far_apart() {
    let links: Vec<_> = (0..9)
        .map(|i| (i, i + 1, [0, 0, 0, 1, 1_000_000]))
        .collect();
    let ratings = rated(10, &links);
    let step = elo_from_score(1.0 - 0.25 / 1_000_001.0).expect("inside");
    for i in 0..9 {
        let gap = value(&ratings, i) - value(&ratings, i + 1);
        assert!((gap - step).abs() < 1e-4, "{gap} {step}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn total_on_any_tournament(
        players in 2_usize..7,
        raw in prop::collection::vec(
            (0_usize..7, 0_usize..7, prop::array::uniform5((0_u32..80, any::<u64>())
                .prop_map(|(shift, n)| n.checked_shr(shift).unwrap_or(0)))),
            0..15,
        ),
    ) {
        let results: Vec<_> = raw
            .into_iter()
            .map(|(i, j, counts)| (i % players, j % players, counts))
            .filter(|(i, j, _)| i != j)
            .collect();
        rated(players, &results);
    }

    #[test]
    fn total_on_small_counts(
        results in prop::collection::vec(
            (0_usize..5, 0_usize..5, prop::array::uniform5(0_u64..2)), 0..12,
        ),
    ) {
        let results: Vec<_> = results.into_iter().filter(|(i, j, _)| i != j).collect();
        let ratings = rated(5, &results);
        // Small counts are far from the limits of double precision.
        for group in &ratings.groups {
            let fitted = group.basis != Basis::NoResults;
            prop_assert_eq!(fitted, group.members.len() > 1);
        }
    }
}
