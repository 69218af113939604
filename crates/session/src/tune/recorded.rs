//! Reports on a recorded tune, during play and afterwards.

use super::Learnt;
use super::learn::SAMPLES;
use crate::recorded::recorded_plan;
use crate::{Failure, Reader};
use leitai_base::count::count;
use leitai_config::{Gate, Variant};
use leitai_runs::figures::gate::{GateSummary, Outcome as Verdict, verdict_and_strength};
use leitai_runs::figures::tune::{Outcome, StageRow, TuneReport};
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
    command: String,
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
    let tune = &plan.tune;
    let learnt = Learnt::new(plan, &tuner, &rows);
    let outcome = if learnt.games < tune.games {
        Outcome::Unfinished
    } else {
        Outcome::Done
    };
    let numbers = count(learnt.dimensions.len() as u64, "number", "numbers");
    let words = format!("{numbers} by {}", tune.algorithm.name());
    let after = plan.variant(&tuner.space().nearest(&tuner.estimate()));
    let mut stages = vec![StageRow {
        name: "games".to_owned(),
        games: learnt.games,
        seconds: Some(played as f64 / 1e6),
        outcome,
        words,
        command: None,
    }];
    if learnt.games >= tune.games {
        stages.extend(proofs(plan, &after, store, reader)?);
    }
    Ok(TuneReport {
        title: plan.start().name.clone(),
        config: entry.meta.source_name.clone(),
        run: entry.meta.id.clone(),
        command,
        algorithm: tune.algorithm.name().to_owned(),
        games: learnt.games,
        budget: tune.games,
        seed: plan.config.seed,
        trajectory: trajectory(plan.tuner()?, results, SAMPLES)?,
        before: plan.start().clone(),
        after,
        ratings: Vec::new(),
        references: Vec::new(),
        stages,
        notes: learnt.page_notes(),
        correlations: learnt.error_correlations,
        dimensions: learnt.dimensions,
    })
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
        stages.extend(summary.candidates.into_iter().map(|candidate| StageRow {
            name: entry.meta.source_name.clone(),
            games: candidate.results.estimate.games,
            seconds: None,
            outcome: match (candidate.passed, candidate.verdict) {
                (Some(true), _) => Outcome::Accepted,
                (Some(false), _) => Outcome::Rejected,
                (None, Some(Verdict::Inconclusive)) => Outcome::Undecided,
                _ => Outcome::Unfinished,
            },
            words: verdict_and_strength(&candidate),
            command: None,
        }));
    }
    Ok(stages)
}
