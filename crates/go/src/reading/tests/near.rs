//! Moves near a target.

use proptest::prelude::*;

use super::{at, board, cases, played};
use crate::reading::Kos;
use crate::reading::near::{MAX, Near, Question};
use crate::{Board, Colour, Point, move_at};

fn question(board: &Board, target: Point, to_move: Colour, most: u32) -> Question {
    Question {
        target,
        defender: board.at(target).unwrap_or(Colour::White),
        to_move,
        kos: Kos::Defender,
        last: None,
        escape_liberties: 0,
        most,
    }
}

/// The names of the best moves.
fn best(rows: &[&str], target: &str, to_move: Colour, most: u32) -> Vec<String> {
    let board = board(rows);
    let asked = question(&board, at(&board, target), to_move, most);
    let found = Near::default().moves(&board, &asked);
    let names = found.iter().map(|mv| Point(mv.0).name(board.size()));
    names.collect()
}

#[test]
fn a_target_in_atari_runs_or_takes() {
    let rows = [
        ".......", "..XXX..", ".XOO...", "..XX...", ".......", ".......", ".......",
    ];
    assert_eq!(best(&rows, "D5", Colour::White, 16), ["E5"]);
    // Running to A3 leaves the target in atari; B5 takes B4.
    let rows = ["..O..", "OXO..", ".OX..", "XX...", "....."];
    let found = best(&rows, "B3", Colour::White, 16);
    assert_eq!(found[0], "B5");
    assert!(!found.contains(&"A3".to_owned()), "{found:?}");
}

#[test]
fn nets_are_among_the_first() {
    let rows = [
        ".......", ".......", "...XX..", "..XO...", "..X....", ".......", ".......",
    ];
    let found = best(&rows, "D4", Colour::Black, 4);
    assert!(found.contains(&"E3".to_owned()), "{found:?}");
}

#[test]
fn a_target_that_is_gone_has_no_moves() {
    let rows = ["...", "...", "..."];
    assert!(best(&rows, "B2", Colour::Black, 16).is_empty());
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn moves_are_legal_distinct_and_few(board in played(4..=9, 90), most in 1_u32..17) {
        let mut near = Near::default();
        for target in Point::all(board.size()) {
            let Some(defender) = board.at(target) else {
                continue;
            };
            for to_move in Colour::BOTH {
                for kos in [Kos::Attacker, Kos::Defender, Kos::Both] {
                    let asked = Question { kos, ..question(&board, target, to_move, most) };
                    let found = near.moves(&board, &asked);
                    prop_assert!(found.len() <= MAX.min(most as usize));
                    for (place, mv) in found.iter().enumerate() {
                        prop_assert!(kos.may_play(&board, Point(mv.0), to_move, defender));
                        prop_assert!(!found[..place].contains(mv));
                    }
                    // A higher limit only appends moves; the memory does not change the result.
                    let all = Near::default().moves(&board, &Question { most: MAX as u32, ..asked });
                    prop_assert!(all.starts_with(&found));
                    prop_assert_eq!(near.moves(&board, &asked), found);
                    let liberties = board.liberties(target);
                    if most == 16 && to_move != defender && all.len() < MAX {
                        let legal = liberties.iter().filter(|&it| kos.may_play(&board, it, to_move, defender));
                        for point in legal {
                            prop_assert!(all.contains(&move_at(point)), "a liberty is missing");
                        }
                    }
                }
            }
        }
    }
}
