//! The board as displayed.

use super::{Kind, Piece, Square, Xiangqi};
use leitai_game::view::{Cells, Figure, MarkKind, Place, Shape, Tint, View};
use leitai_game::{Move, Side};

const RANKS: usize = 10;

pub(super) fn of(position: &Xiangqi, last: Option<Move>) -> View {
    let ranks = (0..RANKS).rev();
    let mut view = View::new::<Xiangqi>(position.to_move, Cells::Points, 'a'..='i', ranks);
    // The files between the edges end at the river.
    view.lines
        .retain(|[from, to]| from.row == to.row || from.column % 8 == 0);
    let line = |from: [usize; 2], to: [usize; 2]| [from, to].map(|[x, y]| Place::new(x, y));
    for file in 1..8 {
        view.lines.push(line([file, 0], [file, 4]));
        view.lines.push(line([file, 5], [file, 9]));
    }
    for top in [0, 7] {
        view.lines.push(line([3, top], [5, top + 2]));
        view.lines.push(line([5, top], [3, top + 2]));
    }
    for square in (0..Square::COUNT).map(Square::of).rev() {
        if let Some(piece) = position.piece_at(square) {
            view.put(place(square), figure(piece));
        }
    }
    if let Some((from, to)) = last.and_then(Xiangqi::squares_of) {
        view.mark(place(from), MarkKind::From);
        view.mark(place(to), MarkKind::To);
    }
    if position.checked {
        view.mark(place(position.king(position.to_move)), MarkKind::Check);
    }
    view
}

const fn place(square: Square) -> Place {
    Place::new(square.file(), RANKS - 1 - square.rank())
}

/// A piece as its letter and its Chinese character.
fn figure(Piece { side, kind }: Piece) -> Figure {
    let glyphs = match kind {
        Kind::King => ['帥', '將'],
        Kind::Advisor => ['仕', '士'],
        Kind::Elephant => ['相', '象'],
        Kind::Horse => ['傌', '馬'],
        Kind::Rook => ['俥', '車'],
        Kind::Cannon => ['炮', '砲'],
        Kind::Pawn => ['兵', '卒'],
    };
    let (letter, tint) = match side {
        Side::First => (kind.letter(), Tint::Red),
        Side::Second => (kind.letter().to_ascii_lowercase(), Tint::Black),
    };
    Figure {
        shape: Shape::Token,
        ..Figure::glyph(letter, side, tint, kind.name(), glyphs[side.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::Position;
    use leitai_game::conformance::in_random_games;

    #[test]
    fn the_board_is_that_of_the_fen() {
        in_random_games::<Xiangqi>((17, 4, 60), |line| {
            let (view, fen) = (line.view().unwrap(), line.position().to_fen());
            let empty = |letter: char| letter.to_digit(10).map(|skip| ".".repeat(skip as usize));
            let spell = |letter: char| empty(letter).unwrap_or_else(|| letter.to_string());
            let (board, rest) = fen.split_once(' ').unwrap();
            let board: String = board.chars().map(spell).collect();
            assert_eq!(view.letters().join("/"), board);
            assert_eq!(&view.to_move[..1] == "r", rest.starts_with('w'), "{fen}");
            let marks = [MarkKind::From, MarkKind::To].map(|kind| view.marked(kind).concat());
            let is_marked = view.marked(MarkKind::Check).len() == 1;
            assert_eq!(is_marked, line.position().in_check(), "{fen}");
            assert_eq!(marks.concat(), view.last_move.unwrap_or_default());
        });
    }

    #[test]
    fn lines_end_at_the_river_and_cross_in_the_palaces() {
        let lines = of(&Xiangqi::initial(), None).lines;
        assert_eq!(lines.len(), 10 + 2 + 2 * 7 + 4);
        let crosses = |[from, to]: &&[Place; 2]| from.row < 5 && to.row > 4;
        let over: Vec<_> = lines
            .iter()
            .filter(crosses)
            .map(|it| it[0].column)
            .collect();
        assert_eq!(over, [0, 8], "only the edges go over the river");
        let diagonal = |[from, to]: &&[Place; 2]| from.row != to.row && from.column != to.column;
        assert_eq!(lines.iter().filter(diagonal).count(), 4);
    }

    #[test]
    fn a_position_that_may_not_be_shows_its_board() {
        for (fen, row) in [
            ("4k4/9/9/9/4R4/9/9/9/9/5K3 w", "....R...."),
            ("4k4/9/9/9/9/4K4/9/9/9/9 w", "....K...."),
            ("9/9/9/9/9/9/9/9/9/4K4 w", "........."),
        ] {
            let board = Xiangqi::from_fen(fen).unwrap_err().board.expect("a board");
            assert!(board.letters().iter().any(|it| it == row), "{fen}");
        }
        for text in ["4k4/9/9 w", "4k4/9/9/9/9/9/9/9/9/5K3 w - - x 1"] {
            assert_eq!(Xiangqi::from_fen(text).unwrap_err().board, None, "{text}");
        }
    }
}
