//! The candidate moves and their order.

use proptest::prelude::*;

use super::{at, board, cases, context, names, played};
use crate::reading::{CaptureParams, Context, Kos, Stone, candidates, is_real_eye};
use crate::{Board, Colour, Point, point_of};
use leitai_game::Move;

fn of(board: &mut Board, target: &str, to_move: Colour, params: &CaptureParams) -> String {
    let target = at(board, target);
    let mut out = vec![(Move(9), 9)];
    candidates(&mut context(board, target, to_move), params, &mut out);
    names(board, out.iter().filter_map(|&(mv, _)| point_of(mv)))
}

const NET: [&str; 9] = [
    ".........",
    ".........",
    "...X.....",
    "..XO.....",
    "..X......",
    ".........",
    "......O..",
    ".........",
    ".........",
];

#[test]
fn the_attacker_has_the_atari_and_the_net() {
    let params = CaptureParams {
        point_stone: Stone::Owner,
        ..CaptureParams::default()
    };
    let found = of(&mut board(&NET), "D6", Colour::Black, &params);
    let found: Vec<&str> = found.split(' ').collect();
    assert!(found.len() <= 15, "{found:?}");
    for wanted in ["E6", "D5", "E5"] {
        assert!(found.contains(&wanted), "{wanted} in {found:?}");
    }
}

#[test]
fn the_cap_and_the_counts_hold() {
    let only_target = CaptureParams {
        chain_most: 0,
        adjacent_most: 0,
        last_most: 0,
        last_adjacent_most: 0,
        target_most: 2,
        point_stone: Stone::Owner,
        ..CaptureParams::default()
    };
    let found = of(&mut board(&NET), "D6", Colour::Black, &only_target);
    assert_eq!(found, "F6 E6", "most liberties of the stone first");
    let related = CaptureParams {
        point_stone: Stone::Related,
        ..only_target.clone()
    };
    let found = of(&mut board(&NET), "D6", Colour::Black, &related);
    assert_eq!(found, "E6 D5", "most liberties of the target first");
    let one = CaptureParams {
        attack_most: 1,
        ..only_target.clone()
    };
    assert_eq!(of(&mut board(&NET), "D6", Colour::Black, &one), "F6");
    let none = CaptureParams {
        target_most: 0,
        ..only_target
    };
    assert_eq!(of(&mut board(&NET), "D6", Colour::Black, &none), "");
    assert_eq!(of(&mut board(&["...."; 4]), "A1", Colour::Black, &one), "");
}

#[test]
fn the_least_of_each_type_stay_when_there_are_too_many() {
    let rows = ["....O", "..O.X", ".....", "XO...", "....."];
    let params = CaptureParams {
        chain_most: 0,
        last_most: 0,
        last_adjacent_most: 0,
        target_least: 1,
        target_most: 20,
        adjacent_least: 1,
        adjacent_most: 1,
        attack_most: 2,
        point_stone: Stone::Owner,
        ..CaptureParams::default()
    };
    // The best move for the target E5, and the best for Black's E4, which has a lower value than
    // others.
    let found = of(&mut board(&rows), "E5", Colour::Black, &params);
    assert_eq!(found, "D4 D3");
    let free = CaptureParams {
        target_least: 0,
        adjacent_least: 0,
        ..params
    };
    let found = of(&mut board(&rows), "E5", Colour::Black, &free);
    assert_eq!(found, "D4 C5");
}

#[test]
fn the_defender_does_not_run_into_a_ladder() {
    let mut rows = super::board(&[
        ".........",
        ".........",
        "...X.....",
        "..XO.....",
        "..XX.....",
        ".........",
        ".........",
        ".........",
        ".........",
    ]);
    let run = of(&mut rows, "D6", Colour::White, &CaptureParams::default());
    assert!(run.contains("E6"), "{run}");
    let mut hopeless = super::board(&["X.X..", "XOX..", "XXX..", ".....", "....."]);
    let params = CaptureParams::default();
    assert_eq!(of(&mut hopeless, "B4", Colour::White, &params), "");
    let off = CaptureParams {
        ladder_filter: false,
        ..params
    };
    assert!(!of(&mut hopeless, "B4", Colour::White, &off).is_empty());
}

#[test]
fn no_candidate_fills_a_real_eye() {
    let rows = [".XO..", "XXO..", "OO...", ".....", "....."];
    let params = CaptureParams {
        ladder_filter: false,
        ..CaptureParams::default()
    };
    let mut board = board(&rows);
    let eye = at(&board, "A5");
    assert!(is_real_eye(&board, eye, Colour::Black));
    let corner = [".X.XO", "XXXXO", "OOOOO", ".....", "....."];
    let mut corner = super::board(&corner);
    assert!(!of(&mut corner, "A4", Colour::Black, &params).contains("A5"));
    assert!(!of(&mut board, "A4", Colour::Black, &params).contains("A5"));
    let open = CaptureParams {
        eye_filter: false,
        ..params
    };
    assert!(of(&mut corner, "A4", Colour::Black, &open).contains("A5"));
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn candidates_are_legal_distinct_ordered_and_capped(
        board in played(4..=9, 90),
        last in any::<u16>(),
    ) {
        let mut board = board;
        let params = CaptureParams::default();
        let rows = board.to_rows();
        let points: Vec<Point> = Point::all(board.size()).collect();
        let last = points.get(usize::from(last) % points.len()).copied();
        for &target in &points {
            let Some(defender) = board.at(target) else {
                continue;
            };
            for to_move in Colour::BOTH {
                for kos in [Kos::Attacker, Kos::Defender, Kos::Both] {
                    let mut out = Vec::new();
                    let mut context = Context { board: &mut board, target, defender, last, to_move, kos };
                    candidates(&mut context, &params, &mut out);
                    prop_assert!(out.len() <= 15);
                    let order: Vec<(i32, u16)> = out.iter().map(|&(mv, value)| (-value, mv.0)).collect();
                    prop_assert!(order.is_sorted_by(|a, b| a < b));
                    for &(mv, _) in &out {
                        let point = point_of(mv).unwrap();
                        prop_assert!(kos.may_play(&board, point, to_move, defender));
                        prop_assert!(!is_real_eye(&board, point, to_move));
                    }
                }
            }
        }
        prop_assert_eq!(board.to_rows(), rows);
        prop_assert!(board.check_integrity().is_ok());
    }
}
