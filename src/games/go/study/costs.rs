//! What a cell cost, as a number that has a logarithm.

use super::Cell;

/// What costs are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Nodes,
    /// Processor time alone.
    Processor,
    /// Time on the wall alone.
    Wall,
    /// [`Cell::time`].
    Time,
}

impl Measure {
    pub(super) fn name(self) -> &'static str {
        match self {
            Measure::Nodes => "nodes",
            Measure::Processor => "cpu",
            Measure::Wall => "wall",
            Measure::Time => "time",
        }
    }

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
