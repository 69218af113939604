//! Solved cells as text with keys, so that a study that was stopped carries on.
//!
//! The text is JSON. The key is a hash
//! over all that decides what the cell holds: the version of the program, the
//! problem and the caps, what the caller says of the solver (every number written
//! out, and what this build finds in a small search of this very problem), and how
//! often it is solved. On which machine the times were measured is not noticed. A
//! fault is not kept: whoever carries on tries again.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{Answer, Cell, Task};
use crate::play::work_all;
use crate::search::proof::Event;

/// The keys of all cells of a task, in their order, found on `threads` threads; `None`
/// if `cancel` was set meanwhile. What `describe` makes, once for each thread, says of a
/// solver and a problem, by their numbers, all that decides what the one finds on the
/// other.
pub fn keys<D: FnMut(usize, usize) -> String>(
    task: &Task<'_>,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    describe: impl Fn() -> D + Sync,
) -> Option<Vec<[u8; 32]>> {
    let count = task.solvers * task.cases.len();
    let worker = || {
        let mut describe = describe();
        move |number: u64| {
            let (problem, solver) = (
                number as usize / task.solvers,
                number as usize % task.solvers,
            );
            Some(key(task, problem, &describe(solver, problem)))
        }
    };
    work_all(count, threads, cancel, worker)
}

/// The key of a problem and of what is said of the solver.
fn key(task: &Task<'_>, problem: usize, described: &str) -> [u8; 32] {
    let Task {
        nodes,
        time,
        repeats,
        ..
    } = task;
    let version = env!("CARGO_PKG_VERSION");
    let asked = &task.cases[problem].problem;
    let rows = asked.board.to_rows();
    let (target, to_move, ko) = (asked.target, asked.to_move, asked.ban());
    let escape = asked.escape_liberties;
    let all = format!(
        "{version} {rows:?} {target:?} {to_move:?} {ko:?} {escape:?} {nodes:?} {time:?} {repeats} \
         {described}"
    );
    Sha256::digest(all.as_bytes()).into()
}

/// More than any search counts: 2^53 nodes take 285 years at a million a second.
const MOST_COUNTED: u64 = 1 << 53;
/// No search takes longer.
const LONGEST: Duration = Duration::from_secs(1 << 32);

/// A cell as text; `None` of a fault.
pub fn content(cell: &Cell) -> Option<String> {
    let is_kept = cell.fault.is_none();
    is_kept.then(|| serde_json::json!(cell).to_string())
}

/// The cell of that text; `None` if none has it, as where a number is out of range.
pub fn cell_of(content: &str) -> Option<Cell> {
    let cell: Cell = serde_json::from_str(content).ok()?;
    let Answer {
        visited,
        expanded,
        generated,
        wall,
        cpu,
        ..
    } = cell.answer;
    let counts = [visited, expanded, generated].into_iter().flatten();
    let mut counts = counts.chain(cell.steps.iter().map(Event::visited));
    let times = [Some(cell.wall), cell.cpu, wall, cpu].into_iter().flatten();
    let fits = counts.all(|count| count <= MOST_COUNTED)
        && times.max() <= Some(LONGEST)
        && cell.fault.is_none();
    fits.then_some(cell)
}
