//! Correlated games, and the results of resampling them.

use std::num::NonZeroUsize;

use super::advantage::{ROWS, of_games, with};
use super::*;

/// A pair with two known games: half points of the first mover.
pub(super) fn pair(i: usize, j: usize, one: u32, two: u32, copies: u64) -> Cluster {
    let bout = |first, second, half_points| Bout {
        first,
        second,
        moved_first: true,
        games: 1,
        half_points,
    };
    Cluster {
        bouts: vec![bout(i, j, one), bout(j, i, two)],
        copies,
    }
}

fn nine_outcomes() -> Vec<Cluster> {
    let mut clusters = Vec::new();
    for (q, (i, j)) in (0_u64..).zip([(0, 1), (0, 2), (1, 2)]) {
        for a in 0..3_u64 {
            for b in 0..3_u64 {
                let copies = (7 * q + 5 * a * b + 3 * a + 2 * b + 11 * (2 - b) * (q + 1)) % 23 + 1;
                clusters.push(pair(i, j, a as u32, b as u32, copies));
            }
        }
    }
    clusters
}

/// By the same scipy computation as for single games, J over pairs.
#[test]
fn pairs_with_colours_against_independent_computation() {
    let ratings = with(3, &nine_outcomes(), &RatingOptions::default());
    let elo = [
        -11.134_774_856_436_968,
        19.690_749_958_245_09,
        -8.555_975_101_808_123,
    ];
    let error = [
        8.760_963_582_495_02,
        8.081_697_972_036_423,
        9.574_682_452_252_484,
    ];
    for i in 0..3 {
        assert!((value(&ratings, i) - elo[i]).abs() < 1e-8);
        assert!((ratings.players[i].error.expect("rated") - error[i]).abs() < 1e-8);
    }
    let h = ratings.first_move;
    assert!((h.value.expect("fitted") - 6.529_388_857_482_337_5).abs() < 1e-8);
    assert!((h.error.expect("fitted") - 11.616_143_554_511_657).abs() < 1e-8);
    let gap = ratings.difference_error(0, 2).expect("rated");
    assert!((gap - 16.478_598_599_375_3).abs() < 1e-8);
}

#[test]
fn many_copies_are_many_clusters() {
    let clusters = nine_outcomes();
    let apart: Vec<Cluster> = clusters
        .iter()
        .flat_map(|cluster| {
            let one = Cluster {
                copies: 1,
                ..cluster.clone()
            };
            vec![one; cluster.copies as usize]
        })
        .collect();
    let (one, two) = (
        with(3, &clusters, &RatingOptions::default()),
        with(3, &apart, &RatingOptions::default()),
    );
    for i in 0..3 {
        assert!((value(&one, i) - value(&two, i)).abs() < 1e-9);
        let errors = [&one, &two].map(|r| r.players[i].error.expect("rated"));
        assert!((errors[0] - errors[1]).abs() < 1e-9);
    }
}

/// Repeating the same games in one cluster adds no evidence; as separate clusters they would seem
/// to add some.
#[test]
fn copies_within_a_cluster_do_not_make_errors_smaller() {
    let clusters = nine_outcomes();
    let doubled: Vec<Cluster> = clusters
        .iter()
        .map(|cluster| Cluster {
            bouts: [cluster.bouts.clone(), cluster.bouts.clone()].concat(),
            copies: cluster.copies,
        })
        .collect();
    let once = with(3, &clusters, &RatingOptions::default());
    let twice = with(3, &doubled, &RatingOptions::default());
    for i in 0..3 {
        assert!((value(&once, i) - value(&twice, i)).abs() < 1e-8);
        let [one, two] = [&once, &twice].map(|r| r.players[i].error.expect("rated"));
        // A repeated pair is no single pair: Student's factor, for 300 clusters.
        assert!((two / one - 1.0).abs() < 0.02, "{one} {two}");
        let model = [&once, &twice].map(|r| r.players[i].model_error.expect("rated"));
        assert!((model[0] / model[1] - 2_f64.sqrt()).abs() < 1e-6);
    }
}

/// Rounds of a cycle of three from one opening that may suit player 0: the error of opening
/// clusters is right, that of pairs too small.
#[test]
fn openings_that_suit_a_player_need_opening_clusters() {
    let (mut dice, runs, openings) = (RandomNumbers::new(29, 0), 300, 80);
    let mut hits = [0_u32; 2];
    for _ in 0..runs {
        let (mut by_opening, mut by_pair) = (Vec::new(), Vec::new());
        for _ in 0..openings {
            let suits = if dice.uniform() < 0.5 { 400.0 } else { -400.0 };
            let mut bouts = Vec::new();
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                let gap = if i == 0 { suits } else { 0.0 };
                let one = dice.uniform() < score_from_elo(gap);
                let two = dice.uniform() < score_from_elo(-gap);
                let both = pair(i, j, 2 * u32::from(one), 2 * u32::from(two), 1);
                bouts.extend_from_slice(&both.bouts);
                by_pair.push(both);
            }
            by_opening.push(Cluster { bouts, copies: 1 });
        }
        for (clusters, hits) in [by_opening, by_pair].iter().zip(&mut hits) {
            let ratings = rate(3, clusters, &RatingOptions::default()).expect("valid");
            let elo = ratings.players[0].elo;
            *hits += u32::from(elo.low <= Some(0.0) && elo.high >= Some(0.0));
        }
    }
    let [right, wrong] = hits.map(|n| f64::from(n) / f64::from(runs));
    assert!((0.91..=0.98).contains(&right), "{right}");
    assert!(wrong < right - 0.03, "{wrong} {right}");
}

fn resampled(
    clusters: &[Cluster],
    players: usize,
    options: &RatingOptions<'_>,
    n: u32,
) -> Resamples {
    resampled_on(1, clusters, players, options, n)
}

fn resampled_on(
    threads: usize,
    clusters: &[Cluster],
    players: usize,
    options: &RatingOptions<'_>,
    n: u32,
) -> Resamples {
    let threads = NonZeroUsize::new(threads).expect("a thread");
    let mut dice = RandomNumbers::new(41, 0);
    let draw = |bound: u64| (dice.uniform() * bound as f64) as u64;
    resample(players, clusters, options, n, draw, threads).expect("valid")
}

#[test]
fn resampling_agrees_with_the_sandwich() {
    for (players, clusters) in [(4, of_games(&ROWS)), (3, nine_outcomes())] {
        let options = RatingOptions::default();
        let ratings = with(players, &clusters, &options);
        let got = resampled(&clusters, players, &options, 1500);
        assert_eq!((got.drawn, got.without_ratings), (1500, 0));
        let mut first = 0.0;
        for (player, said) in ratings.players.iter().zip(&got.players) {
            let said = said.expect("rated");
            let ratio = said.error / player.error.expect("rated");
            assert!((0.9..1.1).contains(&ratio), "{ratio}");
            let value = player.elo.value.expect("rated");
            assert!(said.low < value && value < said.high);
            let (half, other) = ((said.high - said.low) / 2.0, Z95 * said.error);
            assert!((half / other - 1.0).abs() < 0.15, "{half} {other}");
            first += said.first;
        }
        assert!((first - 1.0).abs() < 1e-9);
        let h = got.first_move.expect("fitted");
        let ratio = h.error / ratings.first_move.error.expect("fitted");
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
        let again = resampled_on(3, &clusters, players, &options, 1500);
        assert_eq!(got, again, "the threads make no difference");
    }
}

#[test]
fn resamples_keep_the_anchor_and_know_their_limits() {
    let options = RatingOptions {
        anchors: &[(2, 100.0)],
        ..RatingOptions::default()
    };
    let got = resampled(&of_games(&ROWS), 4, &options, 50);
    let anchor = got.players[2].expect("rated");
    assert!(anchor.error < 1e-9 && (anchor.low - 100.0).abs() < 1e-9);
    // One draw among wins: a third of the resamples do not contain it.
    let rare = of_pairs(&[(0, 1, [0, 0, 0, 1, 50])]);
    let got = resampled(&rare, 2, &RatingOptions::default(), 200);
    assert!((40..110).contains(&got.without_ratings), "{got:?}");
    assert_eq!(got.players, [None, None]);
    let few = of_pairs(&[(0, 1, [0, 1, 2, 1, 1])]);
    let got = resampled(&few, 2, &RatingOptions::default(), 20);
    assert_eq!(got.players, [None, None]);
}

#[test]
fn groups_listed_out_of_order_are_resampled_alike() {
    // The main group has the higher indices, so that indices change.
    let clusters = of_pairs(&[
        (4, 2, [2, 5, 9, 6, 3]),
        (3, 4, [2, 4, 9, 6, 6]),
        (1, 0, [3, 5, 9, 5, 9]),
    ]);
    let ratings = with(5, &clusters, &RatingOptions::default());
    let got = resampled(&clusters, 5, &RatingOptions::default(), 800);
    for (player, said) in ratings.players.iter().zip(&got.players) {
        let said = said.expect("rated");
        let (value, error) = (player.elo.value.expect("rated"), player.error);
        assert!(said.low < value && value < said.high);
        assert!((said.error / error.expect("rated") - 1.0).abs() < 0.12);
    }
}

#[test]
fn meetings_across_groups_have_a_limit_each() {
    let sweep = with(
        3,
        &of_games(&[(0, 1, [6, 0, 0]), (1, 2, [3, 0, 0])]),
        &RatingOptions::default(),
    );
    assert!(sweep.players.iter().all(|p| p.elo == Ranged::NOTHING));
    let limits: Vec<_> = sweep
        .one_sided
        .iter()
        .map(|s| (s.above, s.below, s.games))
        .collect();
    assert_eq!(limits, [(0, 1, 6), (1, 2, 3)]);
    // Clopper and Pearson's lower limit of six wins in six games: 0.025^(1/6).
    let limit = elo_from_score(libm::pow(0.025, 1.0 / 6.0)).expect("inside");
    assert!((sweep.one_sided[0].at_least.expect("bounded") - limit).abs() < 1e-9);
}

#[test]
fn impossible_bouts_are_refused() {
    let mut wrong = pair(0, 1, 1, 1, 1);
    wrong.bouts[0].half_points = 3;
    let error = rate(2, &[wrong], &RatingOptions::default()).expect_err("three of two");
    let expected = RatingsError::TooManyPoints {
        half_points: 3,
        games: 1,
    };
    assert_eq!(error, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn total_on_any_clusters(
        raw in prop::collection::vec(
            (prop::collection::vec((0_usize..5, 0_usize..5, any::<bool>(), 0_u32..4, 0_u32..9), 0..4),
             (0_u32..64, any::<u64>())),
            0..12,
        ),
        fixed in prop::option::of(-1e4_f64..1e4),
        resamples in 0_u32..4,
    ) {
        let clusters: Vec<Cluster> = raw.into_iter().map(|(bouts, (shift, copies))| Cluster {
            bouts: bouts.into_iter().filter(|b| b.0 != b.1)
                .map(|(first, second, moved_first, games, points)| Bout {
                    first, second, moved_first, games, half_points: points.min(2 * games),
                }).collect(),
            copies: copies >> shift,
        }).collect();
        let options = RatingOptions {
            first_move: fixed.map_or(FirstMove::Estimate, FirstMove::Fixed),
            ..RatingOptions::default()
        };
        let ratings = rate(5, &clusters, &options).expect("valid");
        sane(&ratings);
        prop_assert!(ratings.first_move.value.is_none_or(f64::is_finite));
        for sided in &ratings.one_sided {
            prop_assert!(sided.at_least.is_none_or(f64::is_finite));
        }
        let units: u128 = clusters.iter().map(|c| u128::from(c.copies)).sum();
        if units < 3000 {
            let got = resampled(&clusters, 5, &options, resamples);
            for said in got.players.iter().flatten() {
                prop_assert!(said.error.is_finite() && said.low.is_finite() && said.high.is_finite());
            }
        }
    }
}
