//! A tune as the record knows it: how far it is, and whether it is sound.

use std::path::Path;

use serde::Serialize;

use super::Exit;
use super::failure::Outcome;
use super::program;
use super::terminal::{note, say, say_json};
use crate::config::path_word;
use crate::count::count;
use crate::report::{ClockScale, FailureSummary, clock_scales, failed};
use crate::store::{RunEntry, Store};
use crate::tournament::{Gap, RunError, TunePlan, batch_faults, batch_gap, check_batches};

#[derive(Serialize)]
struct Reported<'a> {
    run: &'a str,
    /// What kind of run it is.
    kind: &'static str,
    game: &'a str,
    variant: &'a str,
    algorithm: &'a str,
    dimensions: usize,
    batches: u64,
    /// Pairs that are recorded.
    recorded: u64,
    /// Pairs of the whole tune.
    pairs: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<ClockScale>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failures: Option<FailureSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    /// The command that tells its values.
    values: String,
}

/// Says what a recorded tune is, and what tells its values.
pub(super) fn report(
    plan: &TunePlan,
    store: &Store,
    entry: &RunEntry,
    path: &Path,
    json: bool,
) -> Outcome {
    let tune = &plan.tune;
    let [batches, recorded] = store.count_batches(&entry.handle)?;
    let rows = store.batches(&entry.handle)?;
    let (faults, gap) = (batch_faults(&rows, tune.variant), batch_gap(&rows));
    tell_gap(gap);
    let config = path_word(Path::new(&entry.meta.source_name));
    let reported = Reported {
        run: &entry.meta.id,
        kind: "tune",
        game: plan.config.game.name(),
        variant: &plan.start().name,
        algorithm: tune.algorithm.name(),
        dimensions: tune.dimensions.len(),
        batches,
        recorded,
        pairs: entry.meta.pairs,
        clocks: clock_scales(&plan.config, &plan.speeds),
        failures: FailureSummary::of(&plan.config, &faults),
        gap,
        values: format!(
            "{} tune {config} --store {}",
            program::name(),
            path_word(path)
        ),
    };
    if json {
        say_json(&reported)?;
        return Ok(Exit::Success);
    }
    say(&format!(
        "{}: a tune of `{}` by {}, {}, {recorded} of {} in {}",
        reported.game,
        reported.variant,
        reported.algorithm,
        count(reported.dimensions as u64, "dimension", "dimensions"),
        count(reported.pairs, "pair", "pairs"),
        count(batches, "batch", "batches"),
    ))?;
    for scale in &reported.clocks {
        say(&scale.sentence())?;
    }
    if let Some(failures) = &reported.failures {
        say(&format!("\n{}", failed(failures).trim_end()))?;
    }
    let whole = if recorded < reported.pairs {
        "plays what is left and tells its values"
    } else {
        "tells its values again"
    };
    say(&format!("\nThis {whole}:\n  {}", reported.values))?;
    Ok(Exit::Success)
}

/// Tells on standard error of pairs or batches that are left out.
pub(super) fn tell_gap(gap: Option<Gap>) {
    if let Some(gap) = gap {
        note(&format!("note: {gap}"));
    }
}

#[derive(Default, Serialize)]
struct Verified<'a> {
    run: &'a str,
    kind: &'static str,
    batches: u64,
    /// Batches that were asked for again from the results of those before.
    followed: u64,
    pairs: u64,
    /// Pairs that were played again: the games of a tune are not recorded.
    replayed: u64,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    differences: Vec<Difference>,
}

#[derive(Serialize)]
struct Difference {
    batch: u64,
    what: String,
}

/// Checks the batches of a recorded tune, as far as that goes without its games.
pub(super) fn verify(plan: &TunePlan, store: &Store, entry: &RunEntry, json: bool) -> Outcome {
    let [batches, pairs] = store.count_batches(&entry.handle)?;
    let mut verified = Verified {
        run: &entry.meta.id,
        kind: "tune",
        batches,
        pairs,
        complete: true,
        ..Verified::default()
    };
    match check_batches(plan.tuner()?, store, &entry.handle) {
        Ok(checked) => {
            (verified.batches, verified.pairs) = (checked.batches, checked.pairs);
            verified.followed = checked.followed;
            verified.gap = checked.gap;
        }
        Err(RunError::OtherBatch(batch)) => {
            verified.followed = batch;
            let what = "the tuner asks for other players, or other games".to_owned();
            verified.differences.push(Difference { batch, what });
        }
        Err(other) => return Err(other.into()),
    }
    tell_gap(verified.gap);
    let same = verified.differences.is_empty();
    if json {
        say_json(&verified)?;
    } else {
        for difference in &verified.differences {
            say(&format!("batch {}: {}", difference.batch, difference.what))?;
        }
        let rest = match (same, verified.batches - verified.followed) {
            (false, _) => format!(", those before batch {} follow", verified.followed),
            (true, 0) => ", and follow".to_owned(),
            (true, _) => format!(", the first {} follow", verified.followed),
        };
        say(&format!(
            "{} of {}: all as they were written{rest} from each other by the plan\n\
             the games of a tune are not recorded, so that none was replayed",
            count(verified.batches, "batch", "batches"),
            count(verified.pairs, "pair", "pairs"),
        ))?;
    }
    Ok(if same { Exit::Success } else { Exit::Failure })
}
