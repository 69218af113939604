//! Recorded runs, for the games of this program.

use super::prelude::*;
use leitai_runs::tournament::CountedPairs;
use leitai_session::recorded;

pub(crate) use leitai_session::recorded::{open_recorded, open_to_read};

/// The game of a recorded run.
pub(crate) fn recorded_game(entry: &RunEntry) -> Result<Card, Failure> {
    recorded::recorded_game(entry, games())
}

/// The plan of a recorded tournament or gate, built from the record alone.
pub(crate) fn recorded_plan(store: &Store, entry: &RunEntry) -> Result<Plan, Failure> {
    recorded::recorded_plan(store, entry, reader())
}

/// The plan of a recorded run of any kind, built from the record alone.
pub(crate) fn restored_plan(store: &Store, entry: &RunEntry) -> Result<Plan, Failure> {
    recorded::restored_plan(store, entry, reader())
}

/// The games of a record to read.
#[derive(Clone, Debug, Args)]
pub(crate) struct FromRecord {
    /// The run of a record, by its id or the first letters of it; by default the latest.
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// Include the games of leitai's runs that do not count in their results: those played beyond a
    /// verdict or beyond a missing pair; a tag marks them in PGN.
    #[arg(hide_short_help = true, long)]
    pub(crate) beyond: bool,
}

/// Reports on standard error the recorded pairs that are left out, or included on request.
pub(crate) fn report_reach(reach: &CountedPairs, beyond: bool) {
    if let Some(told) = reach.note(beyond) {
        eprint(&format!("note: {told}"));
    }
}
