//! From a scheduled pair to its record: the game loop, adjudication, the pool of workers and the
//! sequencer that orders finished pairs.

mod adjudication;
mod cancel;
pub(crate) mod clock;
mod cores;
mod evidence;
mod game;
mod pair;
mod pool;
mod processors;
mod record;
mod spare;
mod workers;

pub use cancel::Cancel;
pub use cores::{Cores, CoresError, Pin, count_cores, count_unreserved};
pub use evidence::{Evidence, EvidenceList};
pub use game::{Halt, Terms, play_game};
pub use pair::{PairOutcome, Players, play_pair};
pub use pool::{Sequencer, in_order, work, work_all};
pub use processors::{Processors, ProcessorsError};
pub use record::{
    Fault, GameRecord, MoveReport, MoveTimes, PairRecord, Ply, UNREPORTED, transcript_hash,
};
pub use spare::RepeatBudget;
pub use workers::{Completed, Dispute, LocalWorkers, Unit, Window, WorkerPool};
