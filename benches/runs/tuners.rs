//! The remaining error of each tuner on known surfaces: the table of docs/tuning.md.
//!
//! `cargo bench --bench runs -- tuners` prints the main table; further arguments are `SURFACE N GAMES SEEDS
//! FIRST METHOD...` for a part of it. Seeds run on two threads.

#![expect(clippy::print_stdout, reason = "a benchmark tells its figures")]

use std::error::Error;
use std::time::Instant;

use leitai_config::{Algorithm, BlockKind, Climb, Tune, parse};
use leitai_runs::tournament::tune_parts;
use leitai_stats::RandomNumbers;
use leitai_stats::tune::{
    BadSpace, Benchmark, Dimension, Gains, HillClimb, Method, NoEffect, Outcomes, Perturbation,
    Plan, Shape, Simulated, Space, Surface, run_on_surface, standard_space,
};

/// First of the seeds that were not used for choosing parameters.
const FRESH: u64 = 4_000_000;
const SURFACES: [&str; 6] = ["quadratic", "ill", "rotated", "huber", "near", "lopsided"];
/// Half of the numbers have no effect; a third of the best values lie beyond the bounds.
const HARD: [&str; 2] = ["dead", "bound"];
/// Steps three times too long and too short, for measured perturbations.
const WRONG_STEPS: [&str; 2] = ["long-steps", "short-steps"];
/// The square tables of Xiangqi: `configs/recovery-tables.toml`.
const TABLES: &str = "tables";
/// The same squares; the best values of a table lie around 1.5 steps above or below the start.
const SHIFTED: &str = "shifted";

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
                "`{surface}` is none of {SURFACES:?}, {HARD:?}, {WRONG_STEPS:?}, `{TABLES}`, `{SHIFTED}`"
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

/// `hill-climb:rows+race=0.5` climbs by rows as well, with races of half the games.
fn climb(options: &str) -> Result<Climb, String> {
    let race = HillClimb::default().race;
    let mut climb = Climb {
        blocks: Vec::new(),
        race,
    };
    for option in options.split('+') {
        if let Some(race) = option.strip_prefix("race=") {
            climb.race = race.parse().map_err(|_| format!("no share: `{race}`"))?;
        } else {
            let kind = BlockKind::ALL.iter().find(|kind| kind.name() == option);
            let kind = kind.ok_or_else(|| format!("no blocks `{option}`"))?;
            climb.blocks.push(*kind);
        }
    }
    Ok(climb)
}

fn method(name: &str) -> Result<Method, String> {
    if let Some(("hill-climb", options)) = name.split_once(':') {
        let Climb { blocks, race } = climb(options)?;
        if !blocks.is_empty() {
            return Err(format!(
                "`{name}`: only `{TABLES}` and `{SHIFTED}` have blocks"
            ));
        }
        return Ok(Method::HillClimb(HillClimb {
            blocks: Vec::new(),
            race,
        }));
    }
    Ok(match name {
        "regression" => Method::default(),
        "regression-move" => Method::Regression {
            perturbation: Perturbation::Steps(1.0),
            no_effect: NoEffect::Move,
        },
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

/// Surfaces of many seeds.
enum Surfaces {
    Drawn(Space, Benchmark),
    /// Half of the numbers have no effect.
    Dead(Space),
    /// The best values of a third of the numbers lie beyond the bounds.
    Bound(Space),
    Tables(Tables),
    Shifted(Tables),
}

/// From flat tables to those of the preset `tutorial`.
struct Tables {
    tune: Tune,
    space: Space,
    optimum: Vec<f64>,
}

impl Tables {
    fn read() -> Result<Self, Box<dyn Error>> {
        let text = include_str!("../../configs/recovery-tables.toml");
        let config = parse(text, "recovery-tables.toml", &leitai_games::all())?.config;
        let tune = config.tune.clone().ok_or("a tune")?;
        let (space, ..) = tune_parts(&tune, 0)?;
        let original = config.variants.iter().find(|it| it.name == "tutorial");
        let original = original.ok_or("the original")?;
        let tables = BlockKind::Tables.blocks(&tune.dimensions);
        let value = |dimension: &leitai_config::TunedDimension| {
            dimension.value_of(original).map(|value| value as f64)
        };
        let values: Option<Vec<f64>> = tune.dimensions.iter().map(value).collect();
        let values = values.ok_or("values of the original")?;
        // The mean of a table is the worth of the piece.
        let mean = |table: &Option<String>| {
            let of = tables.iter().zip(&values).filter(|(it, _)| *it == table);
            let (sum, count) = of.fold((0.0, 0.0), |(sum, n), (_, value)| (sum + value, n + 1.0));
            sum / count
        };
        let offsets = tables.iter().zip(&values).zip(space.dimensions());
        let optimum = offsets.map(|((table, value), it)| (value - mean(table)) / it.step);
        Ok(Self {
            optimum: optimum.collect(),
            tune,
            space,
        })
    }

    /// Best values that differ from table to table by more than within one.
    fn shifted(&self, random: &mut RandomNumbers) -> Vec<f64> {
        let tables = BlockKind::Tables.blocks(&self.tune.dimensions);
        let (mut last, mut middle) = (&None, 0.0);
        let values = tables.iter().map(|table| {
            if table != last {
                (last, middle) = (table, 1.5 * random.signs(1)[0]);
            }
            middle + 0.7 * random.normal()
        });
        values.collect()
    }

    fn method(&self, name: &str, seed: u64) -> Result<Method, Box<dyn Error>> {
        let Some(("hill-climb", options)) = name.split_once(':') else {
            return Ok(method(name)?);
        };
        let tune = Tune {
            algorithm: Algorithm::HillClimb,
            climb: Some(climb(options)?),
            ..self.tune.clone()
        };
        Ok(tune_parts(&tune, seed)?.1)
    }
}

impl Surfaces {
    fn new(surface: &str, n: usize, games: u64) -> Result<Self, Box<dyn Error>> {
        Ok(match surface {
            "dead" => Self::Dead(standard_space(n)?),
            "bound" => Self::Bound(standard_space(n)?),
            TABLES => Self::Tables(Tables::read()?),
            SHIFTED => Self::Shifted(Tables::read()?),
            _ => Self::Drawn(space(surface, n)?, benchmark(surface, games)?),
        })
    }

    /// Elo left by a method on the surface of a seed.
    fn left(&self, name: &str, games: u64, seed: u64) -> Result<f64, Box<dyn Error>> {
        /// No tuner has this stream of random numbers.
        const STREAM: u64 = u64::MAX;
        let usual = Benchmark::usual(games);
        let mut random = RandomNumbers::new(seed, STREAM);
        let mut curvature = |n: usize| {
            let spread = libm::log(usual.condition);
            let each = (0..n).map(|_| libm::exp(-random.uniform() * spread));
            each.collect::<Vec<f64>>()
        };
        let (space, method, surface) = match self {
            Self::Drawn(space, benchmark) => {
                let surface = Surface::draw(benchmark, space.len(), seed)?;
                (space, method(name)?, surface)
            }
            Self::Dead(space) | Self::Bound(space) => {
                let (n, is_dead) = (space.len(), matches!(self, Self::Dead(_)));
                let mut curvature = curvature(n);
                let mut optimum: Vec<f64> = (0..n).map(|_| random.normal()).collect();
                if is_dead {
                    curvature[n / 2..].fill(0.0);
                } else {
                    optimum[..n / 3].fill(6.0);
                }
                let surface = Surface::parabola(curvature, optimum, usual.start_loss)?;
                (space, method(name)?, surface)
            }
            Self::Tables(tables) | Self::Shifted(tables) => {
                let curvature = curvature(tables.space.len());
                let optimum = if matches!(self, Self::Shifted(_)) {
                    tables.shifted(&mut random)
                } else {
                    tables.optimum.clone()
                };
                let surface = Surface::parabola(curvature, optimum, 250.0)?;
                (&tables.space, tables.method(name, seed)?, surface)
            }
        };
        let outcomes = Outcomes::new(usual.draw_rate, usual.opening_bias)?;
        let plan = Plan::usual(games / 2, seed);
        Ok(run_on_surface(&method, space, plan, &surface, &outcomes)?)
    }
}

fn measure(
    surface: &str,
    n: usize,
    games: u64,
    seeds: std::ops::Range<u64>,
    name: &str,
) -> Result<(), Box<dyn Error>> {
    let surfaces = Surfaces::new(surface, n, games)?;
    let begin = Instant::now();
    let half = |parity: u64| {
        let seeds = seeds.clone().filter(move |seed| seed % 2 == parity);
        let runs = seeds.map(|seed| surfaces.left(name, games, seed));
        let left: Result<Vec<f64>, _> = runs.collect();
        left.map_err(|error| error.to_string())
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
