//! Positions with fights: random plays that like contact.

use rand_chacha::rand_core::Rng;

use leitai_go::{Board, Colour, Point};
use leitai_players::schedule::below;

/// The minimum number of plays in percent of the points of the board.
const MIN_PLAYS: u64 = 20;
const MAX_PLAYS: u64 = 65;

/// A position after a random number of plays, without history or ko.
pub(super) fn self_play(size: u8, random: &mut impl Rng) -> Board {
    let mut board = Board::empty(size);
    let points = u64::from(size) * u64::from(size);
    let percent = MIN_PLAYS + below(random, MAX_PLAYS - MIN_PLAYS + 1);
    let mut colour = Colour::Black;
    let mut last = None;
    let mut plays: Vec<(Point, u64)> = Vec::new();
    for _ in 0..points * percent / 100 {
        plays.clear();
        plays.extend(
            board
                .empties()
                .iter()
                .map(|point| (point, weight(&board, point, colour, last)))
                .filter(|&(_, weight)| weight > 0),
        );
        let total = plays.iter().map(|&(_, weight)| weight).sum();
        let mut drawn = below(random, total);
        last = plays.iter().find_map(|&(point, weight)| {
            let chosen = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            chosen.then_some(point)
        });
        match last {
            Some(point) => drop(board.play(point, colour)),
            None => board.pass(),
        }
        colour = colour.other();
    }
    // Rebuilds the board, so that its blocks do not depend on the order of plays.
    Board::from_rows(&board.to_rows()).unwrap_or_else(|_| Board::empty(size))
}

/// The weight of a play; 0 if it is illegal or fills an own eye.
fn weight(board: &Board, point: Point, colour: Colour, last: Option<Point>) -> u64 {
    if !board.is_legal(point, colour) {
        return 0;
    }
    let around = || {
        point
            .neighbours()
            .into_iter()
            .filter(|&it| board.on_board(it))
    };
    if is_own_eye(board, point, colour) {
        return 0;
    }
    let blocks = |owner: Colour, liberties: u32| {
        around().any(|it| board.at(it) == Some(owner) && board.liberty_count(it) == liberties)
    };
    let alone = around()
        .chain(point.diagonals())
        .all(|it| board.at(it).is_none());
    let edge = around().count() < 4;
    let near = last.is_some_and(|last| {
        point.col().abs_diff(last.col()) <= 2 && point.row().abs_diff(last.row()) <= 2
    });
    let mut weight = if alone && edge { 1 } else { 4 };
    if near {
        weight += 16;
    }
    if blocks(colour.other(), 1) {
        weight += 24;
    }
    if blocks(colour.other(), 2) {
        weight += 8;
    }
    if blocks(colour, 1) {
        weight += 16;
    }
    if blocks(colour, 2) {
        weight += 4;
    }
    weight
}

/// Returns whether all neighbours of an empty point hold stones of `colour`.
pub(super) fn is_own_eye(board: &Board, point: Point, colour: Colour) -> bool {
    let mut around = point.neighbours().into_iter();
    around.all(|it| !board.on_board(it) || board.at(it) == Some(colour))
}
