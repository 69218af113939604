//! `leitai calc sprt`: the likelihood ratio test on counts.

use clap::ArgGroup;

use super::counts::{Counts, pentanomial, trinomial};
use super::terms::TestName;
use super::{stream, words};
use crate::cli::prelude::*;
use crate::cli::program::own_usage;
use leitai_stats::gsprt::{draw_elo, in_logistic, llr};
use leitai_stats::{ErrorRates, GroupSequential, Hypotheses, Level, Model, Pentanomial, Trinomial};

/// Examples at the end of the help.
const EXAMPLE: &str = "\
Examples:
  leitai calc sprt --pentanomial 10,40,100,60,15 --elo0 0 --elo1 5
  leitai calc sprt --stream pairs.txt --elo0 0 --elo1 5 --checkpoint 100
  leitai calc sprt --trinomial 310,520,402 --elo0 0 --elo1 5 --model bayeselo";

/// Sequential probability ratio test: H0 "elo0 stronger" against H1 "elo1 stronger".
///
/// From counts: the log-likelihood ratio with Wald's bounds. From results in their order
/// (--stream): the stop of the test, with the bounds corrected for the overshoot. The numbers are
/// the same as fishtest's.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("results").required(true)),
    after_help = EXAMPLE,
    override_usage = own_usage("leitai calc sprt --elo0 <ELO> --elo1 <ELO> --pentanomial <COUNTS>\n       \
                      leitai calc sprt --elo0 <ELO> --elo1 <ELO> --trinomial <COUNTS>\n       \
                      leitai calc sprt --elo0 <ELO> --elo1 <ELO> --stream <FILE>...")
)]
pub(in crate::cli) struct Arguments {
    /// Pairs of games with colours swapped: both lost, a loss and a draw,
    /// level, a win and a draw, both won.
    #[arg(long, value_name = "LL,LD,MID,WD,WW", value_parser = pentanomial, group = "results")]
    pentanomial: Option<Pentanomial>,
    /// Single games: lost, drawn, won.
    #[arg(long, value_name = "L,D,W", value_parser = trinomial, group = "results")]
    trinomial: Option<Trinomial>,
    /// Files of pair results in their order, one digit per pair: 0 both lost, 1 a loss and a draw,
    /// 2 level, 3 a win and a draw, 4 both won. Blanks and line ends are ignored; - is standard
    /// input. One test per file.
    #[arg(long, value_name = "FILE", num_args = 1.., group = "results")]
    stream: Vec<String>,
    /// H0, in Elo of the model.
    #[arg(long, allow_negative_numbers = true)]
    elo0: f64,
    /// H1, in Elo of the model.
    #[arg(long, allow_negative_numbers = true)]
    elo1: f64,
    /// Largest probability of accepting H1 if H0 is true.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Largest probability of accepting H0 if H1 is true.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The scale of elo0 and elo1.
    #[arg(long, default_value = "logistic")]
    model: Scale,
    /// The draw parameter of the bayeselo model, in Elo; by default from the
    /// counts of --trinomial.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    drawelo: Option<f64>,
    #[command(flatten)]
    order: Order,
    /// Print JSON; with --stream one line per file.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Options without an order of results. Listed in addition to `requires`, which clap ignores if
/// `--stream` itself would be in conflict.
const COUNTS: [&str; 2] = ["pentanomial", "trinomial"];

/// Options for results in their order.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Order {
    /// The test for --stream; strict and group-sequential need the order of results, which counts
    /// do not have.
    #[arg(long, default_value = "gsprt", requires = "stream", conflicts_with_all = COUNTS)]
    pub(super) test: TestName,
    /// Pairs at which the group-sequential test ends.
    #[arg(long, value_name = "N", requires = "stream", conflicts_with_all = COUNTS)]
    pub(super) max_pairs: Option<NonZeroU64>,
    /// Number of looks of the group-sequential test; by default 6.
    #[arg(long, value_name = "N", requires = "stream", conflicts_with_all = COUNTS,
          value_parser = clap::value_parser!(u64).range(1..=GroupSequential::MAX_LOOKS))]
    pub(super) looks: Option<u64>,
    /// Report the test's level after every N pairs.
    #[arg(long, value_name = "N", default_value = "1", requires = "stream", conflicts_with_all = COUNTS)]
    pub(super) checkpoint: NonZeroU64,
    /// Check the results only after every N pairs (gsprt).
    #[arg(long, value_name = "N", default_value = "1", requires = "stream", conflicts_with_all = COUNTS)]
    pub(super) batch: NonZeroU64,
    /// Correct the bounds for the expected overshoot (gsprt).
    #[arg(long, default_value = "on", requires = "stream", conflicts_with_all = COUNTS,
          value_parser = choice(&SWITCH), action = clap::ArgAction::Set)]
    pub(super) overshoot: bool,
}

/// The values of `--overshoot`.
const SWITCH: [Choice<bool>; 2] = [("on", "", true), ("off", "", false)];

/// The scale of the hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Scale {
    /// Logistic Elo.
    Logistic,
    /// Normalized Elo: the lead per standard deviation of a game.
    Normalized,
    /// The scale of cutechess and old tests, converted to logistic Elo by the draw parameter.
    #[value(name = "bayeselo")]
    BayesElo,
}

/// The tested hypotheses, as JSON.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Tested {
    model: Scale,
    elo0: f64,
    elo1: f64,
    /// The hypotheses in logistic Elo if the model is `BayesElo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    logistic_elo0: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    logistic_elo1: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawelo: Option<f64>,
    alpha: f64,
    beta: f64,
}

/// The JSON output for counts.
#[derive(Serialize)]
struct SprtOutput {
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: &'static str,
    pairs: Option<u64>,
    games: u64,
    #[serde(flatten)]
    tested: Tested,
    note: Option<&'static str>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::prepare(
        arguments.json.as_ref(),
        &mut CommandFiles::reading(&arguments.stream),
    )?;
    let rates = ErrorRates::new(arguments.alpha, arguments.beta)?;
    let (hypotheses, tested) = hypotheses(arguments)?;
    if let Some(counts) = Counts::given(arguments.pentanomial, arguments.trinomial) {
        return answer(counts, hypotheses, rates, tested, json);
    }
    let (files, order) = (&arguments.stream, arguments.order);
    stream::run(files, hypotheses, rates, &tested, order, json)?;
    Ok(Exit::Success)
}

fn hypotheses(arguments: &Arguments) -> Result<(Hypotheses, Tested), Failure> {
    let (elo0, elo1) = (arguments.elo0, arguments.elo1);
    let mut tested = Tested {
        model: arguments.model,
        elo0,
        elo1,
        logistic_elo0: None,
        logistic_elo1: None,
        drawelo: None,
        alpha: arguments.alpha,
        beta: arguments.beta,
    };
    let hypotheses = match arguments.model {
        Scale::Logistic => Hypotheses::new(elo0, elo1, Model::Logistic)?,
        Scale::Normalized => Hypotheses::new(elo0, elo1, Model::Normalized)?,
        Scale::BayesElo => {
            // Checks the hypotheses as given, so that a refusal does not refer to converted values.
            Hypotheses::new(elo0, elo1, Model::Logistic)?;
            let from_counts = || arguments.trinomial.and_then(draw_elo);
            let drawelo = arguments.drawelo.or_else(from_counts).context(
                "BayesElo needs a draw parameter: give --drawelo, or the games' counts by \
                 --trinomial",
            )?;
            let converted = in_logistic([elo0, elo1], drawelo).with_context(|| {
                format!("--drawelo {drawelo} leaves no two different Elo from -1000 to 1000")
            })?;
            tested.logistic_elo0 = Some(converted.elo0());
            tested.logistic_elo1 = Some(converted.elo1());
            tested.drawelo = Some(drawelo);
            converted
        }
    };
    Ok((hypotheses, tested))
}

fn answer(
    counts: Counts,
    hypotheses: Hypotheses,
    rates: ErrorRates,
    tested: Tested,
    json: Json,
) -> Outcome {
    let (lower, upper) = rates.wald_bounds();
    let results = counts.multinomial();
    let level = Level {
        value: llr(results, &hypotheses),
        lower,
        upper,
    };
    let decision = level.decision();
    let answer = SprtOutput {
        llr: level.value,
        lower,
        upper,
        verdict: words::verdict(decision),
        pairs: counts.pairs(),
        games: results.games(),
        tested,
        note: counts.note(),
    };
    json.answer(&answer, || {
        let note = answer.note.map(|note| format!("\nnote: {note}"));
        format!(
            "{counts}\n{tested}\n{}\n{}{}",
            words::level(&level),
            words::sentence(decision),
            note.unwrap_or_default()
        )
    })
}

impl std::fmt::Display for Tested {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scale = match self.model {
            Scale::Logistic => "logistic Elo",
            Scale::Normalized => "normalized Elo",
            Scale::BayesElo => "BayesElo",
        };
        write!(out, "H0: {} {scale}, H1: {} {scale}", self.elo0, self.elo1)?;
        if let (Some(elo0), Some(elo1), Some(drawelo)) =
            (self.logistic_elo0, self.logistic_elo1, self.drawelo)
        {
            write!(
                out,
                " (logistic {elo0:.4} and {elo1:.4} at a draw parameter of {drawelo:.2})"
            )?;
        }
        write!(out, "; alpha {:?}, beta {:?}", self.alpha, self.beta)
    }
}
