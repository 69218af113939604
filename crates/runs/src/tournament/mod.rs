//! A whole tournament: the plan, the driver that plays it pair by pair into the record, the
//! standings as a fold over the record, and the replay that verifies it. A [`Goal`] decides which
//! pairs are needed, and so when the run ends.

mod batch_runner;
mod batches;
mod counted_pairs;
mod dispatch;
mod driver;
mod faults;
mod fold;
mod goal;
mod messages;
mod node_pairs;
mod pace;
mod pair_starts;
mod parallel_rows;
mod plan;
mod pv_tallies;
mod reliability;
mod remote;
mod remote_plan;
mod reused_pairs;
mod standings;
mod transpositions;
mod tune_plan;
mod unrecorded;
mod value_reliability;
mod verify;
mod workers;

pub use batch_runner::{BatchRunner, PlayerFactory};
pub use batches::{
    CheckedBatches, FailingPlayer, PlayedBatches, batch_faults, batch_gap, batch_reliability,
    check_batches, play_batches,
};
pub use counted_pairs::{CountedPairs, Exclusion, Gap};
pub use dispatch::PairReply;
pub use driver::{Ending, FirstPvWarning, Progress, RunError, StoppingFailure, play, play_for};
pub use faults::{Counts, Faults, FirstFault};
pub use fold::{Fold, replay_record};
pub use goal::{Goal, Margins, Replay};
pub use messages::{WireError, fingerprint, read_reply, read_unit, reply_message, unit_message};
pub use node_pairs::NodeComparison;
pub use pace::{Pace, pilot, recorded_pace};
pub use pair_starts::{PairStart, PairStarts};
pub use parallel_rows::for_each_row;
pub use plan::{ContinuedRun, ExecutionOptions, Plan, Source, player_of, recorded_book};
pub use pv_tallies::{PvTallies, PvTally};
pub use reliability::{FailedGames, Failing, Reliability, has_same_result};
pub use remote::{
    DescribedBook, DescribedOpening, RemoteWorkers, RemovedPairs, RunDescription,
    WorkersUnreachable,
};
pub use remote_plan::reply_pair;
pub use reused_pairs::{OpenPairs, ReusedPairs};
pub use standings::{CountedPair, Laps, PairUse, Standings, StartPlies, Tally};
pub use tune_plan::{BadTune, TunePlan, tune_parts};
pub use unrecorded::play_unrecorded;
pub use value_reliability::{DimensionValue, ValueReliability};
pub use verify::{Mismatch, ReplayOptions, ReplayReport, verify, verify_tune};
pub use workers::{WorkerTally, Workers};
