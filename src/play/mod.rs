//! Turning a pair of the schedule into a record: the game loop, adjudication,
//! the pool of workers and the sequencer that puts finished pairs in order.

mod record;

pub use record::{GameRecord, PairRecord, Ply};
