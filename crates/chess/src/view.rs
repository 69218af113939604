//! The board for display.

use cozy_chess::{Color, File, Rank, Square};

use super::board::{Chess, side};
use super::fen::{Rows, piece_letter};
use super::moves::unpack;
use leitai_game::view::{Cells, Figure, MarkKind, Place, Tint, View};
use leitai_game::{Move, Side};

const FIGURES: [Figure; 12] = [
    white('K', "king", '♔'),
    white('Q', "queen", '♕'),
    white('R', "rook", '♖'),
    white('B', "bishop", '♗'),
    white('N', "knight", '♘'),
    white('P', "pawn", '♙'),
    black('k', "king", '♚'),
    black('q', "queen", '♛'),
    black('r', "rook", '♜'),
    black('b', "bishop", '♝'),
    black('n', "knight", '♞'),
    black('p', "pawn", '♟'),
];

const fn white(letter: char, name: &'static str, glyph: char) -> Figure {
    Figure::glyph(letter, Side::First, Tint::White, name, glyph)
}

const fn black(letter: char, name: &'static str, glyph: char) -> Figure {
    Figure::glyph(letter, Side::Second, Tint::Black, name, glyph)
}

/// The board of these rows of FEN letters, from the top.
pub(super) fn of_rows(rows: &Rows, to_move: Color) -> View {
    let mut view = View::new::<Chess>(side(to_move), Cells::Checkered, 'a'..='h', (1..=8).rev());
    let rows: Vec<String> = rows
        .iter()
        .map(|row| String::from_utf8_lossy(row).into_owned())
        .collect();
    view.put_rows(&rows, &FIGURES);
    view
}

pub(super) fn of(position: &Chess, last: Option<Move>) -> View {
    let board = &position.board;
    let letter = |square: Square| {
        let piece = board.piece_on(square);
        piece.map_or(b'.', |it| {
            piece_letter(it, board.colors(Color::White).has(square)) as u8
        })
    };
    let mut rows = Rank::ALL.map(|rank| File::ALL.map(|file| letter(Square::new(file, rank))));
    rows.reverse();
    let mut view = of_rows(&rows, board.side_to_move());
    if let Some(parts) = last.and_then(unpack) {
        let to = if parts.castles {
            parts.castled()
        } else {
            parts.to
        };
        view.mark(place(parts.from), MarkKind::From);
        view.mark(place(to), MarkKind::To);
    }
    if !board.checkers().is_empty() {
        view.mark(place(board.king(board.side_to_move())), MarkKind::Check);
    }
    view
}

fn place(square: Square) -> Place {
    Place::new(square.file() as usize, 7 - square.rank() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::Position;
    use leitai_game::conformance::in_random_games;

    #[test]
    fn the_board_is_that_of_the_fen() {
        in_random_games::<Chess>((17, 4, 60), |line| {
            let (view, fen) = (line.view().unwrap(), line.position().to_fen());
            let empty = |letter: char| letter.to_digit(10).map(|skip| ".".repeat(skip as usize));
            let spell = |letter: char| empty(letter).unwrap_or_else(|| letter.to_string());
            let (board, rest) = fen.split_once(' ').unwrap();
            let board: String = board.chars().map(spell).collect();
            assert_eq!(view.letters().join("/"), board);
            assert_eq!(&view.to_move[..1] == "w", rest.starts_with('w'), "{fen}");
            let is_marked = view.marked(MarkKind::Check).len() == 1;
            assert_eq!(is_marked, line.position().in_check(), "{fen}");
            let marks = [MarkKind::From, MarkKind::To].map(|kind| view.marked(kind).concat());
            let last = view.last_move.unwrap_or_default();
            assert_eq!(marks.concat(), last.get(..4).unwrap_or_default());
        });
    }

    #[test]
    fn a_position_that_may_not_be_shows_its_board() {
        let board = Chess::from_fen("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1")
            .unwrap_err()
            .board;
        assert_eq!(board.expect("a board").letters()[4], "....R...");
        assert_eq!(
            Chess::from_fen("4k3/8/8/8 w - - 0 1").unwrap_err().board,
            None
        );
    }
}
