//! What a search spends, and whom it tells.

use super::solution::{Effort, End, Event, SolveLimits};
use crate::search::limits::{Budget, Searched};

/// A watcher, if there is one.
pub(super) type Watch<'a> = Option<&'a mut dyn FnMut(Event)>;

/// Counts, asks the limits, and knows when the watcher is to be told.
pub(super) struct Meter<'a> {
    budget: Budget<'a>,
    limit: Option<u64>,
    pub(super) effort: Effort,
    watch: Watch<'a>,
    next: u64,
}

/// How many nodes pass between two looks at the stop signal: some 0.1 ms, as budgets may be
/// less than a millisecond.
const POLL: u64 = 64;

impl<'a> Meter<'a> {
    pub(super) fn new(limits: SolveLimits<'a>, watch: Watch<'a>) -> Self {
        let next = if watch.is_some() { 0 } else { u64::MAX };
        Self {
            budget: Budget::new(limits.nodes, limits.stop).polling(POLL),
            limit: limits.nodes,
            effort: Effort::default(),
            watch,
            next,
        }
    }

    /// Asks for one move more.
    #[inline]
    pub(super) fn visit(&mut self) -> Searched<()> {
        self.budget.spend()?;
        self.effort.visited += 1;
        Ok(())
    }

    /// Notes how far from the root a position is.
    #[inline]
    pub(super) fn reach(&mut self, depth: usize) {
        self.effort.depth = self.effort.depth.max(depth as u32);
    }

    /// Notes a question to the table.
    #[inline]
    pub(super) fn asked(&mut self, hit: bool) {
        self.effort.probes += 1;
        self.effort.hits += u64::from(hit);
    }

    /// Whether the watcher is to be told numbers.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.effort.visited >= self.next
    }

    /// Tells the watcher numbers; the next time is due after an eighth as many
    /// moves again.
    pub(super) fn tell_numbers(&mut self, pn: u32, dn: u32) {
        let visited = self.effort.visited;
        if let Some(watch) = &mut self.watch {
            watch(Event::Numbers { visited, pn, dn });
            self.next = visited + visited / 8 + 1;
        }
    }

    /// Tells the watcher of an iteration.
    pub(super) fn tell_iteration(&mut self, depth: u32, value: i32) {
        let visited = self.effort.visited;
        if let Some(watch) = &mut self.watch {
            watch(Event::Iteration {
                depth,
                value,
                visited,
            });
        }
    }

    /// Why it was that a search ended before the verdict.
    pub(super) fn why(&self) -> End {
        if self.limit == Some(self.effort.visited) {
            End::Nodes
        } else {
            End::Stopped
        }
    }
}
