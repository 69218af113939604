//! Problems as rows of `.XO` with one line per field.
//!
//! ```text
//! # A line with a number sign is a remark.
//! id ladder-1
//! .........
//! .........
//! ...X.....
//! ..XO.....
//! ..X......
//! .........
//! .........
//! .........
//! .........
//! target D6
//! to_move B
//! ```
//!
//! Blank lines separate problems. The fields are above or below the rows, in any order and case, as
//! `target D6`, `target: D6` or `target = D6`. A block of fields alone belongs to the rows before
//! it if these have no target, else to the rows after it. A line of four words whose first has
//! slashes is a board, a side, a target and a ko point (or `-`): `…../..X../.XOX./…../….. B C3 -`.

use std::fmt::Write as _;

use super::Read;
use super::words::{Key, Words, field};
use leitai_go::{Board, Problem};

/// The lines between two blank lines.
#[derive(Debug, Default)]
struct Block {
    line: usize,
    rows: Vec<String>,
    words: Words,
    fault: Option<String>,
}

impl Block {
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.words == Words::default() && self.fault.is_none()
    }

    fn set(&mut self, key: Key, value: &str, line: usize) {
        let slot = &mut self.words[key];
        if slot.as_deref().is_some_and(|before| before != value) {
            let fault = format!("line {line} gives a second value, `{value}`, for one field");
            self.fault.get_or_insert(fault);
        }
        *slot = Some(value.to_owned());
    }

    /// Reads `rows side target ko` in one line; returns false for any other line.
    fn set_up(&mut self, line: &str, number: usize) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[rows, to_move, target, ko] = words.as_slice() else {
            return false;
        };
        if !rows.contains('/') {
            return false;
        }
        self.rows = rows.split('/').map(str::to_owned).collect();
        self.set(Key::ToMove, to_move, number);
        self.set(Key::Target, target, number);
        self.set(Key::Ko, ko, number);
        true
    }

    /// Adds the fields of another block, which has no rows.
    fn join(&mut self, other: &mut Block) {
        for key in Key::ALL {
            if let Some(value) = other.words[key].take() {
                self.set(key, &value, other.line);
            }
        }
        self.fault = self.fault.take().or(other.fault.take());
    }

    fn problem(self, number: usize) -> Read {
        let board = match self.fault {
            Some(fault) => Err(fault),
            None if self.rows.is_empty() => {
                Err("no rows: a board is as many lines of `.XO` as it has columns".to_owned())
            }
            None => Board::from_rows(&self.rows).map_err(|error| error.to_string()),
        };
        self.words.problem(board, number, self.line)
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut block = Block::default();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        let next = block.is_empty();
        if line.is_empty() {
            if !next {
                blocks.push(std::mem::take(&mut block));
            }
            continue;
        }
        if next {
            block.line = number;
        }
        if let Some((key, value)) = field(line) {
            block.set(key, value, number);
        } else if line.contains('/') {
            if !block.rows.is_empty() {
                blocks.push(std::mem::take(&mut block));
                block.line = number;
            }
            if !block.set_up(line, number) {
                block.fault.get_or_insert_with(|| {
                    format!(
                        "`{line}` is not four words: rows joined by `/`, side, target, ko or `-`"
                    )
                });
            }
        } else {
            let row = line.split_whitespace().collect();
            block.rows.push(row);
        }
    }
    if !block.is_empty() {
        blocks.push(block);
    }
    blocks
}

pub(super) fn read(text: &str) -> Vec<Read> {
    let mut whole: Vec<Block> = Vec::new();
    let mut waiting: Option<Block> = None;
    for mut block in blocks(text) {
        if !block.rows.is_empty() {
            if let Some(mut fields) = waiting.take() {
                block.join(&mut fields);
                block.line = fields.line;
            }
            whole.push(block);
        } else if let Some(last) = whole.last_mut()
            && last.words[Key::Target].is_none()
            && waiting.is_none()
        {
            last.join(&mut block);
        } else if let Some(fields) = &mut waiting {
            fields.join(&mut block);
        } else {
            waiting = Some(block);
        }
    }
    whole.extend(waiting);
    (1..)
        .zip(whole)
        .map(|(number, block)| block.problem(number))
        .collect()
}

/// The problems as rows and fields, separated by blank lines.
pub fn write_rows(problems: &[Problem]) -> String {
    let mut text = String::new();
    for (place, problem) in problems.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        let words = Words::of(problem);
        for key in [Key::Id, Key::Category] {
            if let Some(value) = &words[key] {
                let value = value.replace(['\n', '\r'], " ");
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{} {}", key.names()[0], value.trim());
            }
        }
        for row in problem.board.to_rows() {
            text.push_str(&row);
            text.push('\n');
        }
        for key in Key::ALL {
            if let (Some(value), false) = (&words[key], matches!(key, Key::Id | Key::Category)) {
                let _ = writeln!(text, "{} {value}", key.names()[0]);
            }
        }
    }
    text
}
