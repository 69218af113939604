//! The board for display.

use super::Othello;
use leitai_game::view::{Cells, Count, Figure, MarkKind, Place, Tint, View};
use leitai_game::{Move, Position, Side};

const DISCS: [Figure; 2] = [
    Figure::disc('X', Side::First, Tint::Black),
    Figure::disc('O', Side::Second, Tint::White),
];

pub(super) fn of(position: &Othello, last: Option<Move>) -> View {
    let mut view = View::new::<Othello>(position.side_to_move(), Cells::Squares, 'a'..='h', 1..=8);
    let dots = [2, 6].into_iter().flat_map(|row| [[2, row], [6, row]]);
    view.dots.extend(dots.map(|[x, y]| Place::new(x, y)));
    for square in 0..64 {
        let is_of = |side: &Side| position.discs(*side) >> square & 1 != 0;
        if let Some(side) = Side::BOTH.into_iter().find(is_of) {
            view.put(place(square), DISCS[side.index()]);
        }
    }
    // A pass has no square.
    if let Some(Move(square @ 0..64)) = last {
        view.mark(place(square.into()), MarkKind::To);
    }
    view.counts.extend(Side::BOTH.map(|side| Count {
        name: "discs",
        side: Some(Othello::SIDE_NAMES[side.index()]),
        number: position.discs(side).count_ones(),
        symbol: None,
    }));
    view
}

const fn place(square: usize) -> Place {
    Place::new(square % 8, square / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::conformance::in_random_games;

    #[test]
    fn the_board_is_that_of_the_text() {
        in_random_games::<Othello>((17, 4, 60), |line| {
            let (view, fen) = (line.view().unwrap(), line.position().to_fen());
            let (board, side) = fen.split_once(' ').unwrap();
            assert_eq!(view.letters().concat(), board.replace('-', "."));
            assert_eq!(view.to_move == "black", side == "X", "{fen}");
            for (count, letter) in view.counts.iter().zip(['X', 'O']) {
                assert_eq!(
                    count.number as usize,
                    board.matches(letter).count(),
                    "{fen}"
                );
            }
            let last = view.last_move.clone().filter(|last| last != "pass");
            assert_eq!(view.marked(MarkKind::To).concat(), last.unwrap_or_default());
        });
    }
}
