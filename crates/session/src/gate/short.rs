//! Warns before the first game if a gate cannot decide.

use crate::Listener;
use leitai_base::count::count;
use leitai_config::GameChoice;
use leitai_runs::gate::{Lack, Shortfall, Trials};

/// Warns if the gate will most likely be inconclusive; `what` is its name in the message. Without a
/// forecast, reports nothing.
pub fn warn(
    what: &str,
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
    let from = if is_used_up {
        let book = count(openings as u64, "opening", "openings");
        format!("{of_pairs} (no more can differ in a book of {book})")
    } else if is_book {
        format!("{of_pairs}, as many as there are openings,")
    } else {
        of_pairs
    };
    let enough = match short.enough {
        None => "no number of pairs that may be asked for would do".to_owned(),
        Some(enough) if is_used_up => format!(
            "some {enough} pairs that differ would do, and more openings bring them (`leitai \
             openings generate`), not `max_pairs`"
        ),
        Some(enough) if is_book => format!(
            "some {enough} openings would do, or `exhausted = \"vary\"` under `[openings]` and no \
             `max_pairs` below that: later laps start from other positions at the same ply"
        ),
        Some(enough) => format!("`max_pairs` of some {enough} would do"),
    };
    let problem = match short.lack {
        Lack::Decision(share) => format!(
            "end inconclusive: within {from} {:.0} % of such tests decide nothing even if the \
             truth is `elo0` = {elo0} or `elo1` = {elo1}",
            100.0 * share
        ),
        Lack::Power(power) => format!(
            "reject whatever it is given: within {from} it accepts {:.0} % even of those that are \
             as strong as `elo1` = {elo1}",
            100.0 * power
        ),
    };
    listener.warn(format!(
        "{what} will most likely {problem}\n\
         help: {enough}; or move `elo0` and `elo1` apart. `leitai gate --plan` says what each costs"
    ));
}
