//! Compares the exchange evaluation with captures played on the board.

use super::random::{legal_moves, play};
use crate::board::{Piece, encode};
use crate::square::squares;
use crate::{Kind, Square, Xiangqi};
use leitai_game::{Move, Position};

/// Kinds in ascending order of value.
const BY_WORTH: [Kind; 7] = [
    Kind::Pawn,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Horse,
    Kind::Cannon,
    Kind::Rook,
    Kind::King,
];

fn worth(piece: Piece, square: Square) -> i32 {
    match piece.kind {
        Kind::King => 100,
        Kind::Rook => 10,
        Kind::Cannon => 5,
        Kind::Horse => 4,
        Kind::Advisor | Kind::Elephant => 2,
        Kind::Pawn => 1 + i32::from(Xiangqi::is_across(piece.side, square.rank())),
    }
}

fn worth_on(position: &Xiangqi, square: Square) -> i32 {
    position
        .piece_at(square)
        .map_or(0, |piece| worth(piece, square))
}

/// The cheapest piece that can capture on `square`: it reaches the square, and a king is safe
/// there.
fn cheapest(position: &Xiangqi, square: Square) -> Option<Square> {
    BY_WORTH.into_iter().find_map(|kind| {
        squares(position.set(position.to_move, kind)).find(|&from| {
            position.targets(kind, from, position.to_move) & square.bit() != 0
                && (kind != Kind::King || position.leaves_king_safe(from, square))
        })
    })
}

/// The gain of the side to move from capturing on `square` or declining, and the number of captures
/// examined.
fn gain(position: &Xiangqi, square: Square) -> (i32, usize) {
    cheapest(position, square).map_or((0, 0), |from| {
        let taken = worth_on(position, square);
        let mut next = position.clone();
        next.make_move(encode(from, square));
        let (answer, captures) = gain(&next, square);
        (0.max(taken - answer), captures + 1)
    })
}

fn by_playing(position: &Xiangqi, mv: Move) -> (i32, usize) {
    let (_, to) = Xiangqi::squares_of(mv).unwrap();
    let mut next = position.clone();
    next.make(mv);
    let (answer, captures) = gain(&next, to);
    (worth_on(position, to) - answer, captures)
}

#[test]
fn exchanges_are_those_that_are_played_out() {
    let long = std::cell::Cell::new(0);
    play(6, 40, 120, |position| {
        for mv in legal_moves(position) {
            let (expected, captures) = by_playing(position, mv);
            long.set(long.get() + usize::from(captures >= 3));
            let text = || format!("{} {}", Xiangqi::move_text(mv), position.to_fen());
            assert_eq!(position.swap_off(mv, worth), expected, "{}", text());
            for threshold in (-12..=12).chain([i32::MIN, -101, 101, i32::MAX]) {
                assert_eq!(
                    position.swap_off_at_least(mv, threshold, worth),
                    expected >= threshold,
                    "{threshold} {}",
                    text()
                );
            }
        }
    });
    assert!(long.get() > 400, "{}", long.get());
}

#[test]
fn each_piece_takes_as_it_can() {
    for (fen, mv, expected) in [
        // A rook captures a horse protected by a rook, alone and backed by a second rook.
        ("3k5/9/9/2n5r/9/2R6/9/9/9/4K4 w - - 0 1", "c4c6", 4 - 10),
        ("3k5/9/9/2n5r/9/2R6/9/2R6/9/4K4 w - - 0 1", "c4c6", 4),
        // A cannon behind the rook loses its screen, or finds another.
        ("3k5/9/9/2n5r/9/2R6/9/2C6/9/4K4 w - - 0 1", "c4c6", 4 - 10),
        ("3k5/9/9/2n5r/9/2R6/9/2N6/2C6/4K4 w - - 0 1", "c4c6", 4),
        // Black's second rook is lost to the horse that the advisor's capture unblocks; with the
        // leg still blocked it would gain.
        ("3k5/9/4r4/9/4r4/9/9/9/4C4/2NA1K3 b - - 0 1", "e5e1", 5 - 10),
        (
            "3k5/9/4r4/9/4r4/9/9/9/4C4/1N1A1K3 b - - 0 1",
            "e5e1",
            5 - 10 + 2,
        ),
        ("3k5/3r5/9/9/9/9/9/9/3R5/3RK4 w - - 0 1", "d1d8", 10),
        // The king recaptures if no attacker is behind and if it would not face the other king on
        // the file.
        ("4ka3/9/9/9/5R3/9/9/9/9/3K5 w - - 0 1", "f5f9", 2 - 10),
        ("4ka3/9/9/9/5R3/9/9/5R3/9/3K5 w - - 0 1", "f5f9", 2),
        ("4ka3/9/9/9/5R3/9/9/9/9/5K3 w - - 0 1", "f5f9", 2),
        // A pawn protects a piece next to it only beyond the river.
        ("3k5/9/9/9/9/1pn6/9/2R6/9/4K4 w - - 0 1", "c2c4", 4 - 10),
        ("3k5/9/9/9/2pn5/9/9/3R5/9/4K4 w - - 0 1", "d2d5", 4),
        // An elephant protects while its eye is free.
        ("3k5/9/4b4/9/2n6/9/9/2R6/9/4K4 w - - 0 1", "c2c5", 4 - 10),
        ("3k5/9/4b4/3P5/2n6/9/9/2R6/9/4K4 w - - 0 1", "c2c5", 4),
        // Moves without a capture lose the moved piece, or nothing.
        ("3k5/9/9/2p6/9/9/9/R8/9/4K4 w - - 0 1", "a2c2", 0),
        ("3k5/9/9/2p6/9/R8/9/9/9/4K4 w - - 0 1", "a4a5", 0),
        ("3k5/9/9/2p6/R8/9/9/9/9/4K4 w - - 0 1", "a5c5", -10),
        // A pinned rook captures nevertheless.
        ("3k5/3r1n3/9/9/9/5R3/9/9/9/3RK4 w - - 0 1", "f4f8", 4 - 10),
    ] {
        let position = Xiangqi::from_fen(fen).unwrap();
        let mv = position.parse_move(mv).unwrap();
        assert_eq!(position.swap_off(mv, worth), expected, "{fen}");
    }
}

#[test]
fn nonsense_exchanges_nothing() {
    let position = Xiangqi::initial();
    for mv in [Move::NULL, encode(Square::of(40), Square::of(41))] {
        assert_eq!(position.swap_off(mv, worth), 0);
        assert!(position.swap_off_at_least(mv, 0, worth));
        assert!(!position.swap_off_at_least(mv, 1, worth));
    }
}
