//! Positions to solve, with their known scores.

use super::at_line;
use crate::cli::input::open_text;
use crate::cli::prelude::*;
use leitai_game::Position;
use leitai_games::othello::Othello;

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

/// The positions of a file from number `first` to `last`, counted from 1.
pub(super) fn read(
    file: &Path,
    first: usize,
    last: Option<usize>,
) -> Result<Vec<Problem>, Failure> {
    let mut lines = open_text(file, "a list of positions")?;
    let mut problems = Vec::new();
    let mut number = 0;
    while let Some((line, text)) = lines.next_line()? {
        let text = text.trim();
        if text.is_empty() || text.starts_with(['%', '#']) {
            continue;
        }
        number += 1;
        let problem = parse(text).map_err(|error| at_line(file, line as usize, &error))?;
        if number >= first && last.is_none_or(|last| number <= last) {
            problems.push(Problem {
                place: Some((number, line as usize)),
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
