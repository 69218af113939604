//! Capture problems as openings: each player attacks once and defends once.

use leitai_game::card::Game;
use leitai_games::go::{Capture, Problem};
use leitai_go_problems::formats::{ProblemError, read_problems};
use leitai_players::schedule::Opening;
use leitai_session::books::warn_likewise;
use leitai_session::{BookReader, Listener};

/// Returns whether a text is a set of problems (JSON, SGF, or rows), not one position per line.
fn is_problem_set(text: &str) -> bool {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%']));
    let first = lines.next().unwrap_or_default();
    let board = first.split_whitespace().next().unwrap_or_default();
    !(Capture::FACTS.looks_like)(board)
}

/// The reader of problem sets.
pub(super) const READER: BookReader = BookReader {
    begins: is_problem_set,
    read: read_set,
};

/// The problems of a set as openings. Reports faulty problems on standard error and leaves them
/// out.
fn read_set(text: &str, name: &str, listener: &dyn Listener) -> Vec<Opening> {
    let mut faults = Vec::new();
    let mut openings = Vec::new();
    for (number, read) in (1..).zip(read_problems(text.as_bytes())) {
        match read.and_then(|problem| opening(&problem, number)) {
            Ok(opening) => openings.push(opening),
            Err(error) => faults.push(format!("{name}: {error}")),
        }
    }
    warn_likewise("problems cannot be used", &faults, listener);
    openings
}

fn opening(problem: &Problem, number: usize) -> Result<Opening, ProblemError> {
    let fen = problem.setup().to_string();
    let position = leitai_games::go::card()
        .read(&fen)
        .map_err(|error| ProblemError {
            number,
            id: Some(problem.id.clone().into()),
            line: 0,
            reason: error.to_string().into(),
        })?;
    Ok(Opening::new(&*position, &problem.id, number, None))
}
