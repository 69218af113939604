//! The board for display.

use super::point::LETTERS;
use super::{Capture, Colour, Point};
use leitai_game::view::{Cells, Count, Figure, MarkKind, Place, Tint, View};
use leitai_game::{Move, Position, Side};

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
            symbol: None,
        });
    }
    view
}

/// The board from 2 to 19 rows of `.XO`.
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
    let side = Side::BOTH[usize::from(colour != attacker)];
    let tint = [Tint::Black, Tint::White][colour.index()];
    Figure {
        name: "stone",
        ..Figure::disc(colour.letter(), side, tint)
    }
}

/// The star points of a board, which are the handicap points.
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
            (false, false) => size >= 8,
            _ => has_sides,
        })
        .map(|(x, y)| Place::new(x, y))
        .collect();
    stars.dedup();
    stars
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::conformance::in_random_games;

    #[test]
    fn the_board_is_that_of_the_text() {
        in_random_games::<Capture>((17, 4, 60), |line| {
            let (view, fen) = (line.view().unwrap(), line.position().to_fen());
            let words: Vec<&str> = fen.split(' ').collect();
            assert_eq!(view.letters().join("/"), words[0]);
            let taken = words[2].split_once(':');
            let target = taken.map_or(words[2], |(target, _)| target);
            // If the last play was on the target's point, only that play is marked there.
            let marks = [MarkKind::Point, MarkKind::To].map(|kind| view.marked(kind).concat());
            assert!(marks.iter().any(|it| it == target), "{fen}");
            let last = view.last_move.clone().filter(|last| last != "pass");
            assert_eq!(marks[1], last.unwrap_or_default(), "{fen}");
            assert_eq!(view.counts.is_empty(), taken.is_some(), "{fen}");
            let attackers = view.pieces.iter().filter(|it| it.side == Some("attacker"));
            let letter = line.position().attacker().letter();
            assert_eq!(attackers.count(), words[0].matches(letter).count(), "{fen}");
        });
    }

    #[test]
    fn star_points_are_those_of_handicap_games() {
        for (size, count) in [
            (5, 1),
            (6, 0),
            (7, 1),
            (8, 4),
            (9, 5),
            (13, 5),
            (14, 4),
            (19, 9),
        ] {
            assert_eq!(stars(size).len(), count, "{size}");
        }
        assert_eq!(stars(9)[0], Place::new(2, 2));
        assert_eq!(stars(19)[1], Place::new(9, 3));
    }

    #[test]
    fn a_position_that_may_not_be_shows_its_board() {
        for (fen, point) in [
            ("...../..X../.XOX./..X../..... X C3 -", "C3"),
            ("...../..X../.X.X./..X../..... X C3 -", "C3"),
            ("...../..X../.XOX./...../..... X C3:O -", "C3"),
            ("...../..X../.XOX./...../..... X C3 B3", ""),
        ] {
            let board = Capture::from_fen(fen).unwrap_err().board.expect("a board");
            assert_eq!(board.letters().join("/"), fen.split(' ').next().unwrap());
            assert_eq!(board.marked(MarkKind::Point).concat(), point, "{fen}");
        }
        for text in [
            "..... X C3 -",
            "..../..Y/.X.X/..X. X C3 -",
            "...../..X../.XOX./...../..... X Z3 -",
        ] {
            assert_eq!(Capture::from_fen(text).unwrap_err().board, None, "{text}");
        }
    }
}
