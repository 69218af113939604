//! Solved cells as lines of text, so that a study that was stopped carries on.
//!
//! A line is a JSON array: the key of the cell, then the cell. The key is a hash
//! over all that decides what the cell holds: the version of the program, the
//! problem and the caps, what the caller says of the solver (every number written
//! out, and what this build finds in a small search of this very problem), and how
//! often it is solved. On which machine the times were measured is not noticed. A
//! fault is not kept: whoever carries on tries again.

use std::collections::HashMap;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use sha2::{Digest, Sha256};

use super::{Cell, Task};
use crate::play::work;
use crate::schedule::hexadecimal;

/// The keys of all cells of a task, in their order, found on `threads` threads; `None`
/// if `cancel` was set meanwhile. What `describe` makes, once for each thread, says of a
/// solver and a problem, by their numbers, all that decides what the one finds on the
/// other.
pub fn keys<D: FnMut(usize, usize) -> String>(
    task: &Task<'_>,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    describe: impl Fn() -> D + Sync,
) -> Option<Vec<String>> {
    let count = task.solvers * task.cases.len();
    let mut keys = vec![None; count];
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
    let done: Result<(), Infallible> = work(
        0..count as u64,
        threads,
        cancel,
        worker,
        |number, key: String| {
            keys[number as usize] = Some(key);
            Ok(())
        },
    );
    let Ok(()) = done;
    keys.into_iter().collect()
}

/// The key of a problem and of what is said of the solver.
fn key(task: &Task<'_>, problem: usize, described: &str) -> String {
    let Task {
        nodes,
        time,
        repeats,
        ..
    } = task;
    let version = env!("CARGO_PKG_VERSION");
    let asked = &task.cases[problem].problem;
    let rows = asked.board.to_rows();
    let (target, to_move, ko) = (asked.target, asked.to_move, asked.board.ko());
    let escape = asked.escape_liberties;
    let all = format!(
        "{version} {rows:?} {target:?} {to_move:?} {ko:?} {escape:?} {nodes:?} {time:?} {repeats} \
         {described}"
    );
    hexadecimal(&Sha256::digest(all.as_bytes()))
}

/// The line of a cell, with its line break; nothing for a fault.
pub fn journal_line(key: &str, cell: &Cell) -> String {
    if cell.fault.is_some() {
        return String::new();
    }
    serde_json::json!([key, cell]).to_string() + "\n"
}

/// The cells in a journal by their keys. Lines that are damaged, as the last one
/// of a process that was killed, are passed over.
pub fn read_journal(text: &str) -> HashMap<String, Cell> {
    text.lines()
        .filter_map(|line| serde_json::from_str::<(String, Cell)>(line).ok())
        .collect()
}
