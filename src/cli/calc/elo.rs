//! `leitai calc elo`: estimates of the strength difference from counts.

use super::counts::{CountArguments, Counts};
use super::words::{percent, ranged, signed};
use crate::cli::prelude::*;
use crate::cli::program::own_usage;
use leitai_stats::{Basis, Customary, Estimate, estimate};

/// Examples at the end of the help.
const EXAMPLE: &str = "\
Example:
  leitai calc elo --pentanomial 10,40,100,60,15";

/// Estimate Elo difference, normalized Elo and likelihood of superiority.
///
/// Intervals are two-sided 95 %. With ordinary results they are those of fishtest and fastchess; if
/// that formula breaks down (few, one-sided or nearly constant results), pseudo-counts are added,
/// and `basis` reports it. They hold for a number of games fixed beforehand: after a test that
/// stopped by its result they are biased.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLE,
    override_usage = own_usage("leitai calc elo --pentanomial <COUNTS>\n       \
                      leitai calc elo --trinomial <COUNTS>")
)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    counts: CountArguments,
    /// Print JSON; values that cannot be estimated are null, and `note` gives the reason.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// The JSON output.
#[derive(Serialize)]
struct EloOutput {
    score: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    nelo: Option<f64>,
    nelo_low: Option<f64>,
    nelo_high: Option<f64>,
    los: Option<f64>,
    games: u64,
    pairs: Option<u64>,
    score_low: Option<f64>,
    score_high: Option<f64>,
    /// LOS on the basis of the intervals.
    los_cautious: Option<f64>,
    /// Limits that include the error of the standard deviation.
    nelo_full_low: Option<f64>,
    nelo_full_high: Option<f64>,
    basis: Basis,
    /// The customary limits, even if they are not valid.
    customary: Option<Customary>,
    /// Share of drawn games; unknown for pair counts.
    draw_ratio: Option<f64>,
    /// Limits of `draw_ratio` from pair counts.
    draw_ratio_limits: Option<(f64, f64)>,
    /// Share of level pairs.
    level_ratio: Option<f64>,
    /// Pairs won divided by pairs lost.
    pair_ratio: Option<f64>,
    note: Option<String>,
}

impl EloOutput {
    fn new(counts: Counts, estimate: &Estimate) -> Self {
        let (pairs, games) = match counts {
            Counts::Pairs(pairs) => (Some(pairs), None),
            Counts::Games(games) => (None, Some(games)),
        };
        Self {
            score: estimate.score.value,
            elo: estimate.elo.value,
            elo_low: estimate.elo.low,
            elo_high: estimate.elo.high,
            nelo: estimate.nelo.value,
            nelo_low: estimate.nelo.low,
            nelo_high: estimate.nelo.high,
            los: estimate.los,
            games: estimate.games,
            pairs: counts.pairs(),
            score_low: estimate.score.low,
            score_high: estimate.score.high,
            los_cautious: estimate.los_cautious,
            nelo_full_low: estimate.nelo_full.low,
            nelo_full_high: estimate.nelo_full.high,
            basis: estimate.basis,
            customary: estimate.customary,
            draw_ratio: games.and_then(|games| games.draw_ratio()),
            draw_ratio_limits: pairs.and_then(|pairs| pairs.draw_ratio_limits()),
            level_ratio: pairs.and_then(|pairs| pairs.level_ratio()),
            pair_ratio: pairs.and_then(|pairs| pairs.pair_ratio()),
            note: notes(counts, estimate),
        }
    }
}

/// Returns the reasons for missing values and for values that are not the customary ones.
fn notes(counts: Counts, estimate: &Estimate) -> Option<String> {
    let mut notes = Vec::new();
    if estimate.basis != Basis::Customary {
        notes.push(estimate.basis.note());
    }
    if estimate.units > 0 && estimate.elo.value.is_none() {
        notes.push("every game had the same winner: no finite Elo");
    }
    if estimate.elo.value.is_some() && estimate.nelo.value.is_none() {
        notes.push("no spread: no finite normalized Elo");
    }
    notes.extend(counts.note());
    (!notes.is_empty()).then(|| notes.join("; "))
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let counts = arguments.counts.get()?;
    let estimate = estimate(counts.multinomial());
    let answer = EloOutput::new(counts, &estimate);
    json.answer(&answer, || text(counts, &estimate, &answer))
}

fn text(counts: Counts, estimate: &Estimate, answer: &EloOutput) -> String {
    let los = estimate.los_cautious.map(|los| {
        let los = percent(los);
        format!("{los}: how likely the first player is the stronger one")
    });
    let draws = answer.draw_ratio.map(percent);
    let level = answer.level_ratio.map(percent);
    let decided = answer.pair_ratio;
    let ratios = [
        draws.map(|ratio| format!("{ratio} of the games drawn")),
        level.map(|ratio| format!("{ratio} of the pairs level")),
        decided.map(|ratio| format!("{ratio:.3} pairs won per pair lost")),
    ];
    let ratios: Vec<String> = ratios.into_iter().flatten().collect();
    let rows = [
        ("Score", Some(ranged(&estimate.score, percent))),
        ("Elo", Some(ranged(&estimate.elo, signed))),
        ("nElo", Some(ranged(&estimate.nelo, signed))),
        ("LOS", los),
        (
            "Ratios",
            Some(ratios.join(", ")).filter(|text| !text.is_empty()),
        ),
        ("note:", answer.note.clone()),
    ];
    let rows = rows
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)));
    let rows = rows.map(|(name, text)| format!("\n{name:<8}{text}"));
    format!("{counts}{}", rows.collect::<String>())
}
