//! `leitai gate --simulate N`: simulates the gate.

use super::plan::assumed;
use crate::cli::prelude::*;
use leitai_players::play::in_order;
use leitai_report::gate::{GateSummary, Terms, question};
use leitai_runs::gate::{Rehearsal, Rehearsed, Spread};
use leitai_session::Session;
use leitai_session::gate::Outlook;
use leitai_stats::Ranged;

#[derive(Serialize)]
struct SimulationOutput<'a> {
    test: &'a Terms,
    spread: Spread,
    at: &'a [Rehearsed],
    note: Option<&'a str>,
}

/// Simulates the gate at H0 and at H1, and prints its outcomes.
pub(super) fn run(
    gates: NonZeroU64,
    Outlook { plan, trials, .. }: &Outlook,
    session: &Session<'_>,
    is_quiet: bool,
    json: Json,
) -> Outcome {
    let summary = &GateSummary::new(plan, trials);
    let usual = plan.config.game.card.facts().usual_spread;
    let rehearsals = Rehearsal::of(trials, usual)?;
    let gates = gates.get();
    let mut at = Vec::new();
    let bar = Bar::new(2 * gates, "gates", is_quiet);
    for rehearsal in &rehearsals {
        let before = at.len() as u64 * gates;
        let play = |number| rehearsal.play(plan.config.seed, number);
        let progress = |done| bar.set(before + done);
        let played = in_order(gates, session.threads, session.cancel, play, progress);
        let Some(played) = played else {
            return Ok(Exit::Interrupted);
        };
        at.push(rehearsal.sum_up(&played)?);
    }
    bar.finish();
    let [Rehearsal { spread, note, .. }, _] = &rehearsals;
    let (spread, note) = (*spread, note.as_deref());
    let answer = SimulationOutput {
        test: &summary.test,
        spread,
        at: &at,
        note,
    };
    json.answer(&answer, || render(summary, spread, &at, note))
}

fn render(summary: &GateSummary, spread: Spread, at: &[Rehearsed], note: Option<&str>) -> String {
    let source = match spread {
        Spread::Assumed(usual) | Spread::AssumedOfGames(usual) => assumed(usual),
        Spread::Recorded(pairs) => format!(
            "as in {}",
            count(pairs.pairs(), "recorded pair", "recorded pairs")
        ),
    };
    let mut lines = vec![
        question(&summary.test),
        format!(
            "spread    {source}; at most {}\n",
            count(summary.test.max_pairs, "pair", "pairs")
        ),
    ];
    let header = "true Elo,accepted,95 %,rejected,inconclusive,mean pairs,95 % within";
    let mut rows = vec![leitai_report::header(header)];
    for point in at {
        let check = &point.check;
        let share = |part: u64| format!("{:.1} %", 100.0 * part as f64 / check.runs.max(1) as f64);
        rows.push(vec![
            format!("{:+.1}", point.elo + 0.0),
            share(check.accepted),
            shares(&check.pass_rate),
            share(check.rejected),
            share(check.undecided),
            format!("{:.0}", check.mean_games.unwrap_or_default() / 2.0),
            (check.games_95.unwrap_or_default() / 2).to_string(),
        ]);
    }
    lines.push(table(&rows, 1, |_| false));
    if let Some(note) = note {
        lines.push(format!("\nnote: {note}"));
    }
    lines.join("\n")
}

fn shares(rate: &Ranged) -> String {
    match (rate.low, rate.high) {
        (Some(low), Some(high)) => format!("{:.1} .. {:.1} %", 100.0 * low, 100.0 * high),
        _ => "-".to_owned(),
    }
}
