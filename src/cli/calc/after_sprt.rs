//! `leitai calc after-sprt`: estimates of strength after a sequential test that has stopped.

use super::counts::{CountArguments, Counts};
use super::terms::Terms;
use crate::cli::prelude::*;
use crate::cli::program::own_usage;
use leitai_base::count::rounded;
use leitai_stats::gsprt::llr;
use leitai_stats::{AfterSprt, Estimate, Hypotheses, StopNote, after_sprt, estimate};

/// Examples at the end of the help.
const EXAMPLE: &str = "\
Example:
  leitai calc after-sprt --elo0 -3 --elo1 1 \\
      --pentanomial 1187,7410,13475,7378,1164";

/// Estimate Elo after a finished SPRT, without the bias of its stopping rule.
///
/// A match that stops when its result looks good looks better than it is. The median-unbiased
/// estimate and its interval account for that; the output shows them next to the naive ones of a
/// match of fixed length. All estimates are logistic Elo, for any scale of the hypotheses. The
/// numbers are the same as fishtest's. There are none for fewer than six results or for results
/// that are all alike, because these do not determine the scatter.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLE,
    override_usage = own_usage("leitai calc after-sprt --elo0 <ELO> --elo1 <ELO> --pentanomial <COUNTS>\n       \
                      leitai calc after-sprt --elo0 <ELO> --elo1 <ELO> --trinomial <COUNTS>")
)]
pub(super) struct Arguments {
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    counts: CountArguments,
    /// Print JSON: `{"elo_median_unbiased": …, "ci_low": …, "ci_high": …, "los": …, "clamped": …,
    /// …}`.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct AfterSprtOutput {
    #[serde(flatten)]
    test: Hypotheses,
    alpha: f64,
    beta: f64,
    elo_median_unbiased: Option<f64>,
    ci_low: Option<f64>,
    ci_high: Option<f64>,
    los: Option<f64>,
    clamped: bool,
    /// The exact log-likelihood ratio, and Wald's bounds.
    llr: f64,
    llr_lower: f64,
    llr_upper: f64,
    /// Estimate for a fixed number of games.
    elo_naive: Option<f64>,
    naive_low: Option<f64>,
    naive_high: Option<f64>,
    naive_los: Option<f64>,
    games: u64,
    note: Option<&'static str>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let counts = arguments.counts.get()?;
    let results = counts.multinomial();
    let (hypotheses, rates) = (arguments.terms.hypotheses()?, arguments.terms.rates()?);
    let after = after_sprt(results, hypotheses, rates).supported_by(results);
    let naive = estimate(results);
    let llr = llr(results, &hypotheses);
    let text = text(&arguments.terms, counts, &after, &naive, llr);
    json.answer(
        &AfterSprtOutput {
            test: hypotheses,
            alpha: rates.alpha(),
            beta: rates.beta(),
            elo_median_unbiased: after.elo_median_unbiased,
            ci_low: after.ci_low,
            ci_high: after.ci_high,
            los: after.los,
            clamped: after.clamped,
            llr,
            llr_lower: after.lower,
            llr_upper: after.upper,
            elo_naive: naive.elo.value,
            naive_low: naive.elo.low,
            naive_high: naive.elo.high,
            naive_los: naive.los,
            games: naive.games,
            note: after.note.map(StopNote::text).or(counts.note()),
        },
        || text,
    )
}

fn text(terms: &Terms, counts: Counts, after: &AfterSprt, naive: &Estimate, llr: f64) -> String {
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.2}"));
    let percent =
        |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{:.1} %", 100.0 * x));
    let row = |name: &str, [elo, low, high]: [Option<f64>; 3], los| {
        format!(
            "{name:<17} {:>8}   {:>8} .. {:<8}   {:>7}",
            number(elo),
            number(low),
            number(high),
            percent(los)
        )
    };
    let unbiased = [after.elo_median_unbiased, after.ci_low, after.ci_high];
    let biased = [naive.elo.value, naive.elo.low, naive.elo.high];
    let mut lines = vec![
        terms.line(),
        counts.to_string(),
        format!(
            "LLR {}, Wald's bounds {:.4} and {:.4}",
            rounded(llr, 4),
            after.lower,
            after.upper
        ),
        String::new(),
        "                       Elo       95 %                    LOS".to_owned(),
        row("median-unbiased", unbiased, after.los),
        row("naive (biased)", biased, naive.los),
    ];
    for note in [after.note.map(StopNote::text), counts.note()] {
        lines.extend(note.map(|note| format!("\nnote: {note}")));
    }
    lines.join("\n")
}
