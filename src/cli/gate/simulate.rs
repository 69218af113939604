//! `leitai gate --simulate N`: simulates the gate.

use std::num::NonZeroU64;
use std::sync::atomic::AtomicBool;

use super::plan::assumed;
use crate::cli::display::Bar;
use crate::cli::prelude::*;
use crate::gate::{Rehearsal, Rehearsed, Spread, Trials, UsualSpread};
use crate::play::in_order;
use crate::report::gate::{GateSummary, Terms, question};
use crate::stats::Ranged;

#[derive(Serialize)]
struct Answer<'a> {
    test: &'a Terms,
    spread: Spread,
    at: &'a [Rehearsed],
    note: Option<&'a str>,
}

/// Options of a simulation.
pub(super) struct Way<'a> {
    pub(super) gates: NonZeroU64,
    pub(super) seed: u64,
    pub(super) threads: NonZeroUsize,
    pub(super) cancel: &'a AtomicBool,
    pub(super) quiet: bool,
    pub(super) json: Json,
}

/// Simulates the gate at H0 and at H1, and prints its outcomes.
pub(super) fn tell(
    summary: &GateSummary,
    trials: &Trials,
    usual: UsualSpread,
    way: Way<'_>,
) -> Outcome {
    let rehearsals = Rehearsal::of(trials, usual)?;
    let mut at = Vec::new();
    let bar = Bar::new(2 * way.gates.get(), "gates", way.quiet);
    for rehearsal in &rehearsals {
        let before = at.len() as u64 * way.gates.get();
        let play = |number| rehearsal.play(way.seed, number);
        let progress = |done| bar.set(before + done);
        let gates = in_order(way.gates.get(), way.threads, way.cancel, play, progress);
        let Some(gates) = gates else {
            return Ok(Exit::Interrupted);
        };
        at.push(rehearsal.sum_up(&gates)?);
    }
    bar.finish();
    let [Rehearsal { spread, note, .. }, _] = &rehearsals;
    let (spread, note) = (*spread, note.as_deref());
    if !way.json.is_printed() {
        print(&render(summary, spread, &at, note))?;
    }
    way.json.write(&Answer {
        test: &summary.test,
        spread,
        at: &at,
        note,
    })?;
    Ok(Exit::Success)
}

fn render(summary: &GateSummary, spread: Spread, at: &[Rehearsed], note: Option<&str>) -> String {
    let source = match spread {
        Spread::Assumed(usual) => assumed(usual),
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
        format!(
            "{:>9}  {:>8}  {:>16}  {:>8}  {:>12}  {:>11}  {:>11}",
            "true Elo", "accepted", "95 %", "rejected", "inconclusive", "mean pairs", "95 % within"
        ),
    ];
    for point in at {
        let check = &point.check;
        let share = |part: u64| 100.0 * part as f64 / check.runs.max(1) as f64;
        lines.push(format!(
            "{:>+9.1}  {:>6.1} %  {:>16}  {:>6.1} %  {:>10.1} %  {:>11.0}  {:>11}",
            point.elo + 0.0,
            share(check.accepted),
            shares(&check.pass_rate),
            share(check.rejected),
            share(check.undecided),
            check.mean_games.unwrap_or_default() / 2.0,
            check.games_95.unwrap_or_default() / 2,
        ));
    }
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
