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
    CheckedBatches, FailingPlayer, Played as PlayedBatches, batch_faults, batch_gap,
    batch_reliability, check_batches, play_batches,
};
pub use counted_pairs::{Beyond, Gap, Reach};
pub use dispatch::Answer;
pub use driver::{Ending, Progress, RunError, Stop, Warned, play, play_for};
pub use faults::{Counts, Faults, FirstFault};
pub use fold::{Fold, recalled};
pub use goal::{Goal, Margins, Replay};
pub use messages::{WireError, answer_message, fingerprint, read_answer, read_unit, unit_message};
pub use pace::{Pace, pilot, recorded_pace};
pub use pair_starts::{Place, Places};
pub use parallel_rows::each_made;
pub use plan::{Carried, ExecutionOptions, Plan, Source, player_of};
pub use pv_tallies::{PvTallies, PvTally};
pub use reliability::{FailedGames, Failing, Reliability, comes_out_the_same};
pub use remote::{DescribedOpening, Description, Forgotten, Remote, Unreachable};
pub use remote_plan::pair_of;
pub use reused_pairs::{Questions, Taken};
pub use standings::{Counted, Laps, Met, Standings, StartPlies, Tally};
pub use tune_plan::{BadTune, TunePlan, tune_parts};
pub use unrecorded::play_aside;
pub use value_reliability::{DimensionValue, ValueReliability};
pub use verify::{Mismatch, Replaying, Verified, verify, verify_tune};
pub use workers::{WorkerTally, Workers};
