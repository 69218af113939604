//! Costs of a search, and its progress events.

use super::solution::{Effort, End, Event, SolveLimits};
use crate::search::limits::{Budget, Searched};

/// An optional receiver of events.
pub(super) type Watch<'a> = Option<&'a mut dyn FnMut(Event)>;

/// Counts nodes, checks the limits, and reports to the watcher.
pub(super) struct Meter<'a> {
    budget: Budget<'a>,
    pub(super) effort: Effort,
    watch: Watch<'a>,
    next: u64,
}

/// Number of nodes between two polls of the stop signal: about 0.1 ms, as budgets may be less than
/// a millisecond.
const POLL: u64 = 64;

impl<'a> Meter<'a> {
    pub(super) fn new(limits: SolveLimits<'a>, watch: Watch<'a>) -> Self {
        let next = if watch.is_some() { 0 } else { u64::MAX };
        Self {
            budget: Budget::new(limits.nodes, limits.stop).polling(POLL),
            effort: Effort::default(),
            watch,
            next,
        }
    }

    /// Requests one more move.
    #[inline]
    pub(super) fn visit(&mut self) -> Searched<()> {
        self.budget.spend()?;
        self.effort.visited += 1;
        Ok(())
    }

    /// Records the distance of a position from the root.
    #[inline]
    pub(super) fn reach(&mut self, depth: usize) {
        self.effort.depth = self.effort.depth.max(depth as u32);
    }

    /// Counts a table lookup.
    #[inline]
    pub(super) fn count_lookup(&mut self, hit: bool) {
        self.effort.probes += 1;
        self.effort.hits += u64::from(hit);
    }

    /// Returns whether the next report of numbers is due.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.effort.visited >= self.next
    }

    /// Reports numbers to the watcher; the next report is due after an eighth as many moves again.
    pub(super) fn report_numbers(&mut self, pn: u32, dn: u32) {
        let visited = self.effort.visited;
        if let Some(watch) = &mut self.watch {
            watch(Event::Numbers { visited, pn, dn });
            self.next = visited + visited / 8 + 1;
        }
    }

    /// Reports an iteration to the watcher.
    pub(super) fn report_iteration(&mut self, depth: u32, value: i32) {
        let visited = self.effort.visited;
        if let Some(watch) = &mut self.watch {
            watch(Event::Iteration {
                depth,
                value,
                visited,
            });
        }
    }

    /// The reason why a search ended without a verdict.
    pub(super) fn end(&self) -> End {
        if self.budget.spent == self.budget.limit {
            End::Nodes
        } else {
            End::Stopped
        }
    }
}
