//! What a cell cost, as a number that has a logarithm.

use super::Cell;
use crate::settings::choice;

choice! {
    /// What costs are measured in.
    pub(super) enum Measure {
        /// Nodes.
        Nodes = "nodes",
        /// Processor time alone.
        Processor = "cpu",
        /// Time on the wall alone.
        Wall = "wall",
        /// [`Cell::time`].
        Time = "time",
    }
}

impl Measure {
    /// The cost of a cell, above 0: a problem that was answered without a search
    /// counts as one node, one without a measurable time as a nanosecond.
    pub(super) fn of(self, cell: &Cell) -> Option<f64> {
        match self {
            Measure::Nodes => cell.answer.visited.map(|nodes| nodes.max(1) as f64),
            Measure::Processor => cell.cpu.map(|time| time.as_secs_f64().max(1e-9)),
            Measure::Wall => Some(cell.wall.as_secs_f64().max(1e-9)),
            Measure::Time => Some(cell.time().as_secs_f64().max(1e-9)),
        }
    }
}
