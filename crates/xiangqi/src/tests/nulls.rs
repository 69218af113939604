//! Null moves and the history rules.

use super::super::zobrist;
use crate::{Xiangqi, XiangqiRules};
use leitai_game::{Cause, Line, Position, Scope, Side, Verdict};

const ROOK_AND_KINGS: &str = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 7 40";

fn play(line: &mut Line<Xiangqi>, moves: &str) {
    for text in moves.split_whitespace() {
        if text == "null" {
            line.play_null();
        } else {
            let mv = line.position().parse_move(text).unwrap();
            line.play(mv);
        }
    }
}

fn judged(line: &Line<Xiangqi>, root: usize) -> Option<Verdict> {
    Xiangqi::judge(line, XiangqiRules::default(), Scope::Search { root })
}

#[test]
fn the_clock_stands_still_and_the_move_number_goes_on() {
    let mut line = Line::new(Xiangqi::from_fen(ROOK_AND_KINGS).unwrap());
    let key = line.position().key();
    play(&mut line, "null");
    assert_eq!(line.position().key(), key ^ zobrist::SIDE);
    assert_eq!(
        line.position().to_fen(),
        ROOK_AND_KINGS.replace(" w ", " b ")
    );
    play(&mut line, "null");
    let text = ROOK_AND_KINGS.replace("7 40", "7 41");
    assert_eq!(line.position().to_fen(), text);
}

#[test]
fn nothing_repeats_across_a_null_move() {
    // Red moves there and back twice; Black only passes.
    let start = Xiangqi::from_fen(ROOK_AND_KINGS).unwrap();
    let mut line = Line::new(start.clone());
    play(&mut line, "a0a1 null a1a0 null a0a1 null a1a0 null");
    assert_eq!(line.position().key(), start.key());
    assert_eq!(judged(&line, 0), None);
    // A null move interrupts a would-be repetition.
    let mut line = Line::new(start);
    play(&mut line, "e0e1 d9d8 a0a1 null null d8d9 a1a0 d9d8");
    assert_eq!(line.key_after(2), line.position().key());
    assert_eq!(judged(&line, 0), None);
}

#[test]
fn a_repetition_after_a_null_move_is_judged_by_later_moves() {
    let mut line = Line::new(Xiangqi::from_fen(ROOK_AND_KINGS).unwrap());
    play(&mut line, "e0e1 null null");
    let root = line.len() - 1;
    let cycle = "d9d8 a0a1 d8d9 a1a0";
    play(&mut line, cycle);
    let draw = Verdict::draw(Cause::Repetition);
    assert_eq!(judged(&line, root - 1), Some(draw));
    // The first occurrence is before the null moves: two of three count.
    assert_eq!(judged(&line, root + 4), None);
    play(&mut line, cycle);
    assert_eq!(judged(&line, line.len()), Some(draw));
    // A side that checks with every move since the null move loses.
    let mut line = Line::new(Xiangqi::from_fen(ROOK_AND_KINGS).unwrap());
    play(&mut line, "e0e1 d9d8 null null a0a8 d8d9 a8a9 d9d8 a9a8");
    let lost = Verdict::win(Side::Second, Cause::PerpetualCheck);
    assert_eq!(judged(&line, 1), Some(lost));
}
