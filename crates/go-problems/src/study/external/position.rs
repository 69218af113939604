//! A position as plays on an empty board.
//!
//! Stones of a position in which every block has a liberty can be played in any order without a
//! capture: a part of a block has a liberty at a missing stone of the block, and the whole block
//! has those of the position.

use thiserror::Error;

use leitai_go::{Board, Colour, Point, Problem};

/// The reason why a position cannot be set up by plays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} cannot be set up with `play` commands: {1}")]
pub struct Unsent(String, &'static str);

/// The commands that set up the position of a problem.
pub(super) fn commands(problem: &Problem) -> Result<Vec<String>, Unsent> {
    let size = problem.board.size();
    if let Some(ko) = problem.ko_of_other {
        let ko = format!("the ko at {}", ko.name(size));
        return Err(Unsent(ko, "it is banned for the side that is not to move"));
    }
    let mut lines = vec![format!("boardsize {size}"), "clear_board".to_owned()];
    for (colour, point) in plays(&problem.board, problem.to_move)? {
        lines.push(format!("play {} {}", colour.name(), point.name(size)));
    }
    Ok(lines)
}

/// The plays that lead to a board, including its ko.
fn plays(board: &Board, to_move: Colour) -> Result<Vec<(Colour, Point)>, Unsent> {
    let stone = |point| board.at(point).map(|colour| (colour, point));
    let stones = || Point::all(board.size()).filter_map(stone);
    let Some(ko) = board.ko() else {
        let plays: Vec<_> = stones().collect();
        return leads_to(&plays, board)
            .then_some(plays)
            .ok_or_else(|| Unsent("the position".to_owned(), "a block has no liberties"));
    };
    // The other side has just taken a stone at the ko point, by a stone on a neighbouring point.
    let taker = to_move.other();
    for last in ko.neighbours() {
        if !board.on_board(last) || board.at(last) != Some(taker) {
            continue;
        }
        let before = stones().filter(|&(_, point)| point != last);
        let plays: Vec<_> = before.chain([(to_move, ko), (taker, last)]).collect();
        if leads_to(&plays, board) {
            return Ok(plays);
        }
    }
    let why = "the capture that would have begun it is not possible";
    let ko = format!("the ko at {}", ko.name(board.size()));
    Err(Unsent(ko, why))
}

/// Returns whether the plays are legal, capture nothing before the last one, and lead to the board.
fn leads_to(plays: &[(Colour, Point)], wanted: &Board) -> bool {
    let mut board = Board::empty(wanted.size());
    for (place, &(colour, point)) in plays.iter().enumerate() {
        if !board.is_empty(point) || board.is_suicide(point, colour) {
            return false;
        }
        if board.play(point, colour) > 0 && place + 1 < plays.len() {
            return false;
        }
    }
    board == *wanted
}
