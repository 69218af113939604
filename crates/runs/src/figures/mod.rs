//! The figures of runs, gates and tunes as data: the only source of all reports.

mod clocks;
mod failures;
pub mod gate;
mod latency;
pub mod number;
mod play;
mod pv_summary;
mod starts;
mod summary;
pub mod tune;
mod workers;

pub use clocks::{
    ClockScale, NodeBudget, clock_scales, equal_time_note, node_budgets, uneven_speeds,
};
pub use failures::{
    FailingVariant, FailureCount, FailureEvidence, FailureShare, FailureSummary, FirstFailure,
    Lateness,
};
pub use latency::Latency;
pub use play::PlaySummary;
pub use pv_summary::PvSummary;
pub use starts::{LapSummary, LapsSummary, StartPly};
pub use summary::{CauseCount, PairingRow, Results, Summary, VariantRating, VariantRow};
pub use workers::{PairingOfWorkers, WorkerRow, WorkersSummary};
