//! `leitai tune --simulate`: simulates the tune with every algorithm.

use super::{Arguments, errors, tune_of};
use crate::cli::prelude::*;
use leitai_players::play::in_order;
use leitai_runs::tournament::tune_parts;
use leitai_stats::tune::{
    Assumptions, Expectation, FEW_SEEDS, Gains, Method, Plan, Rehearsal, Simulated, Space,
    standard_space,
};

/// The default number of runs of each algorithm and budget is this number divided by the
/// dimensions, within bounds.
const RUNS: u64 = 480;
const RUNS_WITHIN: (u64, u64) = (4, 32);

/// Options of a simulation.
#[derive(Clone, Debug, Args)]
pub(super) struct Options {
    /// Play no games; simulate the Elo that each algorithm leaves. It has a quarter of the games, all, and four times
    /// as many. The surfaces are parabolas with the best values about a `step`
    /// from the start in every dimension; real surfaces are harder.
    #[arg(long, conflicts_with_all = ["list", "store", "out", "no_proof"])]
    pub(super) simulate: bool,
    /// Simulate the accuracy of the regression's standard errors instead, on surfaces on which
    /// `--flat` dimensions have no effect.
    #[arg(hide_short_help = true, long, requires = "simulate")]
    pub(super) errors: bool,
    /// With `--errors`: this number of dimensions, the last ones, have no effect.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "N",
        requires = "errors",
        default_value_t = 0
    )]
    pub(super) flat: u32,
    /// With `--errors`: the loss in Elo for a step away from the best value in the other
    /// dimensions.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "ELO",
        requires = "errors",
        default_value_t = 10.0
    )]
    pub(super) elo_per_step: f64,
    /// Without a config: the number of dimensions, with bounds three steps to either side.
    #[arg(hide_short_help = true, long, value_name = "N", requires_all = ["simulate", "games"], conflicts_with = "config",
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    parameters: Option<u32>,
    /// Games to learn from, as `--set tune.games=N`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000_000_000))]
    pub(super) games: Option<u64>,
    /// Assumed loss of the start against the best values, in Elo.
    #[arg(hide_short_help = true, long, value_name = "ELO", requires = "simulate", default_value_t = Assumptions::default().start_loss)]
    start_loss: f64,
    /// Share of drawn games between equal players, 0 to 1.
    #[arg(hide_short_help = true, long, alias = "draws", value_name = "RATE", requires = "simulate", default_value_t = Assumptions::default().draw_rate)]
    pub(super) draw_rate: f64,
    /// Advantage that the openings give one side: root mean square, in Elo.
    #[arg(hide_short_help = true, long, alias = "spread", value_name = "ELO", requires = "simulate", default_value_t = Assumptions::default().opening_bias)]
    pub(super) opening_bias: f64,
    /// Runs of each algorithm with each budget, by default 4 to 32, fewer for more dimensions: some
    /// seconds in all; with `--errors` 200 tunes.
    #[arg(hide_short_help = true, long, value_name = "N", requires = "simulate",
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(super) seeds: Option<u64>,
    /// Games per second, for the estimate of hours: `leitai bench` and a first tune measure it.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "RATE",
        requires = "simulate"
    )]
    games_per_second: Option<f64>,
}

/// The simulated tune.
pub(super) struct Case {
    pub(super) space: Space,
    /// In the order of the rows, with their names in a config.
    methods: Vec<(&'static str, Method)>,
    configured: Option<&'static str>,
    /// The config's batch and window, for the configured algorithm only.
    plan: Option<Plan>,
    pub(super) games: u64,
    pub(super) seed: u64,
}

#[derive(Serialize)]
struct SimulationOutput<'a> {
    dimensions: usize,
    games: u64,
    seed: u64,
    /// Runs of each algorithm with each budget.
    seeds: u64,
    assumptions: &'a Assumptions,
    configured: Option<&'static str>,
    algorithms: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    algorithm: &'static str,
    method: Method,
    is_configured: bool,
    /// With a quarter of the games, with all, with four times as many.
    at: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    #[serde(flatten)]
    expectation: Expectation,
    /// Hours for the games; null if their speed is not given.
    hours: Option<f64>,
}

/// Prints the expected remaining loss of each algorithm.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let options = &arguments.simulate;
    let (threads, is_quiet) = (
        arguments.play.processors.threads(),
        arguments.play.watching.quiet,
    );
    let mut files = CommandFiles::default();
    let case = case_of(arguments, &mut files)?;
    let json = Json::prepare(arguments.json.as_ref(), &mut files)?;
    if options.errors {
        return errors::run(&case, options, threads, is_quiet, json);
    }
    let assumptions = Assumptions {
        start_loss: options.start_loss,
        draw_rate: options.draw_rate,
        opening_bias: options.opening_bias,
    };
    if let Some(rate) = options.games_per_second
        && !(rate.is_finite() && rate > 0.0)
    {
        bail!("`--games-per-second {rate}`: must be above 0");
    }
    let (least, most) = RUNS_WITHIN;
    let usual = (RUNS / case.space.len() as u64).clamp(least, most);
    let seeds = options.seeds.unwrap_or(usual);
    let Some(rows) = simulate_rows(&case, &assumptions, seeds, options, threads, is_quiet)? else {
        return Ok(Exit::Interrupted);
    };
    let answer = SimulationOutput {
        dimensions: case.space.len(),
        games: case.games,
        seed: case.seed,
        seeds,
        assumptions: &assumptions,
        configured: case.configured,
        algorithms: rows,
    };
    json.answer(&answer, || as_text(&answer, options.games_per_second))
}

fn case_of(arguments: &Arguments, files: &mut CommandFiles) -> anyhow::Result<Case> {
    let (config, options) = (&arguments.config, &arguments.simulate);
    let usual = [
        ("regression", Method::default()),
        ("spsa", Method::averaged_spsa()),
        ("fishtest", Method::fishtest()),
        ("hill-climb", Method::hill_climb()),
    ];
    if let (Some(parameters), Some(games)) = (options.parameters, options.games) {
        return Ok(Case {
            space: standard_space(parameters as usize)?,
            methods: usual.into(),
            configured: None,
            plan: None,
            games: games - games % 2,
            seed: 1,
        });
    }
    let loaded = load_config(config, &arguments.overrides)?;
    *files = CommandFiles::of(config, &loaded);
    let tune = tune_of(&loaded)?;
    let (space, method, plan) = tune_parts(tune, loaded.config.seed)
        .with_context(|| format!("{}, [tune]", loaded.warnings.name))?;
    if tune.depth.is_some() {
        bail!(
            "{} has the objective `nodes`, which cannot be simulated\n\
             help: simulate it with `--set 'tune.objective=\"games\"'`",
            loaded.warnings.name
        );
    }
    let games = options.games.unwrap_or(tune.games);
    let configured = tune.algorithm.name();
    let own = match &method {
        Method::Regression { perturbation, .. }
        | Method::Spsa {
            perturbation,
            gains: Gains::Averaged { .. },
        } => Some(*perturbation),
        _ => None,
    };
    let methods = usual.map(|(name, mut usual)| {
        match (&mut usual, own) {
            (usual, _) if name == configured => *usual = method.clone(),
            // The same distance between the players makes the algorithms comparable.
            (
                Method::Regression { perturbation, .. }
                | Method::Spsa {
                    perturbation,
                    gains: Gains::Averaged { .. },
                },
                Some(own),
            ) => *perturbation = own,
            _ => {}
        }
        (name, usual)
    });
    Ok(Case {
        space,
        methods: methods.into(),
        configured: Some(configured),
        plan: Some(plan),
        games: games - games % 2,
        seed: loaded.config.seed,
    })
}

impl Case {
    /// The regression with the settings of the config.
    pub(super) fn regression(&self) -> &Method {
        let found = self.methods.iter().find(|(name, _)| *name == "regression");
        found.map_or(&self.methods[0].1, |(_, method)| method)
    }

    /// The plan of a row with this number of games.
    pub(super) fn plan_of(&self, name: &str, games: u64) -> Plan {
        let pairs = (games / 2).max(1);
        match self.plan {
            Some(own) if self.configured == Some(name) => Plan { pairs, ..own },
            _ => Plan::usual(pairs, self.seed),
        }
    }

    /// A quarter of the games, all, and four times as many; even numbers.
    fn budgets(&self) -> [u64; 3] {
        let quarter = (self.games / 8).max(1) * 2;
        [quarter, self.games, self.games.saturating_mul(4)]
    }
}

/// All rows; `None` if cancelled. Every run is a function of its number, so that the number of
/// threads has no effect.
fn simulate_rows(
    case: &Case,
    assumptions: &Assumptions,
    seeds: u64,
    options: &Options,
    threads: NonZeroUsize,
    is_quiet: bool,
) -> anyhow::Result<Option<Vec<Row>>> {
    let cancel = signals::install_handler();
    let budgets = case.budgets();
    let mut rehearsals = Vec::new();
    for (name, method) in &case.methods {
        for &games in &budgets {
            let plan = case.plan_of(name, games);
            rehearsals.push(Rehearsal::new(&case.space, method, plan, assumptions)?);
        }
    }
    let runs = rehearsals.len() as u64 * seeds;
    let bar = Bar::new(runs, "runs", is_quiet);
    let play = |number: u64| {
        let rehearsal = &rehearsals[(number / seeds) as usize];
        rehearsal.run(case.seed.wrapping_add(number % seeds))
    };
    let left = in_order(runs, threads, cancel, play, |done| bar.set(done));
    bar.finish();
    let Some(left) = left else {
        return Ok(None);
    };
    let left = left.into_iter().collect::<Result<Vec<f64>, _>>()?;
    let mut left = left.chunks(seeds as usize).map(<[f64]>::to_vec);
    let mut rows = Vec::new();
    for (name, method) in &case.methods {
        let mut at = Vec::new();
        for &games in &budgets {
            let plan = case.plan_of(name, games);
            let left = Simulated::new(left.next().unwrap_or_default());
            let again = |plan: Plan| {
                let rehearsal = Rehearsal::new(&case.space, method, plan, assumptions)?;
                let seeds = case.seed..case.seed.saturating_add(seeds.min(FEW_SEEDS));
                let runs = seeds.map(|seed| rehearsal.run(seed));
                Ok(Simulated::new(runs.collect::<Result<_, _>>()?))
            };
            // The sufficient budget is computed only for the requested number of games.
            let expectation = if games == case.games {
                Expectation::of(&case.space, method, plan, assumptions, left, again)?
            } else {
                Expectation::plain(plan, assumptions, left)
            };
            at.push(Point {
                expectation,
                hours: options
                    .games_per_second
                    .map(|rate| games as f64 / rate / 3600.0),
            });
        }
        rows.push(Row {
            algorithm: name,
            method: method.clone(),
            is_configured: case.configured == Some(name),
            at,
        });
    }
    Ok(Some(rows))
}

fn as_text(answer: &SimulationOutput, rate: Option<f64>) -> String {
    let Assumptions {
        start_loss,
        draw_rate,
        opening_bias,
    } = answer.assumptions;
    let mut text = format!(
        "{}. Assumptions: the start loses {start_loss} Elo, the best values lie a step away in each \
         dimension,\n{:.0} % draws, openings favour a side by {opening_bias} Elo. No games were played.\n\n\
         Elo left of {start_loss}, simulated: mean of {} ± standard error\n\n",
        count(answer.dimensions as u64, "dimension", "dimensions"),
        100.0 * draw_rate,
        count(answer.seeds, "run", "runs"),
    );
    let points = answer.algorithms.first();
    let points = points.map_or(&[][..], |row| &row.at);
    let row = |name: String, cells: &mut dyn Iterator<Item = String>| {
        std::iter::once(name).chain(cells).collect::<Vec<_>>()
    };
    let games = points.iter().map(|point| point.expectation.games);
    let mut rows = vec![row("games".to_owned(), &mut games.map(|it| it.to_string()))];
    for algorithm in &answer.algorithms {
        let mark = if algorithm.is_configured { " *" } else { "" };
        let left = algorithm.at.iter();
        let mut left = left.map(|point| cell(&point.expectation.left));
        rows.push(row(format!("{}{mark}", algorithm.algorithm), &mut left));
    }
    if let Some(rate) = rate {
        let hours = points.iter().map(|point| point.hours.unwrap_or(0.0));
        let name = format!("hours at {rate} games/s");
        rows.push(row(name, &mut hours.map(|hours| format!("{hours:.2}"))));
    }
    text += &table(&rows, 1, |column| column == 0);
    if answer.configured.is_some() {
        text.push_str("\n* from the config");
    }
    for row in &answer.algorithms {
        let asked = row.at.iter().find(|p| p.expectation.games == answer.games);
        if let Some(warning) = asked.and_then(|point| point.expectation.warning()) {
            let _ = write!(text, "\nnote: {}: {warning}", row.algorithm);
        }
    }
    text
}

fn cell(left: &Simulated) -> String {
    let mean = left.mean.unwrap_or(0.0);
    match left.standard_error {
        Some(error) => format!("{} ± {}", format_elo(mean), format_elo(error)),
        None => format_elo(mean),
    }
}

/// Elo with its significant digits.
fn format_elo(elo: f64) -> String {
    let digits = match elo {
        x if x >= 10.0 => 1,
        x if x >= 0.1 => 2,
        _ => 3,
    };
    format!("{elo:.digits$}")
}
