//! Runs: dispatch of pairs, the record, gates, studies, tunes and fits, and their figures as data.

pub mod figures;
pub mod gate;
pub mod results;
pub mod store;
pub mod study;
pub mod texel;
pub mod tournament;
