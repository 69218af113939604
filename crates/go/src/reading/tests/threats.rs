//! Compares threats to escape with the results of every move of the attacker.

use proptest::prelude::*;

use super::{at, board, cases, names, played};
use crate::reading::terminal::extension;
use crate::reading::threats::threats;
use crate::reading::{CaptureParams, Kos};
use crate::{Board, Colour, Point};

fn params(enough: u32) -> CaptureParams {
    CaptureParams {
        escape_liberties: enough,
        ..CaptureParams::default()
    }
}

#[test]
fn threats_leave_few_answers() {
    let rows = [
        ".......", ".......", "..XX...", ".XOO...", ".......", ".......", ".......",
    ];
    let board = board(&rows);
    let found = |enough| {
        let found = threats(&board, at(&board, "C4"), enough)?;
        Some([found.escapes, found.answers].map(|points| names(&board, points)))
    };
    // E4 makes five liberties, D3 and C3 four.
    let five = found(5).unwrap();
    assert_eq!(five, ["E4", "E5 E4 F4 C3 D3 E3"]);
    assert_eq!(found(4).unwrap(), ["E4 C3 D3", "E4"]);
    assert_eq!(found(6), None);
}

#[test]
fn two_ways_out_are_one_too_many() {
    let rows = [
        ".......", ".......", "...X...", "...O...", ".......", ".......", ".......",
    ];
    let board = board(&rows);
    let found = threats(&board, at(&board, "D4"), 4).unwrap();
    assert!(found.answers.is_empty() && found.escapes.len() == 2);
}

/// Returns whether the target is on the board and the defender, to move, escapes at once.
fn escapes(board: &Board, target: Point, defender: Colour, enough: u32) -> bool {
    board.at(target) == Some(defender)
        && extension(board, target, Kos::Attacker, &params(enough)).is_some()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn elsewhere_the_attacker_is_too_late(mut board in played(5..=9, 70), enough in 3_u32..7) {
        for target in Point::all(board.size()) {
            let Some(defender) = board.at(target) else {
                continue;
            };
            let Some(found) = threats(&board, target, enough) else {
                continue;
            };
            prop_assert!(!found.escapes.is_empty());
            let attacker = defender.other();
            for point in *board.empties() {
                if board.is_suicide(point, attacker) || found.answers.contains(point) {
                    continue;
                }
                board.play(point, attacker);
                let is_late = escapes(&board, target, defender, enough);
                board.undo();
                prop_assert!(is_late, "{}", point.name(board.size()));
            }
        }
    }
}
