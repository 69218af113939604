//! The board for display.

use leitai_game::view::{Cells, Count, Figure, MarkKind, Place, Shape, Tint, View};
use leitai_game::{Move, Position as _, Side};

use super::board::Shogi;
use super::moves::{Parts, target, unpack};
use super::notation;
use super::piece::{Kind, Piece};
use super::square::Square;

pub(crate) fn of(position: &Shogi, last: Option<Move>) -> View {
    let mut view = View::new::<Shogi>(
        position.side_to_move(),
        Cells::Wooden,
        (1..=9).rev(),
        'a'..='i',
    );
    for rank in 0..9 {
        for file in (0..9).rev() {
            let square = Square::new(file, rank);
            if let Some(piece) = position.piece_on(square) {
                view.put(place(square), figure(piece));
            }
        }
    }
    if let Some(mv) = last {
        if let Some(Parts::Step { from, .. }) = unpack(mv) {
            view.mark(place(from), MarkKind::From);
        }
        if let Some(to) = target(mv) {
            view.mark(place(to), MarkKind::To);
        }
    }
    if position.in_check()
        && let Some(king) = position.king(position.side_to_move())
    {
        view.mark(place(king), MarkKind::Check);
    }
    for side in Side::BOTH {
        for (kind, count) in Kind::IN_HAND.into_iter().zip(position.hand(side)) {
            if count > 0 {
                view.counts.push(Count {
                    name: in_hand(kind),
                    side: Some(Shogi::SIDE_NAMES[side.index()]),
                    number: count.into(),
                    symbol: notation::name(kind).chars().next(),
                });
            }
        }
    }
    view
}

fn place(square: Square) -> Place {
    Place::new(8 - square.file(), square.rank())
}

/// A piece as its letter and a single kanji.
fn figure(Piece { side, kind }: Piece) -> Figure {
    let glyph = match kind {
        Kind::ProLance => '杏',
        Kind::ProKnight => '圭',
        Kind::ProSilver => '全',
        Kind::King => ['玉', '王'][side.index()],
        _ => notation::name(kind).chars().next().unwrap_or(' '),
    };
    let (letter, tint, shape) = match side {
        Side::First => (letter(kind), Tint::Black, Shape::WedgeUp),
        Side::Second => (
            letter(kind).to_ascii_lowercase(),
            Tint::Red,
            Shape::WedgeDown,
        ),
    };
    Figure {
        shape,
        ..Figure::glyph(letter, side, tint, english(kind), glyph)
    }
}

/// The letter of a kind in plain text; promoted kinds have their own.
fn letter(kind: Kind) -> char {
    match kind {
        Kind::Tokin => 'T',
        Kind::ProLance => 'X',
        Kind::ProKnight => 'Y',
        Kind::ProSilver => 'Z',
        Kind::Horse => 'H',
        Kind::Dragon => 'D',
        _ => kind.letter(),
    }
}

/// The name of a kind in English.
pub(crate) const fn english(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "pawn",
        Kind::Lance => "lance",
        Kind::Knight => "knight",
        Kind::Silver => "silver",
        Kind::Gold => "gold",
        Kind::Bishop => "bishop",
        Kind::Rook => "rook",
        Kind::King => "king",
        Kind::Tokin => "tokin",
        Kind::ProLance => "promoted-lance",
        Kind::ProKnight => "promoted-knight",
        Kind::ProSilver => "promoted-silver",
        Kind::Horse => "horse",
        Kind::Dragon => "dragon",
    }
}

fn in_hand(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "pawns in hand",
        Kind::Lance => "lances in hand",
        Kind::Knight => "knights in hand",
        Kind::Silver => "silvers in hand",
        Kind::Gold => "golds in hand",
        Kind::Bishop => "bishops in hand",
        Kind::Rook => "rooks in hand",
        _ => "",
    }
}
