//! `leitai calc simulate`: simulate a test on matches with a known truth.

mod ratings;

use clap::{ArgMatches, Command, FromArgMatches, Subcommand};

use super::terms::{Spread, Terms, TestChoice, TestName};
use crate::cli::prelude::*;
use leitai_base::count::with_sign;
use leitai_stats::{
    EstimateQuality, Expectation, Hypotheses, PairLaw, Ranged, SelfCheck, TestPlan, simulate_all,
    summarize,
};

/// Examples at the end of the help.
const EXAMPLE: &str = "\
Examples:
  leitai calc simulate --elo0 0 --elo1 30 --draw-rate 0.5 --elo 0
  leitai calc simulate --test strict --elo0 0 --elo1 30 --elo 30 \\
      --pentanomial 10,40,100,60,15 --runs 5000 --seed 7 --json
  leitai calc simulate --test group-sequential --max-pairs 300 --elo0 0 \\
      --elo1 30 --draw-rate 0.2 --elo 30
  leitai calc simulate ratings --players 12 --openings 40";

/// Simulate a test: measure its error rates, its length, and the errors of estimates at its stop.
///
/// A median-unbiased estimate lies above the truth in half of the matches if its formulas hold,
/// which assume many pairs. With few or skewed pairs, the measured share can differ from one half.
///
/// Matches are drawn at random: games that follow a draw rate and an opening bias, or pairs as in a
/// pilot, tilted to the true strength. The result depends on the seed alone, not on the number of
/// threads.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLE,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct Arguments {
    /// Parsed before the subcommand, which is removed from the matches when it is parsed.
    #[command(flatten)]
    test: Unless<Match>,
    #[command(subcommand)]
    other: Option<Other>,
}

/// Other subjects of a simulation.
#[derive(Debug, Subcommand)]
enum Other {
    Ratings(ratings::Arguments),
}

/// Arguments that are required only without a subcommand.
#[derive(Debug)]
struct Unless<T>(Option<T>);

impl<T: FromArgMatches> FromArgMatches for Unless<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.subcommand_name() {
            Some(_) => Ok(Self(None)),
            None => T::from_arg_matches(matches).map(|found| Self(Some(found))),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Args> Args for Unless<T> {
    fn augment_args(command: Command) -> Command {
        T::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

/// A test on one match.
#[derive(Debug, Args)]
struct Match {
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    spread: Spread,
    #[command(flatten)]
    which: TestChoice,
    /// The true strength of the first player, in logistic Elo.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo: f64,
    /// Number of matches to simulate.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Abandon a match as undecided after this many games.
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    max_games: u64,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON: the request, `planned` by formula (for an uncapped `gsprt`), `measured`.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct SimulationOutput {
    test: TestName,
    #[serde(flatten)]
    hypotheses: Hypotheses,
    alpha: f64,
    beta: f64,
    elo: f64,
    seed: u64,
    /// Probabilities of the pair results, worst first.
    law: PairLaw,
    /// Prediction of the formulas for the GSPRT without a cap; `null` for other tests.
    planned: Option<Expectation>,
    measured: SelfCheck,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match (&arguments.other, &arguments.test.0) {
        (Some(Other::Ratings(arguments)), _) => ratings::run(arguments),
        (None, Some(arguments)) => simulate_test(arguments),
        (None, None) => bail!("nothing is asked for"),
    }
}

fn simulate_test(arguments: &Match) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let (hypotheses, rates) = (arguments.terms.hypotheses()?, arguments.terms.rates()?);
    let law = arguments.spread.law(arguments.elo)?;
    let test = arguments.which.new_test(hypotheses, rates)?;
    let most = arguments.most_pairs();
    let (seed, runs, threads) = (arguments.seed, arguments.runs, arguments.threads.get());
    let matches = simulate_all(&test, &law, seed, runs, most, threads);
    let planned = law
        .game_variance()
        .and_then(|variance| TestPlan::new(hypotheses, rates, variance));
    // The formulas hold only for that test, without a cap.
    let is_planned = arguments.which.test == TestName::Gsprt && arguments.which.max_pairs.is_none();
    let planned = planned.ok().filter(|_| is_planned);
    let answer = SimulationOutput {
        test: arguments.which.test,
        hypotheses,
        alpha: rates.alpha(),
        beta: rates.beta(),
        elo: arguments.elo,
        seed: arguments.seed,
        law,
        planned: planned.map(|plan| plan.sequential(arguments.elo)),
        measured: summarize(&matches, &law, hypotheses, rates),
    };
    json.answer(&answer, || text(arguments, &answer))
}

impl Match {
    /// Number of pairs after which a match is abandoned.
    fn most_pairs(&self) -> u64 {
        let most = self.max_games / 2;
        self.which.max_pairs.map_or(most, |pairs| pairs.min(most))
    }
}

fn text(arguments: &Match, answer: &SimulationOutput) -> String {
    let measured = &answer.measured;
    let mut lines = vec![
        arguments.terms.line(),
        format!(
            "true Elo {}, {} matches, seed {}",
            answer.elo, measured.runs, answer.seed
        ),
        String::new(),
        format!("passes       {}", share(&measured.pass_rate)),
    ];
    if measured.undecided > 0 {
        lines.push(format!(
            "undecided    {} of {} after {} games",
            measured.undecided,
            measured.runs,
            2 * arguments.most_pairs()
        ));
    }
    if let (Some(mean), Some(median), Some(most)) = (
        measured.mean_games,
        measured.median_games,
        measured.games_95,
    ) {
        let error = measured.games_error.unwrap_or(0.0);
        lines.push(format!(
            "games        mean {mean:.0} ± {error:.0}, half of the matches at most {median}, 95 % at most {most}"
        ));
    }
    if let Some(planned) = answer.planned {
        lines.push(format!(
            "by formula   {:.2} % pass, {:.0} games (gsprt)",
            100.0 * planned.pass_probability,
            planned.expected_games
        ));
    }
    lines.push(String::new());
    lines.push(
        "at the stop        bias, Elo   95 % interval covers            above the truth".to_owned(),
    );
    lines.push(fared("naive", &measured.naive));
    lines.push(fared("median-unbiased", &measured.median_unbiased));
    let above = measured.median_unbiased.above;
    let half =
        above.low.is_some_and(|low| low <= 0.5) && above.high.is_some_and(|high| high >= 0.5);
    if above.value.is_some() && !half {
        lines.push(
            "note: above the truth in other than half of the matches: the estimate is \
             median-unbiased for many pairs alone, and these are few or skewed"
                .to_owned(),
        );
    }
    lines.join("\n")
}

fn fared(name: &str, fared: &EstimateQuality) -> String {
    let bias = fared
        .bias
        .map_or_else(|| "-".to_owned(), |bias| with_sign(bias, 2));
    format!(
        "{name:<18} {bias:>9}   {:<30} {}",
        share(&fared.coverage),
        share(&fared.above)
    )
}

fn share(share: &Ranged) -> String {
    let percent = |x: Option<f64>| 100.0 * x.unwrap_or(0.0);
    if share.value.is_none() {
        return "-".to_owned();
    }
    format!(
        "{:.2} % ({:.2} .. {:.2})",
        percent(share.value),
        percent(share.low),
        percent(share.high)
    )
}
