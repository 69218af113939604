//! The figures of runs, gates and tunes as data: the only source of all reports.

mod clocks;
mod failures;
pub mod gate;
mod latency;
pub mod number;
mod pv_summary;
mod starts;
mod summary;
pub mod tune;
mod workers;

pub use clocks::{ClockScale, NodeBudget, at_equal_time, clock_scales, node_budgets, uneven};
pub use failures::{
    FailingVariant, FailureCount, FailureEvidence, FailureShare, FailureSummary, FirstFailure,
    Lateness,
};
pub use latency::Latency;
pub use pv_summary::PvSummary;
pub use starts::{LapSummary, LapsSummary, StartPly};
pub use summary::{CauseCount, RatedAs, Results, Row, Summary, Versus};
pub use workers::{OfTheseWorkers, WorkerRow, WorkersSummary};
