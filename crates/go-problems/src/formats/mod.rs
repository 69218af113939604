//! Sets of Go capture problems: our JSON, SGF collections and bare rows.
//!
//! ```text
//! text ─┬─ JSON: objects with rows, target, to_move, … ─┐
//!       ├─ SGF: AB, AW, PL, SZ, target by TR or MA ─────┼─ words ─ problem
//!       └─ rows of `.XO`, lines `target D6` ────────────┘
//! ```
//!
//! The form of a text is detected from its content. A faulty problem is reported with its number,
//! its id and its line; the rest of the set is kept.
//!
//! The fields of a problem, in every form:
//!
//! | field | needed | value |
//! |---|---|---|
//! | `rows` | yes | the board from the top: `.` empty, `X` black, `O` white (SGF: `AB`, `AW`, `SZ`) |
//! | `target` | yes | a stone of the block that is attacked, as `D6` (SGF: `TR` or `MA` too) |
//! | `goal` | | `capture`, `semeai` or `connect`; default `capture` |
//! | `against` | semeai | a stone of the attacker's block that is at stake |
//! | `with` | connect | a stone of the block to connect the target with |
//! | `to_move` | yes | `B` or `X`, `W` or `O` (SGF: `PL` too) |
//! | `ko` | | the point that ko forbids to the side to move, or `-` |
//! | `id` | | the name; default `problem-N` (SGF: `GN` too) |
//! | `verdict` | | `captured`, `escapes`, `ko` or `unknown`; of a semeai `wins`, `loses`, `seki`, `ko`; of a connection `connected`, `cut`, `ko` |
//! | `solutions` | | first moves known to reach the verdict |
//! | `escape_limit` | | the number of liberties with which the target counts as escaped |
//! | `category` | | the kind of problem |
//! | `proved` | | true if the verdict is proved |

mod json;
mod rows;
mod sgf;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashSet;
use std::fmt;

use thiserror::Error;

use leitai_base::foreign::Foreign;
use leitai_go::Problem;

pub use json::write_json;
pub use rows::write_rows;
pub use sgf::write_sgf;

/// An unusable problem of a set. The other problems are still read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ProblemError {
    /// Its number in the set, from 1.
    pub number: usize,
    /// Its id, if it is readable.
    pub id: Option<Foreign>,
    /// The line where it begins, from 1; for malformed JSON, the line of the error.
    pub line: usize,
    /// The cause, with the offending text and the help.
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
    /// A collection of game trees; the first node of each is a problem.
    Sgf,
    /// Rows of `.XO`, and one line per field.
    Rows,
}

impl Form {
    /// Guesses the form of a text.
    pub fn of(text: &str) -> Form {
        match text.trim_start().chars().next() {
            Some('{' | '[') => Form::Json,
            Some('(') => Form::Sgf,
            _ if text.lines().any(|line| line.trim_start().starts_with("(;")) => Form::Sgf,
            _ => Form::Rows,
        }
    }
}

/// A problem of a set, or the reason why it is unusable.
pub type Read = Result<Problem, ProblemError>;

/// Reads a set of problems in any of the three forms. Invalid UTF-8 becomes replacement characters.
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

/// Appends its number to the id of each problem whose id was used before.
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
