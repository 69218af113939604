//! Warns before the first game if a gate cannot decide.

use crate::Listener;
use leitai_base::count::count;
use leitai_config::GameChoice;
use leitai_runs::gate::{MissingProperty, Shortfall, Trials};

/// Warns if the gate will most likely be inconclusive; `name` is its name in the message. Without a
/// forecast, reports nothing.
pub fn warn(
    name: &str,
    trials: &Trials,
    game: &GameChoice,
    openings: usize,
    listener: &dyn Listener,
) {
    let Ok(Some(short)) = Shortfall::of(trials, game.card.facts().usual_spread) else {
        return;
    };
    let hypotheses = trials.gate.hypotheses;
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    let Shortfall { pairs, .. } = short;
    let is_book = pairs == openings as u64;
    let is_used_up = pairs < trials.rounds;
    let of_pairs = count(pairs, "pair", "pairs");
    let openings = count(openings as u64, "opening", "openings");
    let from = if is_used_up {
        format!("{of_pairs} (no more can differ in a book of {openings})")
    } else if is_book {
        format!("{of_pairs}, as many as there are openings,")
    } else {
        of_pairs
    };
    let enough = match short.enough {
        None => "no permitted number of pairs would suffice".to_owned(),
        Some(enough) if is_used_up => format!(
            "about {enough} different pairs would suffice, which need more openings (`leitai \
             openings generate`), not `max_pairs`"
        ),
        Some(enough) if is_book => format!(
            "about {enough} openings would suffice, or `exhausted = \"vary\"` under `[openings]` \
             and no smaller `max_pairs`: later laps start from other positions at the same ply"
        ),
        Some(enough) => format!("`max_pairs` of about {enough} would suffice"),
    };
    let problem = match short.missing {
        MissingProperty::Decision(share) => format!(
            "end inconclusive: within {from}, {:.0} % of such tests have no verdict even if the \
             true Elo is `elo0` = {elo0} or `elo1` = {elo1}",
            100.0 * share
        ),
        MissingProperty::Power(power) => format!(
            "reject every candidate: within {from} it accepts only {:.0} % even of candidates as \
             strong as `elo1` = {elo1}",
            100.0 * power
        ),
    };
    listener.warn(format!(
        "{name} will most likely {problem}\n\
         help: {enough}; or move `elo0` and `elo1` apart. `gate --plan` shows the cost of each"
    ));
}
