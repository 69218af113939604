//! `leitai calc plan`: the probability of passing and the length of a test before it is run.

use super::terms::{Spread, Terms, TestChoice, TestName, elo, positive};
use crate::cli::ideas;
use crate::cli::prelude::*;
use leitai_runs::gate::{Ideas, Test};
use leitai_stats::{
    Comparison, FORMULA_PAIRS, GameVariance, Hypotheses, IdeaPrior, Matches, Simulator, Stretch,
    TestPlan,
};

/// Numbers of scaled-down matches to try if a test is too long to simulate. The budget suffices for
/// the first; the larger numbers are for tests that take longer than expected.
const SMALL_MATCHES: [f64; 4] = [200.0, 400.0, 800.0, 1_600.0];

/// Number of strengths in the default grid.
const DEFAULT_STRENGTHS: usize = 9;

/// Number of pairs after which a match without a cap is abandoned.
const MAX_PAIRS: u64 = 500_000_000;

/// Examples at the end of the help.
const EXAMPLE: &str = "\
Examples:
  leitai calc plan --elo0 0 --elo1 5 --draw-rate 0.5
  leitai calc plan --elo0 0 --elo1 2 --model normalized \\
      --draw-rate 0.49 --opening-bias 191 --elo 0.5 --json";

/// Plan a test: the probability of passing and the number of games.
///
/// For a sequential test, and for a test after a fixed number of games. Above 1000 pairs, the plan
/// of the GSPRT uses the Brownian approximation; below, and for the other tests, Leitai simulates
/// the test itself and reports the error. All strengths are logistic Elo, for any scale of the
/// hypotheses.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Arguments {
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    spread: Spread,
    #[command(flatten)]
    which: TestChoice,
    #[command(flatten)]
    threads: Threads,
    /// True strengths to plan for, in logistic Elo; by default from below H0 to
    /// above H1.
    #[arg(long, value_name = "ELO", num_args = 1.., value_delimiter = ',',
          allow_negative_numbers = true, value_parser = elo)]
    elo: Vec<f64>,
    /// Length of the fixed test in games; by default the length at which its power is 1 - beta if
    /// H1 is true.
    #[arg(long, value_name = "N", value_parser = positive)]
    games: Option<f64>,
    /// Also report the number of games after which the 95 % interval is this narrow: ± ELO.
    #[arg(long, value_name = "ELO", value_parser = positive)]
    half_width: Option<f64>,
    /// Also report the hypotheses and error rates that win most Elo per game from a stream of ideas
    /// whose true strengths have this law, in Elo.
    #[arg(long, value_name = "N(MEAN,DEVIATION)")]
    prior: Option<IdeaPrior>,
    /// Print JSON: `{"pass_probability": …, "expected_games": …, …}` for one `--elo`, and `points`
    /// for each.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct PlanOutput {
    #[serde(flatten)]
    test: Hypotheses,
    alpha: f64,
    beta: f64,
    /// The hypotheses as logistic Elo with this variance.
    elo0_logistic: Option<f64>,
    elo1_logistic: Option<f64>,
    /// Variance of one game's score within its pair.
    variance_per_game: GameVariance,
    #[serde(flatten)]
    one: Option<Point>,
    points: Vec<Point>,
    fixed: Fixed,
    /// Number of games until the interval is narrow enough for `--half-width`.
    games_for_half_width: Option<f64>,
    /// Comparison of tests for `--prior`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ideas: Option<Comparison>,
}

/// The plan at one true strength.
#[derive(Clone, Copy, Default, Serialize)]
struct Point {
    elo: f64,
    pass_probability: f64,
    /// Probability that H0 is accepted.
    reject_probability: f64,
    expected_games: f64,
    /// Number of simulated matches behind the numbers above, and the standard errors; null for
    /// numbers from the formulas.
    matches: Option<u64>,
    pass_error: Option<f64>,
    games_error: Option<f64>,
    /// The factor by which the simulation moved the hypotheses apart, for a test that is too long
    /// to simulate: the number of pairs is divided by its square.
    #[serde(skip_serializing_if = "Option::is_none")]
    hypotheses_apart: Option<f64>,
    /// Power of the fixed test.
    fixed_power: Option<f64>,
}

/// The test after a fixed number of games.
#[derive(Clone, Copy, Serialize)]
struct Fixed {
    games: Option<f64>,
    /// Half-width in Elo of the 95 % interval after these games.
    half_width: Option<f64>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let variance = arguments.spread.variance()?;
    let (hypotheses, rates) = (arguments.terms.hypotheses()?, arguments.terms.rates()?);
    let plan = TestPlan::new(hypotheses, rates, variance).context("--elo0, --elo1")?;
    let (elo0_logistic, elo1_logistic) = plan.logistic_hypotheses();
    let games = arguments
        .games
        .or_else(|| elo1_logistic.and_then(|elo| plan.fixed_games(elo)));
    let strengths = if arguments.elo.is_empty() {
        let mut all = grid(elo0_logistic, elo1_logistic)?;
        if arguments.which.test != TestName::Gsprt {
            // Simulation needs pairs, and no pairs have a greater strength; only a likelihood ratio
            // has formulas.
            all.retain(|elo| elo.abs() <= Hypotheses::LIMIT);
        }
        all
    } else {
        arguments.elo.clone()
    };
    let test = arguments.which.new_test(hypotheses, rates)?;
    let simulator = Simulator::new(arguments.threads.get());
    let budget = test.simulated_per_second(hypotheses.model()) / strengths.len() as f64;
    let points = strengths.iter().map(|&elo| {
        let fixed_power = games.map(|games| plan.fixed_power(elo, games));
        // No pairs have a strength beyond the limit.
        let variance = if elo.abs() > Hypotheses::LIMIT {
            variance
        } else {
            arguments.spread.variance_at(elo)?
        };
        let plan = TestPlan::new(hypotheses, rates, variance).context("--elo0, --elo1")?;
        let simulation = (&test, &simulator, budget);
        arguments.point(&plan, hypotheses, simulation, elo, fixed_power)
    });
    let points = points.collect::<Result<Vec<Point>, Failure>>()?;
    let answer = PlanOutput {
        test: hypotheses,
        alpha: rates.alpha(),
        beta: rates.beta(),
        elo0_logistic,
        elo1_logistic,
        variance_per_game: variance,
        one: (points.len() == 1).then(|| points[0]),
        points,
        fixed: Fixed {
            games,
            half_width: games.and_then(|games| plan.half_width(games)),
        },
        games_for_half_width: arguments
            .half_width
            .and_then(|width| plan.games_for_half_width(width)),
        ideas: match arguments.prior {
            Some(prior) => {
                let stream = Ideas {
                    prior,
                    law: &|elo| arguments.spread.law(elo).ok(),
                    variance,
                    max_pairs: arguments.which.max_pairs,
                    threads: arguments.threads.get(),
                };
                Some(stream.compare(&test, hypotheses, rates)?)
            }
            None => None,
        },
    };
    json.answer(&answer, || {
        let ideas = answer.ideas.as_ref().map(ideas::below);
        text(arguments, &answer) + &ideas.unwrap_or_default()
    })
}

impl Arguments {
    /// Plans one strength: with the formulas in their range, otherwise by simulation.
    fn point(
        &self,
        plan: &TestPlan,
        hypotheses: Hypotheses,
        (test, simulator, budget): (&Test, &Simulator, f64),
        elo: f64,
        fixed_power: Option<f64>,
    ) -> Result<Point, Failure> {
        let most = self.which.max_pairs.unwrap_or(MAX_PAIRS);
        let (pass, reject, games) = if let Some(pairs) = self.which.max_pairs {
            let capped = plan.capped(elo, 2.0 * pairs as f64);
            (capped.pass, capped.reject, capped.expected_games)
        } else {
            let free = plan.sequential(elo);
            let pass = free.pass_probability;
            (pass, 1.0 - pass, free.expected_games)
        };
        let expected = games / 2.0;
        let beyond = elo.abs() > Hypotheses::LIMIT;
        if self.which.test == TestName::Gsprt && (expected > FORMULA_PAIRS || beyond) {
            return Ok(Point {
                elo,
                pass_probability: pass,
                reject_probability: reject,
                expected_games: games,
                fixed_power,
                ..Point::default()
            });
        }
        let law = self.spread.law(elo)?;
        // A test can take several times as long as expected.
        let in_small = |matches: f64| {
            let pairs = expected.max(test.fewest_pairs() as f64);
            let stretch = Stretch::new(hypotheses, pairs * matches / budget)?;
            let law = self.spread.law(stretch.elo(elo)).ok()?;
            let test = test.in_small(&stretch)?;
            let capped = self.which.max_pairs.map(|pairs| stretch.pairs(pairs));
            let most = capped.unwrap_or(MAX_PAIRS);
            let small = Matches::new(&test, &law, most, simulator).within(budget);
            Some((stretch.back(small.ok()?), stretch.factor()))
        };
        let rolled = Matches::new(test, &law, most, simulator).within(budget);
        let rolled = rolled.map(|rolled| (rolled, 1.0));
        let rolled =
            rolled.or_else(|error| SMALL_MATCHES.into_iter().find_map(in_small).ok_or(error));
        let (rolled, factor) = rolled.map_err(|error| {
            let elo = (1e6 * elo).round() / 1e6;
            let help = if self.elo.len() > DEFAULT_STRENGTHS {
                "plan fewer strengths at once (`--elo`)"
            } else {
                "nearly all pairs end level: plan hypotheses that are farther apart, or less lopsided \
                 openings"
            };
            anyhow!("at {elo} Elo {error}\nhelp: {help}")
        })?;
        Ok(Point {
            elo,
            pass_probability: rolled.pass,
            reject_probability: rolled.reject,
            expected_games: 2.0 * rolled.pairs,
            matches: Some(rolled.matches),
            pass_error: Some(rolled.pass_error),
            games_error: Some(2.0 * rolled.pairs_error),
            hypotheses_apart: (factor > 1.0).then_some(factor),
            fixed_power,
        })
    }
}

/// Returns strengths from below H0 to above H1 in quarters of their distance.
fn grid(elo0: Option<f64>, elo1: Option<f64>) -> Result<Vec<f64>, Failure> {
    let (elo0, elo1) = elo0.zip(elo1).context(
        "--elo0, --elo1: at this variance a hypothesis means a score beyond 0 or 1; bring \
         it nearer to 0",
    )?;
    let quarter = (elo1 - elo0) / 4.0;
    Ok((-2..=6).map(|k| elo0 + f64::from(k) * quarter).collect())
}

fn text(arguments: &Arguments, answer: &PlanOutput) -> String {
    let mut lines = vec![
        arguments.terms.line(),
        arguments.spread.line(answer.variance_per_game),
    ];
    if let (Some(elo0), Some(elo1)) = (answer.elo0_logistic, answer.elo1_logistic)
        && (elo0 - arguments.terms.elo0).abs() + (elo1 - arguments.terms.elo1).abs() > 1e-9
    {
        lines.push(format!("as logistic Elo here: H0 {elo0:.2}, H1 {elo1:.2}"));
    }
    lines.push(String::new());
    lines.push("sequential test                          fixed length".to_owned());
    lines.push("  true Elo     passes   expected games     passes".to_owned());
    for point in &answer.points {
        let power = point
            .fixed_power
            .map_or_else(String::new, |power| format!("{:9.2} %", 100.0 * power));
        lines.push(format!(
            "{:10.2} {:8.2} % {:16.0} {power}",
            point.elo,
            100.0 * point.pass_probability,
            point.expected_games,
        ));
    }
    let rolled = answer.points.iter().filter_map(|point| point.matches);
    if let (Some(least), Some(most)) = (rolled.clone().min(), rolled.max()) {
        let error = |point: &Point| point.games_error.unwrap_or(0.0) / point.expected_games;
        let greatest =
            |of: &dyn Fn(&Point) -> f64| answer.points.iter().map(of).fold(0.0, f64::max);
        let matches = if least == most {
            most.to_string()
        } else {
            format!("{least} to {most}")
        };
        lines.push(format!(
            "from {matches} simulated matches per strength{}: passes ± {:.1} %, games ± {:.1} % \
             (standard errors)",
            if arguments.which.test == TestName::Gsprt {
                format!(" where fewer than {FORMULA_PAIRS} pairs are expected")
            } else {
                String::new()
            },
            100.0 * greatest(&|point| point.pass_error.unwrap_or(0.0)),
            100.0 * greatest(&error)
        ));
    }
    let apart = answer.points.iter();
    let apart = apart.filter_map(|point| point.hypotheses_apart);
    if let Some(most) = apart.reduce(f64::max) {
        lines.push(format!(
            "the test is too long to simulate in full: the simulation set hypotheses up to {most:.1} \
             times as far apart, with up to {:.0} times fewer pairs",
            most * most
        ));
    }
    lines.push(String::new());
    if let Some(games) = answer.fixed.games {
        let width = answer.fixed.half_width.map_or_else(String::new, |width| {
            format!(", 95 % interval ± {width:.2} Elo")
        });
        lines.push(format!("fixed length: {:.0} games{width}", games.ceil()));
    }
    if let (Some(width), Some(games)) = (arguments.half_width, answer.games_for_half_width) {
        lines.push(format!(
            "95 % interval ± {width} Elo: {:.0} games",
            games.ceil()
        ));
    }
    lines.join("\n")
}
