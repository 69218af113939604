use std::ops::Range;

use super::*;
use crate::logistic::score_from_elo;

/// First of the seeds that were not used for any choice.
const FRESH: u64 = 500_000;

/// Tunes one surface for each seed. The same seeds give the same surfaces for all algorithms.
fn simulate(
    method: &Method,
    space: &Space,
    benchmark: &Benchmark,
    seeds: Range<u64>,
) -> Result<Simulated, BadBenchmark> {
    let outcomes = Outcomes::new(benchmark.draw_rate, benchmark.opening_bias)?;
    let runs = seeds.map(|seed| run(method, space, benchmark, &outcomes, seed));
    Ok(Simulated::new(runs.collect::<Result<_, _>>()?))
}

fn left(method: &Method, n: usize, benchmark: &Benchmark, seeds: u64) -> f64 {
    let space = standard_space(n).expect("a space");
    let simulated = simulate(method, &space, benchmark, FRESH..FRESH + seeds);
    simulated.expect("a benchmark").mean.expect("seeds")
}

/// The requirements for the default tuner, with tolerance because there are few seeds.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn the_default_leaves_little() {
    for (n, games, seeds, most) in [
        (7, 20_000, 12, 0.38),
        (7, 100_000, 4, 0.16),
        (30, 20_000, 8, 3.6),
        (30, 100_000, 2, 1.2),
    ] {
        let left = left(&Method::default(), n, &Benchmark::usual(games), seeds);
        assert!(left < most, "{n} parameters, {games} games: {left}");
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn forecasts_come_true() {
    let usual = Benchmark::usual(20_000);
    for n in [4, 12] {
        let forecast = crate::tune::Forecast::usual(n, 20_000.0);
        let ratio = left(&Method::default(), n, &usual, 10) / forecast.posterior();
        assert!((0.6..2.6).contains(&ratio), "{n}: {ratio}");
        let ratio = left(&Method::averaged_spsa(), n, &usual, 10) / forecast.best_rate().1;
        assert!((0.5..2.0).contains(&ratio), "{n}: {ratio}");
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn other_surfaces_are_climbed_too() {
    let usual = Benchmark::usual(20_000);
    for (benchmark, most) in [
        (
            Benchmark {
                condition: 100.0,
                ..usual
            },
            1.2,
        ),
        (
            Benchmark {
                shape: Shape::Rotated,
                ..usual
            },
            0.8,
        ),
        (
            Benchmark {
                shape: Shape::PseudoHuber,
                ..usual
            },
            1.0,
        ),
        (
            Benchmark {
                distance: 0.3,
                start_loss: 9.0,
                ..usual
            },
            0.4,
        ),
    ] {
        let left = left(&Method::default(), 7, &benchmark, 8);
        assert!(left < most, "{benchmark:?}: {left}");
    }
}

#[test]
fn spsa_and_the_hill_climber_gain() {
    let usual = Benchmark::usual(20_000);
    let spsa = left(&Method::averaged_spsa(), 7, &usual, 8);
    assert!(spsa < 0.8, "{spsa}");
    let hill = left(&Method::hill_climb(), 7, &usual, 8);
    assert!(hill < 1.5, "{hill}");
    // With c_end a twentieth of the range, little moves in so short a run.
    let fishtest = left(&Method::fishtest(), 7, &usual, 8);
    assert!((1.0..40.0).contains(&fishtest), "{fishtest}");
}

#[test]
fn integers_are_tuned_like_real_numbers() {
    let whole = |i: usize| Dimension {
        name: format!("x{i}"),
        min: -12.0,
        max: 12.0,
        start: 0.0,
        step: 4.0,
        kind: Kind::Integer,
    };
    let space = Space::new((0..7).map(whole).collect()).expect("a space");
    let benchmark = Benchmark::usual(20_000);
    let simulated = simulate(&Method::default(), &space, &benchmark, FRESH..FRESH + 8);
    let left = simulated.expect("a benchmark").mean.expect("seeds");
    // Rounding to quarters of a step costs h/192 per coordinate: half an Elo.
    assert!(left < 1.2, "{left}");
}

#[test]
fn measured_perturbations_have_the_expected_cost() {
    // Ten times 100 Elo per step: the calibration must shorten the perturbations.
    let space = standard_space(10).expect("a space");
    let method = Method::Regression {
        perturbation: crate::tune::Perturbation::Measured { handicap: 30.0 },
        no_effect: crate::tune::NoEffect::Keep,
    };
    let benchmark = Benchmark {
        distance: 0.3,
        ..Benchmark::usual(20_000)
    };
    let simulated = simulate(&method, &space, &benchmark, FRESH..FRESH + 4);
    let left = simulated.expect("a benchmark").mean.expect("seeds");
    assert!(left < 2.5, "{left}");
}

/// Steps three times too short: the tuner reaches the optimum, near which there is no slope any
/// more.
#[test]
fn a_way_to_the_optimum_is_an_effect() {
    let usual = standard_space(7).expect("a space");
    let wide = usual.dimensions().iter().map(|dimension| Dimension {
        min: -12.0,
        max: 12.0,
        ..dimension.clone()
    });
    let space = Space::new(wide.collect()).expect("a space");
    let benchmark = Benchmark {
        distance: 3.0,
        ..Benchmark::usual(20_000)
    };
    // With only the games near the optimum, 86 and 48 Elo.
    for seed in [4_000_017, 4_000_024] {
        let simulated = simulate(&Method::default(), &space, &benchmark, seed..seed + 1);
        let left = simulated.expect("a benchmark").mean.expect("a seed");
        assert!(left < 40.0, "{seed}: {left}");
    }
}

#[test]
fn same_seed_same_answer() {
    let space = standard_space(3).expect("a space");
    let run = |first: u64| {
        let benchmark = Benchmark::usual(2_000);
        simulate(&Method::default(), &space, &benchmark, first..first + 2).expect("a benchmark")
    };
    assert_eq!(run(1), run(1));
    assert_eq!(run(1).left[1].to_bits(), run(2).left[0].to_bits());
    assert_ne!(run(1).left[0].to_bits(), run(2).left[0].to_bits());
}

#[test]
fn surfaces_have_their_expected_loss() {
    for shape in [Shape::Quadratic, Shape::Rotated, Shape::PseudoHuber] {
        let benchmark = Benchmark {
            shape,
            ..Benchmark::usual(0)
        };
        for seed in 0..5 {
            let surface = Surface::draw(&benchmark, 6, seed).expect("a surface");
            assert!((surface.loss(&[0.0; 6]) - 100.0).abs() < 1e-9);
            // Along any line at most as steep as a parabola.
            let [a, b, c] = [-0.1, 0.0, 0.1].map(|x| surface.loss(&[x; 6]));
            assert!(a + c - 2.0 * b > 0.0, "convex");
        }
    }
    let bad = Benchmark {
        condition: 0.5,
        ..Benchmark::usual(0)
    };
    let message = Surface::draw(&bad, 2, 0).expect_err("refused").to_string();
    assert!(message.contains("condition number"), "{message}");
}

#[test]
fn results_have_their_score() {
    let outcomes = Outcomes::new(0.4, 60.0).expect("laws");
    for elo in [-301.0, 0.0, 57.0, 2000.0] {
        let mut random = Purpose::Result.random(7, 0);
        let result = outcomes.draw(elo, 40_000, &mut random);
        let want = score_from_elo(elo.min(1000.0));
        let got = result.mean().expect("pairs");
        assert!((got - want).abs() < 0.006, "{elo}: {got}");
        if elo == 0.0 {
            // Variance of wins minus losses per game: 8 times that of a pair's score.
            let variance = 8.0 * result.variance().expect("pairs");
            assert!((variance - 0.571).abs() < 0.01, "{variance}");
        }
    }
    assert!(Outcomes::new(1.4, 60.0).is_err());
    let mut random = Purpose::Result.random(7, 0);
    assert_eq!(outcomes.draw(f64::NAN, 3, &mut random).pairs(), 3);
}

#[test]
fn sums() {
    let simulated = Simulated::new(vec![1.0, 2.0, 6.0]);
    assert_eq!(simulated.mean, Some(3.0));
    // numpy: std([1, 2, 6], ddof=1)/sqrt(3).
    let error = simulated.standard_error.expect("three runs");
    assert!((error - 1.527_525_231_651_947).abs() < 1e-12);
    assert_eq!(Simulated::new(Vec::new()).mean, None);
    assert_eq!(Simulated::new(vec![1.0]).standard_error, None);
    assert!(standard_space(0).is_err());
}
