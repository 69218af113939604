//! The board as it is shown.

use super::point::LETTERS;
use super::{Capture, Colour, Point};
use crate::game::view::{Cells, Count, Figure, MarkKind, Place, Tint, View};
use crate::game::{Move, Position, Side};

pub(super) fn of(position: &Capture, last: Option<Move>) -> View {
    let (board, target) = (position.board(), position.target());
    let rows = board.to_rows();
    let mut view = of_rows(&rows, position.attacker(), position.side_to_move());
    if let Some(point) = last.and_then(|mv| position.point_of(mv)) {
        view.mark(place(point), MarkKind::To);
    }
    view.mark(place(target), MarkKind::Point);
    if !position.is_taken() {
        view.counts.push(Count {
            name: "liberties of the target",
            side: None,
            number: board.liberty_count(target),
        });
    }
    view
}

/// The board of rows of `.XO`, from 2 to 19 of them.
pub(super) fn of_rows(rows: &[impl AsRef<str>], attacker: Colour, to_move: Side) -> View {
    let size = rows.len();
    let letters = LETTERS.iter().take(size).copied().map(char::from);
    let mut view = View::new::<Capture>(to_move, Cells::Points, letters, (1..=size).rev());
    view.dots = stars(size);
    view.put_rows(rows, &Colour::BOTH.map(|colour| stone(colour, attacker)));
    view
}

pub(super) const fn place(point: Point) -> Place {
    Place::new(point.col() as usize, point.row() as usize)
}

fn stone(colour: Colour, attacker: Colour) -> Figure {
    let (side, tint) = match colour {
        Colour::Black => (Side::BOTH[usize::from(attacker != colour)], Tint::Black),
        Colour::White => (Side::BOTH[usize::from(attacker != colour)], Tint::White),
    };
    Figure {
        name: "stone",
        ..Figure::disc(colour.letter(), side, tint)
    }
}

/// The star points of a board: those of handicap games.
fn stars(size: usize) -> Vec<Place> {
    let near = match size {
        ..8 => size / 2,
        8..13 => 2,
        _ => 3,
    };
    let middle = size / 2;
    let has_sides = size % 2 == 1 && size > 13;
    let lines = [near, middle, size - 1 - near];
    let all = lines.into_iter().flat_map(|y| lines.map(|x| (x, y)));
    let mut stars: Vec<_> = all
        .filter(|&(x, y)| match (x == middle, y == middle) {
            (true, true) => size % 2 == 1,
            (false, false) => true,
            _ => has_sides,
        })
        .map(|(x, y)| Place::new(x, y))
        .collect();
    stars.dedup();
    stars
}
