//! Solved cells as text with keys, so that a stopped study can be resumed.
//!
//! The text is JSON. The key is a hash of everything that determines the cell: the version of the
//! program, the problem and the limits, the caller's description of the solver (every number, and
//! the result of this build's small search of the same problem), and the number of runs. The
//! machine on which times were measured is not part of it. A fault is not stored: a resumed study
//! tries again.

use std::time::Duration;

use super::{Cell, Task};
use leitai_game::search::proof::Event;
use leitai_go::Problem;

/// Describes a problem, the limits and a solver.
pub(super) fn description(task: &Task<'_>, asked: &Problem, solver: &str) -> String {
    let (nodes, time, repeats) = (task.nodes, task.time, task.repeats);
    let version = env!("CARGO_PKG_VERSION");
    let rows = asked.board.to_rows();
    let (target, to_move, ko) = (asked.target, asked.to_move, asked.ban());
    let escape = asked.escape_liberties;
    format!(
        "{version} {rows:?} {target:?} {to_move:?} {ko:?} {escape:?} {nodes:?} {time:?} {repeats} \
         {solver}"
    )
}

/// A limit above all node counts: 2^53 nodes take 285 years at a million a second.
const MAX_COUNTED: u64 = 1 << 53;
/// A limit above all search times.
const LONGEST: Duration = Duration::from_secs(1 << 32);

/// Returns whether all numbers of a recorded cell are in range.
pub(super) fn is_sound(cell: &Cell) -> bool {
    let answer = &cell.answer;
    let counts = [answer.visited, answer.expanded, answer.generated];
    let counts = counts.into_iter().flatten();
    let mut counts = counts.chain(cell.steps.iter().map(Event::visited));
    let times = [Some(cell.wall), cell.cpu, answer.wall, answer.cpu];
    counts.all(|count| count <= MAX_COUNTED)
        && times.into_iter().flatten().max() <= Some(LONGEST)
        && cell.fault.is_none()
}
