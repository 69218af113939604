//! Runs: the record, the plan, dispatch of pairs, gates, studies, tunes, fits, replay, and figures
//! as data.

pub mod figures;
pub mod gate;
pub mod results;
pub mod store;
pub mod study;
pub mod texel;
pub mod tournament;
