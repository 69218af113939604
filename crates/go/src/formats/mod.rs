//! Sets of Go capture problems: our JSON, SGF collections and bare rows.
//!
//! ```text
//! text ─┬─ JSON: objects with rows, target, to_move, … ─┐
//!       ├─ SGF: AB, AW, PL, SZ, target by TR or MA ─────┼─ words ─ problem
//!       └─ rows of `.XO`, lines `target D6` ────────────┘
//! ```
//!
//! What form a text has is seen from its content. A faulty problem is told
//! with its number, its id and its line, and the rest of the set is kept.
//!
//! The fields of a problem, whatever the form:
//!
//! | field | needed | value |
//! |---|---|---|
//! | `rows` | yes | the board from the top: `.` empty, `X` black, `O` white (SGF: `AB`, `AW`, `SZ`) |
//! | `target` | yes | a stone of the block that is attacked, as `D6` (SGF: `TR` or `MA` too) |
//! | `goal` | | `capture`, `semeai` or `connect`; `capture` if not given |
//! | `against` | semeai | a stone of the attacker's block that is at stake |
//! | `with` | connect | a stone of the block that the target is to be connected with |
//! | `to_move` | yes | `B` or `X`, `W` or `O` (SGF: `PL` too) |
//! | `ko` | | the point that ko forbids to the side to move, or `-` |
//! | `id` | | the name; `problem-N` if not given (SGF: `GN` too) |
//! | `verdict` | | `captured`, `escapes`, `ko` or `unknown`; of a semeai `wins`, `loses`, `seki`, `ko`; of a connection `connected`, `cut`, `ko` |
//! | `solutions` | | first moves known to reach the verdict |
//! | `escape_limit` | | with how many liberties the target counts as escaped |
//! | `category` | | the kind of problem |
//! | `proved` | | whether the verdict is proved |

mod json;
mod rows;
mod sgf;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashSet;
use std::fmt;

use thiserror::Error;

use crate::Problem;
use leitai_base::foreign::Foreign;

pub use json::write_json;
pub use rows::write_rows;
pub use sgf::write_sgf;

/// A problem of a set that cannot be used. The others can.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ProblemError {
    /// Its number in the set, from 1.
    pub number: usize,
    /// Its id, if it could be read.
    pub id: Option<Foreign>,
    /// The line where it begins, from 1; for JSON that cannot be read, the line
    /// at fault.
    pub line: usize,
    /// What is wrong, with the offending text and the help.
    pub reason: Foreign,
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, problem {}", self.line, self.number)?;
        if let Some(id) = &self.id {
            write!(f, " (`{id}`)")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// The form of a set of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Objects with fields: `[…]`, `{"problems": […]}`, or one after the other.
    Json,
    /// A collection of game trees whose first nodes are the problems.
    Sgf,
    /// Rows of `.XO` and lines with a field each.
    Rows,
}

impl Form {
    /// The form that a text seems to have.
    pub fn of(text: &str) -> Form {
        match text.trim_start().chars().next() {
            Some('{' | '[') => Form::Json,
            Some('(') => Form::Sgf,
            _ if text.lines().any(|line| line.trim_start().starts_with("(;")) => Form::Sgf,
            _ => Form::Rows,
        }
    }
}

/// A problem of a set, or why it is none.
pub type Read = Result<Problem, ProblemError>;

/// Reads a set of problems in any of the three forms. Bytes that are no UTF-8
/// become replacement characters.
pub fn read_problems(bytes: &[u8]) -> Vec<Read> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut problems = match Form::of(&text) {
        Form::Json => json::read(&text),
        Form::Sgf => sgf::read(&text),
        Form::Rows => rows::read(&text),
    };
    name_apart(&mut problems);
    problems
}

/// Gives problems that share an id with an earlier one their number too.
fn name_apart(problems: &mut [Read]) {
    let mut seen = HashSet::new();
    for (number, problem) in (1..).zip(problems) {
        if let Ok(problem) = problem {
            while !seen.insert(problem.id.clone()) {
                problem.id = format!("{}#{number}", problem.id);
            }
        }
    }
}
