//! A whole tournament: the plan, the driver that plays it pair by pair into the record, the
//! standings as a fold over the record, and the replay that verifies it. A [`Goal`] decides which
//! pairs are needed, and so when the run ends.

mod aside;
mod batch_runner;
mod batches;
mod dispatch;
mod driver;
mod failing;
mod faults;
mod fold;
mod goal;
mod lines_warned;
mod made;
mod pace;
mod places;
mod plan;
mod reach;
mod related;
mod remote;
mod remote_plan;
mod standings;
mod taken;
mod tune_plan;
mod value_failures;
mod verify;
mod wire;
mod workers;

pub use aside::play_aside;
pub use batch_runner::{BatchRunner, PlayerFactory};
pub use batches::{
    CheckedBatches, FailingPlayer, Played as PlayedBatches, TuneEvent, batch_faults, batch_gap,
    batch_reliability, check_batches, play_batches,
};
pub use dispatch::Answer;
pub use driver::{Ending, Event, RunError, Source, Stop, Warned, play, play_for};
pub use failing::{FailedGames, Failing, Reliability, comes_out_the_same};
pub use faults::{Counts, Faults, FirstFault};
pub use fold::{Fold, recalled};
pub use goal::{Goal, Margins, Replay};
pub use lines_warned::{PvTallies, PvTally};
pub use made::each_made;
pub use pace::{Pace, pilot, recorded_pace};
pub use places::{Place, Places};
pub use plan::{Carried, ExecutionOptions, Plan, player_of};
pub use reach::{Beyond, Gap, Reach};
pub use remote::{DescribedOpening, Description, Forgotten, Remote, Unreachable};
pub use remote_plan::{RemotePlan, pair_of};
pub use standings::{Counted, Laps, Met, Standings, StartPlies, Tally};
pub use taken::{Questions, Taken};
pub use tune_plan::{BadTune, TunePlan, tune_parts};
pub use value_failures::{DimensionValue, ValueReliability};
pub use verify::{Mismatch, Replaying, Verified, verify, verify_tune};
pub use wire::{WireError, answer_message, fingerprint, read_answer, read_unit, unit_message};
pub use workers::{WorkerTally, Workers};
