//! From a scheduled pair to its record: the game loop, adjudication, the pool of workers and the
//! sequencer that orders finished pairs.

mod adjudication;
mod cancel;
mod clock;
mod cores;
mod crew;
mod evidence;
mod game;
mod in_order;
mod pair;
mod pool;
mod processors;
mod record;
mod spare;

pub use cancel::Cancel;
pub use cores::{Cores, CoresError, Pin};
pub use crew::{Completed, Crew, Dispute, Threads, Unit, Window};
pub use evidence::{Evidence, EvidenceList};
pub use game::{Halt, Terms, play_game};
pub use in_order::in_order;
pub use pair::{Played, Players, play_pair};
pub use pool::{Sequencer, work, work_all};
pub use processors::{Processors, ProcessorsError};
pub use record::{Fault, GameRecord, MoveTimes, PairRecord, Ply, UNREPORTED, transcript_hash};
pub use spare::Spare;
