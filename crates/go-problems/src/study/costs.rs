//! The cost of a cell, as a number with a logarithm.

use super::Cell;
use leitai_base::settings::choice;

choice! {
    /// The unit of costs.
    pub(super) enum Measure {
        /// Nodes.
        Nodes = "nodes",
        /// Only processor time.
        Processor = "cpu",
        /// Only wall-clock time.
        Wall = "wall",
        /// [`Cell::time`].
        Time = "time",
    }
}

impl Measure {
    /// The cost of a cell, above 0: a problem that was answered without a search counts as one
    /// node, one without a measurable time as a nanosecond.
    pub(super) fn of(self, cell: &Cell) -> Option<f64> {
        match self {
            Measure::Nodes => cell.answer.visited.map(|nodes| nodes.max(1) as f64),
            Measure::Processor => cell.cpu.map(|time| time.as_secs_f64().max(1e-9)),
            Measure::Wall => Some(cell.wall.as_secs_f64().max(1e-9)),
            Measure::Time => Some(cell.time().as_secs_f64().max(1e-9)),
        }
    }
}
