//! Reports on a recorded tune, during play and afterwards.

use super::Learnt;
use super::games::SAMPLES;
use super::page::{add_games, empty_report, gate_row};
use crate::recorded::recorded_plan;
use crate::{Failure, Reader};
use leitai_config::{Gate, Variant};
use leitai_runs::figures::gate::GateSummary;
use leitai_runs::figures::tune::{StageRow, TuneReport};
use leitai_runs::gate::recorded_trials;
use leitai_runs::store::{BatchRow, RunEntry, Store};
use leitai_runs::tournament::TunePlan;
use leitai_stats::tune::trajectory;

/// Builds the report of a recorded tune's games so far; `command` repeats the whole tune. Of its
/// other stages, which are separate runs, includes those that prove the result.
///
/// # Errors
/// The record cannot be read, or its batches belong to another tune.
pub fn recorded_report(
    plan: &TunePlan,
    store: &Store,
    entry: &RunEntry,
    command: &str,
    reader: Reader<'_>,
) -> Result<TuneReport, Failure> {
    // The tuner has not learned from batches after a missing one.
    let rows = store.batches(&entry.handle)?.into_iter().zip(0..);
    let rows = rows.take_while(|(row, number)| row.number == *number);
    let rows: Vec<BatchRow> = rows.map(|(row, _)| row).collect();
    let mut tuner = plan.tuner()?;
    for row in &rows {
        tuner.tell(row.number, &row.result)?;
    }
    let results = rows.iter().map(|row| (row.number, row.result));
    let played: u64 = rows.iter().map(|row| row.elapsed_us).sum();
    let (config, seed) = (&entry.meta.source_name, plan.config.seed);
    let learnt = Learnt::new(plan, &tuner, &rows);
    let after = plan.variant(&tuner.space().nearest(&tuner.estimate()));
    let trajectory = trajectory(plan.tuner()?, results, SAMPLES)?;
    let mut report = empty_report(&plan.tune, plan.start(), config, command, seed);
    let seconds = Some(played as f64 / 1e6);
    add_games(&mut report, &learnt, trajectory, after, seconds);
    report.run.clone_from(&entry.meta.id);
    if report.games >= report.budget {
        let proofs = proofs(plan, &report.after, store, reader)?;
        report.stages.extend(proofs);
    }
    Ok(report)
}

/// Returns the gates of the same record between the start and the tuned variant.
fn proofs(
    tune: &TunePlan,
    after: &Variant,
    store: &Store,
    reader: Reader<'_>,
) -> Result<Vec<StageRow>, Failure> {
    let is = |variant: &Variant, other: &Variant| {
        Variant {
            name: other.name.clone(),
            ..variant.clone()
        } == *other
    };
    let mut stages = Vec::new();
    for entry in store.runs()? {
        // A run that this version cannot read does not prove this tune.
        let Ok(plan) = recorded_plan(store, &entry, reader) else {
            continue;
        };
        let variants = &plan.config.variants;
        let meets = |gate: &Gate| {
            is(&variants[gate.base], tune.start())
                && matches!(gate.candidates[..], [only] if is(&variants[only], after))
        };
        if !plan.config.gate.as_ref().is_some_and(meets) {
            continue;
        }
        let Some((trials, _)) = recorded_trials(&plan, store, &entry.handle)? else {
            continue;
        };
        let summary = GateSummary::new(&plan, &trials);
        let candidates = summary.candidates.iter();
        let name = &entry.meta.source_name;
        stages.extend(candidates.map(|candidate| gate_row(name, candidate, None)));
    }
    Ok(stages)
}
