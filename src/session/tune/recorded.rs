//! What the record tells of a tune, while it is played and after.

use super::Learnt;
use super::learn::SAMPLES;
use crate::count::count;
use crate::report::tune::{Outcome, StageRow, TuneReport};
use crate::session::Failure;
use crate::store::{RunEntry, Store};
use crate::tournament::TunePlan;
use crate::tune::trajectory;

/// What the games of a recorded tune have taught so far, for its page; `command` plays all of it
/// again. Its other stages are runs of their own.
///
/// # Errors
/// The record cannot be read, or its batches are those of another tune.
pub(crate) fn recorded_report(
    plan: &TunePlan,
    store: &Store,
    entry: &RunEntry,
    command: String,
) -> Result<TuneReport, Failure> {
    // Batches beyond one that is missing have taught nothing yet.
    let rows = store.batches(&entry.handle)?.into_iter().zip(0..);
    let rows = rows.take_while(|(row, number)| row.number == *number);
    let results: Vec<_> = rows.map(|(row, number)| (number, row.result)).collect();
    let mut tuner = plan.tuner()?;
    for (number, result) in &results {
        tuner.tell(*number, result)?;
    }
    let tune = &plan.tune;
    let learnt = Learnt::new(plan.id(), &tune.dimensions, &tuner);
    let outcome = if learnt.games < tune.games {
        Outcome::Unfinished
    } else {
        Outcome::Done
    };
    let numbers = count(learnt.dimensions.len() as u64, "number", "numbers");
    let words = format!("{numbers} by {}", tune.algorithm.name());
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
        after: plan.variant(&tuner.space().nearest(&tuner.estimate())),
        ratings: Vec::new(),
        references: Vec::new(),
        stages: vec![StageRow {
            name: "games".to_owned(),
            games: learnt.games,
            seconds: None,
            outcome,
            words,
            command: None,
        }],
        notes: learnt.notes,
        dimensions: learnt.dimensions,
    })
}
