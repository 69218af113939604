//! Compares Othello with published and independently computed facts (`tests/data/othello-*`, where
//! each file names its source).

mod games;
mod perft;
mod texts;

use proptest::prelude::*;

use super::Othello;
use leitai_game::conformance::conforms_with_mirrors;
use leitai_game::{MoveList, Position, Side};

/// Any disjoint sets of discs, sparse to full.
pub(crate) fn any_position() -> impl Strategy<Value = Othello> {
    (
        any::<u64>(),
        any::<u64>(),
        any::<u64>(),
        0..3,
        any::<bool>(),
    )
        .prop_map(|(a, b, colours, density, first)| {
            let occupied = [a, a | b, a & b][density as usize];
            let side = if first { Side::First } else { Side::Second };
            Othello::new(occupied & colours, occupied & !colours, side).unwrap()
        })
}

/// The texts of the legal moves, in order of the squares.
fn move_texts(position: &Othello) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(Othello::move_text).collect()
}

/// The position after the moves of a transcript from the start.
fn after(transcript: &str) -> Othello {
    *super::read_transcript(&Othello::initial(), transcript)
        .unwrap()
        .position()
}

#[test]
fn othello_conforms() {
    let mirrors: [fn(&Othello) -> Othello; 8] = [
        |position| position.images()[0],
        |position| position.images()[1],
        |position| position.images()[2],
        |position| position.images()[3],
        |position| position.images()[4],
        |position| position.images()[5],
        |position| position.images()[6],
        |position| position.images()[7],
    ];
    conforms_with_mirrors::<Othello>(2007, 60, 130, &mirrors);
}

#[test]
fn keys_equal_those_of_old_records() {
    assert_eq!(Othello::initial().key(), 12_389_591_950_921_811_535);
    let after_d3 = after("d3");
    assert_ne!(after_d3.key(), after("c4").key());
    assert_eq!(after_d3.symmetric_key(), after("c4").symmetric_key());
    assert_eq!(after_d3.symmetric_key(), after("f5").symmetric_key());
}

#[test]
fn the_side_to_move_is_part_of_the_key() {
    let of = |side| Othello::new(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, side).unwrap();
    assert_ne!(of(Side::First).key(), of(Side::Second).key());
    let exchanged = Othello::new(1 << 27 | 1 << 36, 1 << 28 | 1 << 35, Side::Second).unwrap();
    assert_ne!(of(Side::First).key(), exchanged.key());
}

#[test]
fn a_square_cannot_be_both_colours() {
    assert_eq!(Othello::new(3, 2, Side::First), None);
}

proptest! {
    #[test]
    fn every_placement_keeps_the_promises_of_text_and_moves(position in any_position()) {
        prop_assert_eq!(Othello::from_fen(&position.to_fen()), Ok(position));
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        prop_assert_eq!(moves.len(), position.count_legal_moves());
        for mv in moves {
            let mut played = position;
            let undo = played.make(mv);
            prop_assert_eq!(played.check_integrity(), Ok(()));
            played.unmake(mv, undo);
            prop_assert_eq!(played, position);
        }
    }

    #[test]
    fn images_play_alike(position in any_position()) {
        for image in position.images() {
            prop_assert_eq!(image.symmetric_key(), position.symmetric_key());
            prop_assert_eq!(image.count_legal_moves(), position.count_legal_moves());
            prop_assert_eq!(image.verdict_without_moves(), position.verdict_without_moves());
        }
    }
}
