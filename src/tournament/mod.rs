//! A whole tournament: the plan, the driver that plays it pair by pair into
//! the record, the standings as a fold over the record, and the replay that
//! verifies it.

mod driver;
mod plan;
mod standings;
mod verify;

pub use driver::{Ending, Event, RunError, Source, play, standings_of};
pub use plan::Plan;
pub use standings::{Counted, Standings, Tally};
pub use verify::{Mismatch, Verified, verify};
