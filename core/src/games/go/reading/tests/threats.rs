//! Threats to escape, against every move of the attacker.

use proptest::prelude::*;

use super::{at, board, cases, names, played};
use crate::games::go::reading::terminal::extension;
use crate::games::go::reading::threats::threats;
use crate::games::go::reading::{CaptureParams, Kos};
use crate::games::go::{Board, Colour, Point};

fn params(enough: u32) -> CaptureParams {
    CaptureParams {
        escape_liberties: enough,
        ..CaptureParams::default()
    }
}

#[test]
fn two_ways_out_are_one_too_many() {
    let rows = [
        ".......", ".......", "..XX...", ".XOO...", ".......", ".......", ".......",
    ];
    let board = board(&rows);
    let found = threats(&board, at(&board, "C4"), &params(5)).unwrap();
    // E4 and D3 make five, C3 fewer: only a point of both fives helps.
    assert_eq!(names(&board, found.escapes), "D3 C3 E4");
    assert_eq!(names(&board, found.answers), "");
    let four = threats(&board, at(&board, "C4"), &params(6)).unwrap();
    assert!(!four.answers.is_empty());
    assert_eq!(threats(&board, at(&board, "C4"), &params(9)), None);
}

/// Whether the target stands and the defender, to move, escapes at once.
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
            let Some(found) = threats(&board, target, &params(enough)) else {
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
