//! Says before the first game that a gate cannot decide.

use crate::cli::common::{Failure, note};
use crate::config::{Config, Control, Exhausted, Failures, GameChoice, Gate, Proof, TestKind};
use crate::gate::{Shortfall, Trials, Usual};
use crate::schedule::Schedule;
use crate::stats::Bets;

/// Warns if the gate will most likely end inconclusive; `what` is what it is called.
/// Nothing is said where there is no forecast.
pub(in crate::cli) fn warn(what: &str, trials: &Trials, game: &GameChoice, openings: usize) {
    let Ok(Some(short)) = Shortfall::of(trials, Usual::of(game)) else {
        return;
    };
    let hypotheses = trials.gate().hypotheses;
    let Shortfall { pairs, .. } = short;
    let is_book = pairs == openings as u64;
    let from = if is_book {
        format!("{pairs} pairs, as many as there are openings,")
    } else {
        format!("{pairs} pairs")
    };
    let enough = match short.enough {
        None => "no number of pairs that may be asked for would do".to_owned(),
        Some(enough) if is_book => format!(
            "some {enough} openings would do, or `exhausted = \"vary\"` under `[openings]` and no \
             `max_pairs` below that: each opening is then played again with random plies behind it"
        ),
        Some(enough) => format!("`max_pairs` of some {enough} would do"),
    };
    note(&format!(
        "warning: {what} will most likely end inconclusive: within {from} {:.0} % of such tests \
         decide nothing even if the truth is `elo0` = {} or `elo1` = {}\n\
         help: {enough}; or move `elo0` and `elo1` apart. `leitai gate --plan` says what each costs",
        100.0 * short.inconclusive,
        hypotheses.elo0(),
        hypotheses.elo1(),
    ));
}

/// Warns likewise of the proof of a tune, which is a gate between the start and what was
/// tuned, over a book of so many openings.
///
/// # Errors
/// The proof is no test.
pub(in crate::cli) fn warn_of_proof(
    config: &Config,
    (start, proof): (usize, &Proof),
    openings: usize,
) -> Result<(), Failure> {
    let mut config = config.clone();
    let Some(tuned) = config.variants.get(start).cloned() else {
        return Ok(());
    };
    let gate = Gate {
        base: start,
        candidates: vec![config.variants.len()],
        test: TestKind::Gsprt { overshoot: true },
        bets: Bets::default(),
        hypotheses: proof.hypotheses,
        errors: proof.errors,
        max_pairs: proof.max_pairs,
        alike_pairs: 0,
        control: Control::None,
        failures: Failures::Stop,
    };
    config.variants.push(tuned);
    if config.openings.exhausted == Exhausted::Error && !config.game.is_go() {
        config.openings.exhausted = Exhausted::Vary;
    }
    config.gate = Some(gate.clone());
    let schedule = Schedule::new(&config, openings)?;
    let trials = Trials::new(&gate, &schedule)?;
    warn("the proof", &trials, &config.game, openings);
    Ok(())
}
