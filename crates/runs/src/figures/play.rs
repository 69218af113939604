//! Limits, move times, workers and failures of games, for the summaries of runs and gates.

use serde::Serialize;

use super::{
    ClockScale, FailureSummary, Latency, NodeBudget, PvSummary, WorkersSummary, clock_scales,
    node_budgets,
};
use crate::tournament::{Plan, Standings};

/// The circumstances of the games.
#[derive(Clone, Debug, Serialize)]
pub struct PlaySummary {
    /// Nodes of each variant at equal time; absent unless the config asks for equal time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub equal_time: Vec<NodeBudget>,
    /// Clock scale at each start of the run; absent if clocks were not scaled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<ClockScale>,
    /// Move times of each variant; absent unless a clock limits play.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub latencies: Vec<Latency>,
    /// The workers, if there are several; absent unless a clock limits play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<WorkersSummary>,
    /// Warnings about the principal variations that players report; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv_warnings: Vec<PvSummary>,
    /// Failures of players; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<FailureSummary>,
}

impl PlaySummary {
    pub(super) fn of(plan: &Plan, standings: &Standings) -> Self {
        Self {
            equal_time: node_budgets(&plan.config),
            clocks: clock_scales(&plan.config, &plan.speeds),
            latencies: Latency::by_the_clock(&plan.config, standings),
            workers: WorkersSummary::by_the_clock(&plan.config, standings),
            pv_warnings: PvSummary::all(&plan.config, &standings.pv_warnings),
            failures: FailureSummary::of(&plan.config, &standings.faults, &|variant| {
                standings.reliability.of(variant)
            }),
        }
    }

    /// Adds times and complete evidence, which differ whenever the same games are played.
    pub fn add_times(&mut self, plan: &Plan, standings: &Standings) {
        self.latencies = Latency::all(&plan.config, standings);
        self.workers = WorkersSummary::all(&plan.config, standings);
        self.failures = self.failures.take().map(FailureSummary::with_times);
    }
}
