//! Reading ladders and playing them out.

use proptest::prelude::*;

use super::{at, board, cases, played};
use crate::reading::{CaptureParams, Kos, LadderOutcome, ladder, ladder_zone};
use crate::{Board, Colour, Point};

fn read(rows: &[&str], target: &str, to_move: Colour, kos: Kos) -> LadderOutcome {
    let mut board = board(rows);
    let target = at(&board, target);
    let before = board.clone();
    let outcome = ladder(&mut board, target, to_move, kos, &CaptureParams::default());
    assert_eq!(board, before);
    assert_eq!(board.plies(), before.plies());
    outcome
}

fn captured(size: u8, name: &str) -> LadderOutcome {
    LadderOutcome::Captured(Point::from_name(name, size).unwrap())
}

const LADDER: [&str; 9] = [
    ".........",
    ".........",
    "...X.....",
    "..XO.....",
    "..X......",
    ".........",
    ".........",
    ".........",
    ".........",
];

#[test]
fn a_ladder_works_without_a_breaker() {
    let outcome = read(&LADDER, "D6", Colour::Black, Kos::Defender);
    assert_eq!(outcome, captured(9, "E6"));
    let to_run = read(&LADDER, "D6", Colour::White, Kos::Defender);
    assert_eq!(to_run, LadderOutcome::Fails, "two liberties and the move");
    let mut broken = LADDER;
    broken[6] = "......O..";
    let outcome = read(&broken, "D6", Colour::Black, Kos::Defender);
    assert_eq!(outcome, LadderOutcome::Fails);
    let mut helped = broken;
    helped[7] = ".....XX..";
    helped[6] = "......OX.";
    // The breaker itself is in atari when the ladder arrives.
    let outcome = read(&helped, "D6", Colour::Black, Kos::Defender);
    assert_eq!(outcome, captured(9, "E6"));
}

#[test]
fn the_longest_ladder_is_read_and_no_deeper_than_allowed() {
    let mut rows = vec![".".repeat(19); 19];
    for (row, col, stone) in [(1, 2, "X"), (2, 1, "X"), (2, 2, "O"), (3, 1, "X")] {
        rows[row].replace_range(col..=col, stone);
    }
    let mut board = Board::from_rows(&rows).unwrap();
    let target = Point::new(2, 2);
    let mut params = CaptureParams::default();
    let mut outcome =
        |params: &CaptureParams| ladder(&mut board, target, Colour::Black, Kos::Defender, params);
    assert!(matches!(outcome(&params), LadderOutcome::Captured(_)));
    params.ladder_depth = 40;
    assert_eq!(outcome(&params), LadderOutcome::Fails);
    params.ladder_depth = 200;
    params.ladder_nodes = 20;
    assert_eq!(outcome(&params), LadderOutcome::Fails);
}

#[test]
fn taking_an_attacker_next_to_the_block_saves_it() {
    // C4's escape to C3 is too narrow, but C5 has its last liberty at D5.
    let saved = [".OX..", "OXOX.", ".X.X.", ".XX..", "....."];
    let outcome = read(&saved, "C4", Colour::White, Kos::Defender);
    assert!(
        !matches!(outcome, LadderOutcome::Captured(_)),
        "{outcome:?}"
    );
    let not = [".XX..", ".XOX.", ".X.X.", ".XX..", "....."];
    assert_eq!(
        read(&not, "C4", Colour::White, Kos::Defender),
        captured(5, "C3")
    );
}

#[test]
fn a_snapback_begins_with_an_atari_in_atari() {
    // Black throws in at B5; White's capture leaves a single liberty.
    let rows = ["X.OX.", "OOOX.", "XXX..", ".....", "....."];
    let mut board = board(&rows);
    let target = at(&board, "A4");
    assert_eq!(board.liberty_count(target), 1);
    let params = CaptureParams::default();
    let outcome = ladder(&mut board, target, Colour::White, Kos::Defender, &params);
    assert!(matches!(outcome, LadderOutcome::Captured(_)), "{outcome:?}");
    let rows = ["X..OX", "OOOOX", "XXXXX", ".....", "....."];
    let outcome = read(&rows, "A4", Colour::Black, Kos::Defender);
    assert!(matches!(outcome, LadderOutcome::Captured(_)), "{outcome:?}");
}

#[test]
fn the_right_to_take_a_ko_decides() {
    // Black takes C3 at D3; with White on E3, White would retake at C3.
    let rows = [".....", "..XO.", ".XO.O", "..XO.", "....."];
    let test = |kos| read(&rows, "C3", Colour::Black, kos);
    assert_eq!(test(Kos::Defender), LadderOutcome::Ko);
    assert_eq!(test(Kos::Attacker), captured(5, "D3"));
    assert_eq!(test(Kos::Both), captured(5, "D3"));
    let mut banned = board(&rows);
    let (target, point) = (at(&banned, "C3"), at(&banned, "D3"));
    banned.set_ko(Some(point));
    let params = CaptureParams::default();
    let mut test = |kos| ladder(&mut banned, target, Colour::Black, kos, &params);
    assert_eq!(test(Kos::Both), LadderOutcome::Ko);
    assert_eq!(
        test(Kos::Attacker),
        captured(5, "D3"),
        "with a master there is no ban"
    );
}

#[test]
fn a_stone_may_be_saved_by_making_its_capture_a_ko() {
    // Running to A1 does not help; White at B1 makes Black's capture there a ko.
    let rows = [".....", ".....", "X....", "OX...", "....."];
    let test = |kos| read(&rows, "A2", Colour::White, kos);
    assert_eq!(test(Kos::Defender), LadderOutcome::Ko);
    assert_eq!(test(Kos::Attacker), captured(5, "A1"));
    let filled = [".....", ".....", "X....", "OX...", ".X..."];
    let outcome = read(&filled, "A2", Colour::White, Kos::Defender);
    assert_eq!(outcome, captured(5, "A1"));
}

/// Plays out a working ladder against every reply.
fn follow(
    board: &mut Board,
    target: Point,
    to_move: Colour,
    kos: Kos,
    plies: u32,
) -> Result<(), String> {
    let Some(defender) = board.at(target) else {
        return Ok(());
    };
    let params = CaptureParams::default();
    let LadderOutcome::Captured(point) = ladder(board, target, to_move, kos, &params) else {
        return Err(format!("not read to work: {board:?}"));
    };
    if plies == 0 {
        return Err("too long".to_owned());
    }
    if to_move != defender {
        if !kos.may_play(board, point, to_move, defender) {
            return Err(format!(
                "may not play {}: {board:?}",
                point.name(board.size())
            ));
        }
        board.play(point, to_move);
        let result = follow(board, target, defender, kos, plies - 1);
        board.undo();
        return result;
    }
    board.pass();
    let result = follow(board, target, defender.other(), kos, plies - 1);
    board.undo();
    result?;
    let empties = *board.empties();
    for reply in empties {
        if kos.may_play(board, reply, defender, defender) {
            board.play(reply, defender);
            let result = follow(board, target, defender.other(), kos, plies - 1);
            board.undo();
            result?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_ladder_that_works_takes_the_target_whatever_is_replied(board in played(4..=5, 50)) {
        let mut board = board;
        let stones = *board.all(Colour::Black) | *board.all(Colour::White);
        for target in stones {
            for to_move in Colour::BOTH {
                for kos in [Kos::Attacker, Kos::Defender] {
                    let params = CaptureParams::default();
                    let outcome = ladder(&mut board, target, to_move, kos, &params);
                    let (with_zone, zone) = ladder_zone(&mut board, target, to_move, kos, &params);
                    prop_assert_eq!(outcome, with_zone);
                    if matches!(outcome, LadderOutcome::Captured(_)) {
                        prop_assert!(board.stones(target).is_subset(&zone));
                        let result = follow(&mut board, target, to_move, kos, 40);
                        prop_assert!(result.is_ok(), "{:?} {:?} {:?}", result, target, kos);
                    }
                }
            }
        }
    }
}
