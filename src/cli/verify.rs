//! `leitai verify`: replay recorded pairs and prove that they come out the
//! same.

use std::num::NonZeroU64;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::Exit;
use super::failure::Outcome;
use super::recorded::{open_recorded, recorded_plan, recorded_tune};
use super::recorded_tune;
use super::recorded_tune::tell_gap;
use super::terminal::{say, say_json};
use super::threads::Threads;
use crate::count::count;
use crate::gate::recorded_standings;
use crate::session::memory;
use crate::signals;
use crate::tournament::{Gap, Mismatch, verify};

/// Replay recorded pairs and prove that they come out the same.
///
/// Everything that is needed is in the record: the config and the openings are
/// not read again. Exit code 1 if a pair differs.
///
/// Of a tune also its batches are checked: against their digests and the results of their
/// pairs, and their players against what the tuner asks for.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai verify --store run.sqlite
  leitai verify --store run.sqlite --every 10")]
pub(super) struct Arguments {
    /// The record.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// The run, by its id or the beginning of it; the latest if not given.
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    /// Replay only every N-th pair.
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroU64,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    replayed: u64,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    differences: &'a [Mismatch],
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (store, entry) = &open_recorded(&arguments.store, arguments.run.as_deref())?;
    if let Some(tune) = recorded_tune(store, entry)? {
        let how = (arguments.every, arguments.threads.get());
        return recorded_tune::verify(&tune, store, entry, how, arguments.json);
    }
    let plan = &recorded_plan(store, entry)?;
    if plan.config.has_programs() {
        bail!("other programs played in this run, so its games cannot be replayed");
    }
    if !entry.meta.reproducible {
        bail!("this run was limited by the clock, so its games cannot be replayed");
    }
    let variants = &plan.config.variants;
    memory::check_players(variants, plan.schedule.len(), arguments.threads.get())?;
    let cancel = signals::heed();
    let threads = arguments.threads.get();
    let verified = verify(plan, store, &entry.handle, arguments.every, threads, cancel)?;
    let differences = verified.mismatches.as_slice();
    let same = differences.is_empty();
    let (_, reach) = recorded_standings(plan, store, &entry.handle)?;
    let gap = reach.gap();
    tell_gap(gap);
    if arguments.json {
        say_json(&Answer {
            run: &entry.meta.id,
            replayed: verified.pairs,
            complete: !verified.cancelled,
            gap,
            differences,
        })?;
    } else {
        for difference in differences {
            say(&format!("pair {}: {}", difference.index, difference.what))?;
        }
        let bad = differences.len() as u64;
        let (replayed, good) = (verified.pairs, verified.pairs - bad);
        say(&format!(
            "{} replayed, {good} the same, {bad} different",
            count(replayed, "pair", "pairs")
        ))?;
    }
    Ok(match (verified.cancelled, same) {
        (_, false) => Exit::Failure,
        (true, true) => Exit::Interrupted,
        (false, true) => Exit::Success,
    })
}
