//! Runs of a record, by the games of this program.

use clap::Args;

use super::failure::Failure;
use super::games::{Card, games};
use super::terminal::{note, reader};
use crate::session::recorded;
use crate::store::{RunEntry, Store};
use crate::tournament::{Plan, Reach, TunePlan};

pub(crate) use crate::session::recorded::{open_recorded, open_to_read};

/// The game of a recorded run.
pub(crate) fn recorded_game(entry: &RunEntry) -> Result<Card, Failure> {
    recorded::recorded_game(entry, games())
}

/// The plan of a recorded run, from the record alone.
pub(crate) fn recorded_plan(store: &Store, entry: &RunEntry) -> Result<Plan, Failure> {
    recorded::recorded_plan(store, entry, reader())
}

/// The plan of a recorded tune, from the record alone; `None` if the run is none.
pub(crate) fn recorded_tune(store: &Store, entry: &RunEntry) -> Result<Option<TunePlan>, Failure> {
    recorded::recorded_tune(store, entry, reader())
}

/// Which games of a record are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct FromRecord {
    /// The run of a record, by its id or the beginning of it; the latest if not
    /// given.
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// Take in also the games of our own runs that their results are not made of, which
    /// were played beyond a verdict or beyond a pair that is missing; in PGN a tag marks
    /// them.
    #[arg(long)]
    pub(crate) beyond: bool,
}

/// Tells on standard error which recorded pairs are left out, or taken in as was asked.
pub(crate) fn tell_reach(reach: &Reach, beyond: bool) {
    let told = if beyond {
        reach.marked()
    } else {
        reach.gap().map(|gap| gap.to_string())
    };
    if let Some(told) = told {
        note(&format!("note: {told}"));
    }
}
