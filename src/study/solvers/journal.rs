//! Solved cells as lines of text, so that a study that was stopped carries on.
//!
//! A line is a JSON array: the key of the cell, then the cell. The key is a hash
//! over all that decides what the cell holds: the version of the program, the
//! problem and the caps, what the caller says of the solver (every number written
//! out, and what this build finds in a small search of this very problem), and how
//! often it is solved. On which machine the times were measured is not noticed. A
//! fault is not kept: whoever carries on tries again.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::{Cell, Task};
use crate::schedule::hexadecimal;

/// The keys of all cells of a task, in their order. `describe` says of a solver and
/// a problem, by their numbers, all that decides what the one finds on the other.
pub fn keys(task: &Task<'_>, mut describe: impl FnMut(usize, usize) -> String) -> Vec<String> {
    let Task {
        nodes,
        time,
        repeats,
        ..
    } = task;
    let mut keys = Vec::with_capacity(task.solvers * task.cases.len());
    for (problem, case) in task.cases.iter().enumerate() {
        let asked = &case.problem;
        let rows = asked.board.to_rows();
        let (target, to_move, ko) = (asked.target, asked.to_move, asked.board.ko());
        let escape = asked.escape_liberties;
        for solver in 0..task.solvers {
            let version = env!("CARGO_PKG_VERSION");
            let described = describe(solver, problem);
            let all = format!(
                "{version} {rows:?} {target:?} {to_move:?} {ko:?} {escape:?} {nodes:?} {time:?} \
                 {repeats} {described}"
            );
            keys.push(hexadecimal(&Sha256::digest(all.as_bytes())));
        }
    }
    keys
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
