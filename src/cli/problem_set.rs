//! Capture problems as openings: each is attacked and defended by both players.

use super::games::Card;
use crate::card::GameChoice;
use crate::cli::common::{Failure, note};
use crate::games::go::Problem;
use crate::games::go::formats::{ProblemError, read_problems};
use crate::schedule::{Book, Opening};

/// How many faults are told one by one.
const TOLD: usize = 3;

/// Whether a text is a set of problems (JSON, SGF, or rows) and not a line for each
/// position.
pub(super) fn is_problem_set(card: Card, text: &str) -> bool {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%']));
    let first = lines.next().unwrap_or_default();
    let board = first.split_whitespace().next().unwrap_or_default();
    card.name() == "go" && !card.looks_like(board)
}

/// The problems of a set as openings. Faulty ones are told on standard error and left
/// out; so are those that are the same as another up to symmetry and colours.
///
/// # Errors
/// No problem is left.
pub(super) fn read(card: Card, text: &str, name: &str) -> Result<Book, Failure> {
    let mut faults = Vec::new();
    let mut openings = Vec::new();
    for (number, read) in (1..).zip(read_problems(text.as_bytes())) {
        match read.and_then(|problem| opening(card, &problem, number)) {
            Ok(opening) => openings.push(opening),
            Err(error) => faults.push(format!("{name}: {error}")),
        }
    }
    tell("problems cannot be used", &faults);
    let book = Book::collect(openings, name)?;
    let same = book.duplicates.iter().map(|it| {
        format!(
            "{name}: problem {} is dropped: up to symmetry and colours it is the same as \
             problem {}",
            it.line, it.first
        )
    });
    tell("problems are dropped likewise", &same.collect::<Vec<_>>());
    Ok(book)
}

fn opening(card: Card, problem: &Problem, number: usize) -> Result<Opening, ProblemError> {
    let fen = problem.setup().to_string();
    let position = card.read(&fen).map_err(|error| ProblemError {
        number,
        id: Some(problem.id.clone().into()),
        line: 0,
        reason: error.to_string().into(),
    })?;
    Ok(Opening {
        id: problem.id.clone(),
        fen: position.to_fen(),
        line: number,
        position,
        moves: None,
    })
}

/// Leaves out openings of block capture in which the rules have a winner before
/// anybody moves, and tells of them.
///
/// # Errors
/// No opening is left.
pub(super) fn without_decided(book: Book, game: &GameChoice, name: &str) -> Result<Book, Failure> {
    if !game.card.has_prover() {
        return Ok(book);
    }
    let mut told = Vec::new();
    let mut open = |opening: &Opening| {
        let verdict = game.card.line(&*opening.position).verdict(&game.rules);
        told.extend(verdict.map(|verdict| {
            let winner = verdict
                .winner
                .map_or("nobody", |side| game.card.side_names()[side.index()]);
            format!(
                "{name}: the opening `{}` is left out: the {winner} has won there before \
                 anybody moves ({})",
                opening.id, verdict.cause
            )
        }));
        verdict.is_none()
    };
    let openings: Vec<Opening> = book.openings.into_iter().filter(|it| open(it)).collect();
    tell("openings are left out likewise", &told);
    let left = Book::collect(openings, name)?;
    Ok(Book {
        duplicates: book.duplicates,
        ..left
    })
}

fn tell(likewise: &str, faults: &[String]) {
    for fault in faults.iter().take(TOLD) {
        note(&format!("warning: {fault}"));
    }
    if let more @ 1.. = faults.len().saturating_sub(TOLD) {
        note(&format!("warning: {more} more {likewise}"));
    }
}
