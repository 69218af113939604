//! Known shapes, and properties of all positions.

mod candidates;
mod ladders;
mod near;
mod shapes;
mod threats;
mod zones;

use proptest::prelude::*;

use super::{Context, Kos};
use crate::{Board, Colour, Point};

fn board(rows: &[&str]) -> Board {
    Board::from_rows(rows).unwrap()
}

fn at(board: &Board, name: &str) -> Point {
    Point::from_name(name, board.size()).unwrap()
}

/// The names of points, in order.
fn names(board: &Board, points: impl IntoIterator<Item = Point>) -> String {
    let names = points.into_iter().map(|point| point.name(board.size()));
    names.collect::<Vec<_>>().join(" ")
}

fn context(board: &mut Board, target: Point, to_move: Colour) -> Context<'_> {
    let defender = board.at(target).unwrap_or(to_move);
    Context {
        board,
        target,
        defender,
        last: None,
        to_move,
        kos: Kos::Defender,
    }
}

/// A configuration with this number of cases and without files for failures.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Positions of random play: up to `most` plies on boards of these sizes.
fn played(sizes: std::ops::RangeInclusive<u8>, most: usize) -> impl Strategy<Value = Board> {
    let picks = proptest::collection::vec(any::<u16>(), 0..most);
    (sizes, picks).prop_map(|(size, picks)| {
        let mut board = Board::empty(size);
        for (ply, pick) in picks.into_iter().enumerate() {
            let colour = Colour::BOTH[ply % 2];
            let open = board.empties().iter();
            let legal: Vec<Point> = open.filter(|&it| board.is_legal(it, colour)).collect();
            match legal.get(usize::from(pick) % legal.len().max(1)) {
                Some(&point) => {
                    board.play(point, colour);
                }
                None => board.pass(),
            }
        }
        board.set_ko(None);
        board
    })
}
