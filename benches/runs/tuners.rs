//! The remaining error of each tuner on known surfaces: the table of docs/tuning.md.
//!
//! `cargo bench --bench runs -- tuners` prints the main table; further arguments are `SURFACE N GAMES SEEDS
//! FIRST METHOD...` for a part of it. Seeds run on two threads.

#![expect(clippy::print_stdout, reason = "a benchmark tells its figures")]

use std::error::Error;
use std::time::Instant;

use leitai::tune::{
    BadSpace, Benchmark, Dimension, Gains, Method, NoEffect, Outcomes, Perturbation, Shape,
    Simulated, Space, run_synthetic, standard_space,
};

/// First of the seeds that were not used for choosing parameters.
const FRESH: u64 = 4_000_000;
const SURFACES: [&str; 6] = ["quadratic", "ill", "rotated", "huber", "near", "lopsided"];
/// Steps three times too long and too short, for measured perturbations.
const WRONG_STEPS: [&str; 2] = ["long-steps", "short-steps"];

fn benchmark(surface: &str, games: u64) -> Result<Benchmark, String> {
    let usual = Benchmark::usual(games);
    Ok(match surface {
        "quadratic" => usual,
        "ill" => Benchmark {
            condition: 100.0,
            ..usual
        },
        "rotated" => Benchmark {
            shape: Shape::Rotated,
            ..usual
        },
        "huber" => Benchmark {
            shape: Shape::PseudoHuber,
            ..usual
        },
        "lopsided" => Benchmark {
            shape: Shape::Lopsided,
            ..usual
        },
        "near" => Benchmark {
            distance: 0.3,
            start_loss: 9.0,
            ..usual
        },
        "long-steps" => Benchmark {
            distance: 0.3,
            ..usual
        },
        "short-steps" => Benchmark {
            distance: 3.0,
            ..usual
        },
        _ => {
            return Err(format!(
                "`{surface}` is none of {SURFACES:?}, {WRONG_STEPS:?}"
            ));
        }
    })
}

fn measured(handicap: f64) -> Method {
    Method::Regression {
        perturbation: Perturbation::Measured { handicap },
        no_effect: NoEffect::Move,
    }
}

/// Bounds of three steps, or of four times the distance to the optimum.
fn space(surface: &str, n: usize) -> Result<Space, BadSpace> {
    let usual = standard_space(n)?;
    if surface != "short-steps" {
        return Ok(usual);
    }
    let wide = usual.dimensions().iter().map(|dimension| Dimension {
        min: -12.0,
        max: 12.0,
        ..dimension.clone()
    });
    Space::new(wide.collect())
}

fn method(name: &str) -> Result<Method, String> {
    Ok(match name {
        "regression" => Method::default(),
        "regression-30" => measured(30.0),
        "regression-60" => measured(60.0),
        "regression-100" => measured(100.0),
        "spsa" => Method::averaged_spsa(),
        // The best rate of the reference measurement.
        "spsa-.004" => Method::Spsa {
            perturbation: Perturbation::Steps(1.0),
            gains: Gains::Averaged { rate: Some(0.004) },
        },
        "fishtest" => Method::fishtest(),
        "hill-climb" => Method::hill_climb(),
        _ => return Err(format!("there is no method `{name}`")),
    })
}

fn measure(
    surface: &str,
    n: usize,
    games: u64,
    seeds: std::ops::Range<u64>,
    name: &str,
) -> Result<(), Box<dyn Error>> {
    let benchmark = benchmark(surface, games)?;
    let method = method(name)?;
    let space = space(surface, n)?;
    let outcomes = Outcomes::new(benchmark.draw_rate, benchmark.opening_bias)?;
    let begin = Instant::now();
    let half = |parity: u64| {
        let seeds = seeds.clone().filter(move |seed| seed % 2 == parity);
        let runs = seeds.map(|seed| run_synthetic(&method, &space, &benchmark, &outcomes, seed));
        runs.collect::<Result<Vec<f64>, _>>()
    };
    let (even, odd) = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        (half(0), other.join())
    });
    let mut left = even?;
    left.extend(odd.map_err(|_| "a thread failed")??);
    let runs = left.len() as f64;
    let result = Simulated::new(left);
    println!(
        "{surface:11} {n:4} {games:7} {name:20} {:8.3} ± {:<7.3} {runs} seeds, {:.0} ms each",
        result.mean.unwrap_or(0.0),
        result.standard_error.unwrap_or(0.0),
        begin.elapsed().as_secs_f64() * 1e3 / runs,
    );
    Ok(())
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    if let [surface, n, games, seeds, first, methods @ ..] = arguments {
        let first: u64 = first.parse()?;
        let seeds = first..first + seeds.parse::<u64>()?;
        for name in methods {
            measure(surface, n.parse()?, games.parse()?, seeds.clone(), name)?;
        }
        return Ok(());
    }
    for name in ["regression", "spsa", "hill-climb", "fishtest"] {
        for (n, seeds) in [(7, 64), (30, 64), (300, 16)] {
            for games in [20_000, 100_000, 500_000] {
                if n <= 30 || name == "regression" || name == "spsa" {
                    measure("quadratic", n, games, FRESH..FRESH + seeds, name)?;
                }
            }
        }
    }
    for surface in &SURFACES[1..] {
        for name in ["regression", "spsa", "hill-climb"] {
            for n in [7, 30] {
                measure(surface, n, 100_000, FRESH..FRESH + 32, name)?;
            }
        }
    }
    Ok(())
}
