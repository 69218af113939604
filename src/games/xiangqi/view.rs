//! The board as it is shown.

use super::{Kind, Piece, Square, Xiangqi};
use crate::game::view::{Cells, Figure, MarkKind, Place, Shape, Tint, View};
use crate::game::{Move, Side};

/// Ranks from the top.
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
    view
}

const fn place(square: Square) -> Place {
    Place::new(square.file(), RANKS - 1 - square.rank())
}

/// A piece by its letter and by the character that is carved into it.
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
