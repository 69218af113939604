//! Positions to solve, with their known scores.

use std::io::{BufRead, Read};

use super::at_line;
use crate::cli::input::{Input, open_input};
use crate::cli::prelude::*;
use crate::game::Position;
use crate::games::othello::Othello;

/// A position to solve.
pub(super) struct Problem {
    pub(super) position: Othello,
    /// Its score in the file, if known, with the empty squares for the winner.
    pub(super) expected: Option<i32>,
    /// The number of the position in the file, and its line, both from 1.
    pub(super) place: Option<(usize, usize)>,
}

impl Problem {
    pub(super) fn new(position: Othello) -> Self {
        Self {
            position,
            expected: None,
            place: None,
        }
    }
}

/// The maximum length of a line in bytes, far above that of a position.
const LONGEST: u64 = 1 << 16;

/// The positions of a file from number `first` to `last`, counted from 1.
pub(super) fn read(
    file: &Path,
    first: usize,
    last: Option<usize>,
) -> Result<Vec<Problem>, Failure> {
    let Input::Text(mut reader) = open_input(file)? else {
        bail!(
            "{} is a record of games, not a list of positions",
            shown_path(file)
        );
    };
    let mut problems = Vec::new();
    let mut number = 0;
    for line in 1.. {
        let mut bytes = Vec::new();
        let length = (&mut reader)
            .take(LONGEST)
            .read_until(b'\n', &mut bytes)
            .with_context(|| format!("cannot read {}", shown_path(file)))?;
        if length == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim().trim_start_matches('\u{feff}');
        if text.is_empty() || text.starts_with(['%', '#']) {
            continue;
        }
        number += 1;
        let problem = parse(text).map_err(|error| at_line(file, line, &error))?;
        if number >= first && last.is_none_or(|last| number <= last) {
            problems.push(Problem {
                place: Some((number, line)),
                ..problem
            });
        }
    }
    if problems.is_empty() {
        bail!(
            "{} has {number} positions, none of them from number {first}{}",
            shown_path(file),
            last.map_or_else(String::new, |last| format!(" to {last}"))
        );
    }
    Ok(problems)
}

/// Parses `<board> <side>`, optionally followed by `; move:score; move:score`.
fn parse(text: &str) -> Result<Problem, Failure> {
    let (board, scores) = text.split_once(';').unwrap_or((text, ""));
    let position = Othello::from_fen(board)?;
    let mut expected = None;
    for entry in scores.split(';').map(str::trim) {
        if entry.is_empty() || entry.starts_with(['%', '#']) {
            continue;
        }
        let (mv, score) = entry
            .split_once(':')
            .with_context(|| format!("`{entry}` is not `move:score`, such as `a2:+38`"))?;
        let (mv, score) = (mv.trim(), score.trim());
        position.parse_move(mv)?;
        let number: Option<i32> = score.parse().ok();
        let number = number.filter(|number| (-64..=64).contains(number));
        let score = number.with_context(|| format!("`{score}` is not a score from -64 to +64"))?;
        expected = expected.max(Some(score));
    }
    Ok(Problem {
        expected,
        ..Problem::new(position)
    })
}
