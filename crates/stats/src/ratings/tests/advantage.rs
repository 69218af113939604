//! The advantage of the first move.

use super::*;

/// Rows of single games: first mover, second mover, wins, draws, losses.
pub(super) fn of_games(rows: &[(usize, usize, [u64; 3])]) -> Vec<Cluster> {
    let mut clusters = Vec::new();
    for &(first, second, counts) in rows {
        for (half_points, copies) in [2, 1, 0].into_iter().zip(counts) {
            clusters.push(Cluster {
                bouts: vec![Bout {
                    first,
                    second,
                    moved_first: true,
                    games: 1,
                    half_points,
                }],
                copies,
            });
        }
    }
    clusters
}

pub(super) const ROWS: [(usize, usize, [u64; 3]); 8] = [
    (0, 1, [30, 20, 10]),
    (1, 0, [20, 25, 15]),
    (0, 2, [40, 10, 5]),
    (2, 0, [12, 18, 25]),
    (1, 2, [22, 30, 8]),
    (2, 1, [9, 14, 7]),
    (3, 0, [6, 9, 30]),
    (2, 3, [25, 10, 11]),
];

pub(super) fn with(players: usize, clusters: &[Cluster], options: &RatingOptions) -> Ratings {
    let ratings = rate(players, clusters, options).expect("valid");
    if options.anchors.is_empty() {
        sane(&ratings);
    }
    ratings
}

fn near(got: Option<f64>, expected: f64, tolerance: f64) {
    let got = got.expect("a number");
    assert!((got - expected).abs() < tolerance, "{got} {expected}");
}

/// scipy 1.17: Nelder-Mead, then BFGS on the likelihood, polished by `root` on
/// the score equations; covariances by numpy's `pinv(H) J pinv(H)`, J over
/// single games.
#[test]
fn single_games_against_independent_computation() {
    let ratings = with(4, &of_games(&ROWS), &RatingOptions::default());
    let elo = [
        111.307_379_192_449_74,
        36.161_269_792_611_56,
        -32.175_712_410_732_16,
        -115.292_936_574_329_13,
    ];
    let error = [
        14.518_888_052_284_586,
        16.718_350_733_152_16,
        14.992_645_637_551_028,
        26.269_854_063_537_64,
    ];
    let model = [
        18.117_100_093_067_33,
        21.384_314_516_055_607,
        18.559_487_723_497_7,
        30.753_899_275_868_4,
    ];
    for i in 0..4 {
        near(ratings.players[i].elo.value, elo[i], 1e-8);
        near(ratings.players[i].error, error[i], 1e-8);
        near(ratings.players[i].model_error, model[i], 1e-8);
    }
    near(ratings.covariance(0, 3), -195.421_807_176_838_3, 1e-6);
    near(ratings.first_move.value, 59.047_753_949_993_364, 1e-8);
    near(ratings.first_move.error, 14.677_552_423_410_94, 1e-8);
    assert_eq!(ratings.first_move.basis, FirstMoveBasis::Estimated);
}

#[test]
fn a_given_advantage_and_none_against_independent_computation() {
    for (elo, ratings, errors) in [
        (
            0.0,
            [105.330_970_815_898_21, -121.573_926_812_552_37],
            [15.010_231_265_242_032, 26.969_654_256_745_958],
        ),
        (
            50.0,
            [110.004_351_105_658_73, -115.909_536_466_683_78],
            [14.354_090_209_513_934, 26.274_559_768_628_425],
        ),
    ] {
        let options = RatingOptions {
            first_move: FirstMove::Fixed(elo),
            ..RatingOptions::default()
        };
        let got = with(4, &of_games(&ROWS), &options);
        for (player, (rating, error)) in [0, 3].into_iter().zip(ratings.into_iter().zip(errors)) {
            near(got.players[player].elo.value, rating, 1e-8);
            near(got.players[player].error, error, 1e-8);
        }
        assert_eq!(got.first_move.value, Some(elo));
        assert_eq!(got.first_move.error, None);
    }
}

#[test]
fn an_anchor_has_its_rating_and_no_error() {
    let anchored = RatingOptions {
        anchors: &[(1, 2500.0)],
        ..RatingOptions::default()
    };
    let got = with(4, &of_games(&ROWS), &anchored);
    // The same computation as above, covariance A·C·Aᵀ, A = I - 1·eᵀ.
    let errors = [
        21.828_929_843_072_093,
        0.0,
        22.327_239_427_638_048,
        39.347_061_181_721_36,
    ];
    let free = with(4, &of_games(&ROWS), &RatingOptions::default());
    for (i, error) in errors.into_iter().enumerate() {
        near(got.players[i].error, error, 1e-8);
        let apart = free.difference(i, 1).value.expect("rated");
        near(got.players[i].elo.value, 2500.0 + apart, 1e-9);
        for j in 0..4 {
            let (one, two) = (got.difference(i, j), free.difference(i, j));
            near(one.low, two.low.expect("rated"), 1e-8);
            assert_eq!(got.los(i, j).is_some(), free.los(i, j).is_some());
        }
    }
    assert_eq!(got.players[1].elo.low, Some(2500.0));
    let nobody = RatingOptions {
        anchors: &[(4, 0.0)],
        ..RatingOptions::default()
    };
    let error = rate(5, &of_games(&ROWS), &nobody).expect_err("no games");
    assert_eq!(error, RatingsError::AnchorNotRated(4));
}

#[test]
fn the_order_of_rows_does_not_matter_and_turning_the_colours_turns_the_sign() {
    let straight = with(4, &of_games(&ROWS), &RatingOptions::default());
    let mut turned: Vec<_> = of_games(&ROWS);
    turned.reverse();
    let other = with(4, &turned, &RatingOptions::default());
    let swapped: Vec<_> = ROWS
        .iter()
        .map(|&(i, j, [w, d, l])| (j, i, [l, d, w]))
        .collect();
    let opposite = with(4, &of_games(&swapped), &RatingOptions::default());
    for i in 0..4 {
        let value = straight.players[i].elo.value.expect("rated");
        near(other.players[i].elo.value, value, 1e-9);
        near(opposite.players[i].elo.value, value, 1e-9);
        let error = straight.players[i].error.expect("rated");
        near(opposite.players[i].error, error, 1e-9);
    }
    let h = straight.first_move.value.expect("fitted");
    near(opposite.first_move.value, -h, 1e-9);
}

fn basis_of(rows: &[(usize, usize, [u64; 3])]) -> FirstMoveBasis {
    let ratings = with(4, &of_games(rows), &RatingOptions::default());
    let first_move = ratings.first_move;
    let fitted = first_move.basis == FirstMoveBasis::Estimated;
    assert_eq!(first_move.value.is_some(), fitted);
    assert_eq!(first_move.basis.note().is_empty(), fitted);
    first_move.basis
}

#[test]
fn an_unmeasured_advantage_is_left_out() {
    // One player always moves first; then each does once.
    assert_eq!(basis_of(&[(0, 1, [5, 1, 3])]), FirstMoveBasis::Confounded);
    assert_eq!(
        basis_of(&[(0, 1, [5, 1, 3]), (1, 0, [1, 0, 1])]),
        FirstMoveBasis::Estimated
    );
    // A chain of first movers, and the cycle that closes it.
    let chain = [(0, 1, [2, 1, 1]), (1, 2, [2, 1, 1])];
    assert_eq!(basis_of(&chain), FirstMoveBasis::Confounded);
    assert_eq!(
        basis_of(&[chain[0], chain[1], (2, 0, [2, 1, 1])]),
        FirstMoveBasis::Estimated
    );
    // The first mover always won; then always lost.
    assert_eq!(
        basis_of(&[(0, 1, [7, 0, 0]), (1, 0, [9, 0, 0])]),
        FirstMoveBasis::Boundless
    );
    assert_eq!(
        basis_of(&[(0, 1, [0, 0, 7]), (1, 0, [0, 0, 9])]),
        FirstMoveBasis::Boundless
    );
    assert_eq!(basis_of(&[(0, 1, [7, 0, 0])]), FirstMoveBasis::NoRatings);
    let totals = rated(2, &[(0, 1, [1, 2, 3, 4, 5])]);
    assert_eq!(totals.first_move.basis, FirstMoveBasis::Unknown);
}

/// Games with an advantage of 60 Elo: the interval covers it in 95 % of the tournaments, and
/// ratings keep their coverage.
#[test]
fn the_interval_of_the_advantage_covers() {
    let strength = [80.0, 0.0, -80.0];
    let (mut dice, runs) = (RandomNumbers::new(17, 0), 600);
    let (mut hits, mut rating_hits) = (0, 0);
    for _ in 0..runs {
        let mut rows = Vec::new();
        for (i, j) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let win = score_from_elo(strength[i] - strength[j] + 60.0);
            let draw = win.min(1.0 - win) * 0.6;
            let mut counts = [0; 3];
            for _ in 0..40 {
                counts[dice.outcome(&[win - draw / 2.0, draw, 1.0 - win - draw / 2.0])] += 1;
            }
            rows.push((i, j, counts));
        }
        let ratings = rate(3, &of_games(&rows), &RatingOptions::default()).expect("valid");
        let covers = |range: Ranged, truth| range.low <= Some(truth) && range.high >= Some(truth);
        hits += u32::from(covers(ratings.first_move.range, 60.0));
        rating_hits += u32::from(covers(ratings.difference(0, 2), 160.0));
    }
    for share in [hits, rating_hits].map(|n| f64::from(n) / f64::from(runs)) {
        // 0.95 within 2.7 standard errors of the simulation.
        assert!((0.926..0.974).contains(&share), "{share}");
    }
}

/// The scale depends on the mean of the anchors: errors from the unanchored covariances of players'
/// differences, computed independently.
#[test]
fn several_anchors_have_theirs_on_average() {
    let options = RatingOptions {
        anchors: &[(1, 2500.0), (3, 2700.0)],
        ..RatingOptions::default()
    };
    let got = with(4, &of_games(&ROWS), &options);
    let free = with(4, &of_games(&ROWS), &RatingOptions::default());
    let value = |ratings: &Ratings, i: usize| ratings.players[i].elo.value.expect("rated");
    near(
        Some(f64::midpoint(value(&got, 1), value(&got, 3))),
        2600.0,
        1e-9,
    );
    let covariance = |i: usize, j: usize| free.covariance(i, j).expect("rated");
    for i in 0..4 {
        let apart = value(&free, i) - f64::midpoint(value(&free, 1), value(&free, 3));
        near(Some(value(&got, i)), 2600.0 + apart, 1e-9);
        let weights: Vec<f64> = (0..4)
            .map(|j| f64::from(u8::from(i == j)) - if j == 1 || j == 3 { 0.5 } else { 0.0 })
            .collect();
        let terms = (0..4).flat_map(|j| (0..4).map(move |k| (j, k)));
        let variance: f64 = terms
            .map(|(j, k)| weights[j] * weights[k] * covariance(j, k))
            .sum();
        near(got.covariance(i, i), variance, 1e-8);
        near(got.players[i].error, variance.sqrt(), 1e-6);
        for j in 0..4 {
            near(
                got.difference(i, j).low,
                free.difference(i, j).low.expect("rated"),
                1e-8,
            );
        }
    }
}
