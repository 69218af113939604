//! Positions with and without each term, and its counts.

use super::*;
use crate::eval::tests::{exchanged, mirrored, named_terms};
use leitai_game::Position;

/// A term, a position, and Red's count minus Black's. Each term has positions with an occurrence
/// and some that narrowly miss one.
const CASES: &[(&str, &str, i32)] = &[
    // A rook on an empty board has 17 squares.
    ("mobility.rook", "3k5/9/9/9/9/R8/9/9/9/4K4 w", 17 - 8),
    // An enemy pawn on e5 takes e4 away; an own pawn on a5 takes five squares away, an enemy pawn
    // there four.
    ("mobility.rook", "3k5/9/9/9/4p4/R8/9/9/9/4K4 w", 16 - 8),
    ("mobility.rook", "3k5/9/9/9/P8/R8/9/9/9/4K4 w", 12 - 8),
    ("mobility.rook", "3k5/9/9/9/p8/R8/9/9/9/4K4 w", 13 - 8),
    ("mobility.horse", "3k5/9/9/9/9/2N6/9/9/9/4K4 w", 8 - 4),
    ("mobility.horse", "3k5/9/9/9/2p6/2N6/9/9/9/4K4 w", 6 - 4),
    ("mobility.horse", "3k5/9/9/9/9/9/9/9/9/N3K4 w", 2 - 4),
    ("mobility.cannon", "3k5/9/9/9/9/C8/9/9/9/4K4 w", 17 - 9),
    // Blocked by the pawn on a5; the cannon can take the rook behind it.
    ("mobility.cannon", "3k5/r8/9/9/P8/C8/9/9/9/4K4 w", 13 - 9),
    ("rooks.open_file", "3k5/9/9/9/9/R8/9/9/9/4K4 w", 1),
    ("rooks.open_file", "3k5/9/9/9/P8/R8/9/9/9/4K4 w", 0),
    ("rooks.open_file", "3k5/9/9/9/p8/R8/9/9/9/4K4 w", 1),
    ("rooks.open_file", "3k5/9/9/r8/9/9/9/9/9/4K4 w", -1),
    ("rooks.shut_in", "3k5/9/9/9/9/9/P8/9/9/RN2K4 w", 1),
    ("rooks.shut_in", "3k5/9/9/9/9/P8/9/9/9/RN2K4 w", 1),
    ("rooks.shut_in", "3k5/9/9/9/P8/9/9/9/9/RN2K4 w", 0),
    ("rooks.linked", "3k5/9/9/9/9/R6R1/9/9/9/4K4 w", 1),
    ("rooks.linked", "3k5/9/9/9/9/R1P4R1/9/9/9/4K4 w", 0),
    ("horses.linked", "3k5/9/9/3N5/9/2N6/9/9/9/4K4 w", 1),
    ("horses.linked", "3k5/9/9/3N5/2p6/2N6/9/9/9/4K4 w", 0),
    ("horses.stuck", "3k5/9/9/9/9/9/9/9/9/NR2K4 w", 1),
    ("horses.stuck", "3k5/9/9/9/9/9/9/9/9/N3K4 w", 0),
    ("horses.behind_pawn", "3k5/9/9/9/9/9/2P6/2N6/9/4K4 w", 1),
    ("horses.behind_pawn", "3k5/9/9/9/9/2P6/9/2N6/9/4K4 w", 0),
    ("horses.behind_pawn", "3k5/9/9/9/9/9/2p6/2N6/9/4K4 w", 0),
    ("horses.palace_heart", "3k5/9/9/9/9/9/9/9/4N4/4K4 w", 1),
    ("horses.palace_heart", "4k4/9/9/9/9/9/9/9/4N4/3K5 w", 0),
    ("horses.palace_heart", "3k5/9/9/9/9/9/9/9/3N5/4K4 w", 0),
    ("cannons.bare_file", "4k4/9/9/9/9/4C4/9/9/9/3K5 w", 1),
    ("cannons.bare_file", "4k4/9/9/4p4/9/4C4/9/9/9/3K5 b", 0),
    ("cannons.bare_file", "4k4/9/9/9/9/5C3/9/9/9/3K5 w", 0),
    ("cannons.two_screens", "4k4/4a4/9/4p4/9/4C4/9/9/9/3K5 w", 1),
    (
        "cannons.two_screens",
        "4k4/4a4/4b4/4p4/9/4C4/9/9/9/3K5 w",
        0,
    ),
    ("cannons.two_screens", "4k4/9/9/9/9/4C4/9/9/9/3K5 w", 0),
    ("cannons.bottom", "C3k4/9/9/9/9/9/9/9/9/3K5 w", 4),
    ("cannons.bottom", "C1b1ka3/9/9/9/9/9/9/9/9/3K5 b", 2),
    ("cannons.bottom", "C8/4k4/9/9/9/9/9/9/9/3K5 w", 0),
    ("cannons.bottom", "4k4/C8/9/9/9/9/9/9/9/3K5 w", 0),
    ("cannons.missing_guards", "3k5/9/9/9/9/C8/9/9/9/4K4 w", 4),
    (
        "cannons.missing_guards",
        "3k5/9/9/9/9/C8/9/9/4A4/2BAK4 w",
        1,
    ),
    (
        "cannons.missing_guards",
        "3k5/9/9/9/9/C8/9/4B4/4A4/2BAK4 w",
        0,
    ),
    (
        "king_safety.advisors_against_rooks",
        "3k5/9/9/9/9/r8/9/9/9/4K4 w",
        2,
    ),
    (
        "king_safety.advisors_against_rooks",
        "3k5/9/9/9/9/r7r/9/9/4A4/4K4 w",
        2,
    ),
    (
        "king_safety.advisors_against_rooks",
        "3k5/9/9/9/9/n7c/9/9/9/4K4 w",
        0,
    ),
    (
        "king_safety.advisors_against_rooks",
        "3k5/9/9/9/9/r8/9/9/4A4/3AK4 w",
        0,
    ),
    (
        "king_safety.advisors_against_horses",
        "3k5/9/9/9/9/n8/9/9/9/4K4 w",
        2,
    ),
    (
        "king_safety.advisors_against_horses",
        "3k5/9/9/9/9/r7c/9/9/9/4K4 w",
        0,
    ),
    (
        "king_safety.elephants_against_cannons",
        "3k5/9/9/9/9/c8/9/9/9/4K4 w",
        2,
    ),
    (
        "king_safety.elephants_against_cannons",
        "3k5/9/9/9/9/c8/9/9/9/2B1K4 w",
        1,
    ),
    (
        "king_safety.elephants_against_cannons",
        "3k5/9/9/9/9/n7r/9/9/9/4K4 w",
        0,
    ),
    (
        "king_safety.palace_attackers",
        "3k5/9/9/9/9/9/9/9/r8/4K4 w",
        1,
    ),
    (
        "king_safety.palace_attackers",
        "3k5/9/9/9/9/r8/9/9/9/4K4 w",
        0,
    ),
    (
        "king_safety.palace_attackers",
        "3k5/9/9/9/9/9/9/9/2p6/4K4 w",
        1,
    ),
    (
        "king_safety.palace_attackers",
        "3k5/9/9/9/9/9/3p5/9/9/4K4 w",
        1,
    ),
    (
        "king_safety.palace_attackers",
        "3k5/9/9/9/9/9/2p6/9/9/4K4 w",
        0,
    ),
    (
        "king_safety.palace_attackers",
        "3k5/9/9/9/9/3n5/9/9/9/4K4 w",
        1,
    ),
    // A cannon attacks only over a screen, and only a piece.
    (
        "king_safety.palace_attackers",
        "3k5/9/9/9/9/9/9/9/c8/4K4 w",
        0,
    ),
    (
        "king_safety.palace_attackers",
        "3k5/9/9/9/9/9/9/9/c1R1N4/4K4 w",
        1,
    ),
    (
        "king_safety.palace_attacker_pairs",
        "3k5/9/9/9/9/9/3p5/r8/r8/4K4 w",
        3,
    ),
    (
        "king_safety.palace_attacker_pairs",
        "3k5/9/9/9/9/9/9/9/r8/4K4 w",
        0,
    ),
    ("king_safety.king_out", "3k5/9/9/9/9/r7n/9/4K4/9/9 w", 4),
    ("king_safety.king_out", "3k5/9/9/9/9/c8/9/9/4K4/9 w", 1),
    ("king_safety.king_out", "3k5/9/9/9/9/r7n/9/9/9/4K4 w", 0),
    ("king_safety.king_out", "9/3k5/9/9/9/R7N/9/9/9/4K4 w", -2),
    (
        "king_safety.rook_on_king_file",
        "3kr4/9/9/9/9/9/9/9/4A4/4K4 w",
        1,
    ),
    (
        "king_safety.rook_on_king_file",
        "3kr4/9/9/9/9/9/9/9/9/4K4 w",
        1,
    ),
    (
        "king_safety.rook_on_king_file",
        "3kr4/9/9/9/9/4P4/9/9/4A4/4K4 w",
        0,
    ),
    ("guards.linked_advisors", "3k5/9/9/9/9/9/9/9/4A4/3AK4 w", 1),
    ("guards.linked_advisors", "3k5/9/9/9/9/9/9/9/9/3AKA3 w", 0),
    ("guards.linked_advisors", "3k5/9/9/9/9/9/9/9/4A4/4K4 w", 0),
    (
        "guards.linked_elephants",
        "3k5/9/9/9/9/9/9/4B4/9/2B1K4 w",
        1,
    ),
    (
        "guards.linked_elephants",
        "3k5/9/9/9/9/9/9/4B4/3N5/2B1K4 w",
        0,
    ),
    (
        "guards.linked_elephants",
        "3k5/9/9/9/9/9/9/9/9/2B1K1B2 w",
        0,
    ),
    ("guards.complete", "3k5/9/9/9/9/9/9/4B4/4A4/2BAK4 w", 1),
    ("guards.complete", "3k5/9/9/9/9/9/9/4B4/4A4/3AK4 w", 0),
    ("pawns.hand_in_hand", "3k5/9/9/2PP5/9/9/9/9/9/4K4 w", 1),
    ("pawns.hand_in_hand", "3k5/9/9/2PPP4/9/9/9/9/9/4K4 w", 2),
    ("pawns.hand_in_hand", "3k5/9/9/2P1P4/9/9/9/9/9/4K4 w", 0),
    ("pawns.hand_in_hand", "3k5/9/P8/8P/9/9/9/9/9/4K4 w", 0),
    ("pawns.protected", "3k5/9/9/2P6/9/2R6/9/9/9/4K4 w", 1),
    ("pawns.protected", "3k5/9/9/2PP5/9/9/9/9/9/4K4 w", 2),
    ("pawns.protected", "3k5/9/9/2P6/9/3R5/9/9/9/4K4 b", 0),
    ("pawns.protected", "3k5/9/9/9/9/2P6/9/2R6/9/4K4 w", 0),
    ("teamwork.rook_and_horse", "3k5/9/9/9/9/R7N/9/9/9/4K4 w", 1),
    ("teamwork.rook_and_horse", "3k5/9/9/9/9/R7R/9/9/9/4K4 w", 0),
    (
        "teamwork.rook_and_cannon",
        "3k5/9/9/9/9/R6CC/9/9/9/4K4 w",
        1,
    ),
    ("teamwork.rook_and_cannon", "3k5/9/9/9/9/N7C/9/9/9/4K4 w", 0),
    (
        "teamwork.horse_and_cannon",
        "3k5/9/9/9/9/NC5NC/9/9/9/4K4 w",
        2,
    ),
    (
        "teamwork.horse_and_cannon",
        "3k5/9/9/9/9/N7N/9/9/9/4K4 w",
        0,
    ),
    ("hanging.rook", "3k5/9/9/3r5/9/2N6/9/9/9/4K4 w", 1),
    // Rook against rook: both protected; and only Red's protected.
    ("hanging.rook", "3k5/2n6/9/3r5/9/3R5/9/2N6/9/4K4 w", 0),
    ("hanging.rook", "3k5/9/9/3r5/9/3R5/9/2N6/9/4K4 w", 1),
    ("hanging.horse", "3k5/9/2n6/9/9/2R6/9/9/9/4K4 w", 1),
    ("hanging.horse", "2rk5/9/2n6/9/9/2R6/9/9/9/4K4 w", 0),
    ("hanging.horse", "3k5/9/2n6/9/9/1R7/9/9/9/4K4 w", 0),
    ("hanging.cannon", "3k5/9/2c6/9/9/2R6/9/9/9/4K4 w", 1),
    ("hanging.cannon", "2rk5/9/2c6/9/9/2R6/9/9/9/4K4 w", 0),
    ("hanging.guard", "2bk5/9/9/9/9/2R6/9/9/9/4K4 w", 1),
    ("hanging.guard", "r1bk5/9/9/9/9/2R6/9/9/9/4K4 w", 0),
    ("hanging.pawn", "3k5/9/9/2p6/9/2R6/9/9/9/4K4 w", 1),
    ("hanging.pawn", "2rk5/9/9/2p6/9/2R6/9/9/9/4K4 w", 0),
    ("threats.king", "3k5/9/9/9/9/3R5/9/9/9/4K4 b", 1),
    ("threats.king", "3k5/9/9/9/9/2R6/9/9/9/4K4 b", 0),
    ("threats.rook", "3k5/9/9/3r5/9/2N1N4/9/9/9/4K4 w", 2),
    ("threats.rook", "3k5/9/9/3r5/9/3R5/9/9/9/4K4 w", 0),
    ("threats.horse", "3k5/9/2n6/9/9/2R6/9/9/9/4K4 w", 1),
    ("threats.horse", "3k5/9/9/2Pn5/9/9/9/9/9/4K4 w", 1),
    ("threats.horse", "3k5/9/9/3nP4/9/9/9/9/9/4K4 w", 1),
    ("threats.horse", "3k5/9/3n5/3P5/9/9/9/9/9/4K4 w", 1),
    ("threats.horse", "3k5/9/3P5/3n5/9/9/9/9/9/4K4 w", 0),
    ("threats.cannon", "3k5/9/2c6/9/9/2R6/9/9/9/4K4 w", 1),
    ("threats.cannon", "3k5/2n6/9/9/2c6/2P6/9/2C6/9/4K4 w", 1),
    ("threats.cannon", "3k5/9/2c6/9/9/2C6/9/9/9/4K4 w", 0),
    ("threats.pawn", "3k5/9/9/9/9/6p2/9/4B4/9/4K4 w", 1),
    ("threats.pawn", "3k5/9/9/9/9/6p2/5N3/4B4/9/4K4 w", 0),
    ("threats.pawn", "3k5/9/9/9/9/9/9/5p3/4A4/4K4 w", 1),
    // A king's threats do not count.
    ("threats.pawn", "3k5/9/9/9/9/9/9/9/9/3pK4 w", 0),
    ("threats.advisor", "3k5/R3a4/9/9/9/9/9/9/9/4K4 w", 1),
    ("threats.advisor", "3k5/R1n1a4/9/9/9/9/9/9/9/4K4 w", 0),
    ("threats.elephant", "2bk5/9/9/9/9/2R6/9/9/9/4K4 w", 1),
    ("threats.elephant", "2bk5/9/9/2p6/9/2R6/9/9/9/4K4 w", 0),
];

fn place(path: &str) -> usize {
    named_terms()
        .iter()
        .position(|(name, _)| name == path)
        .unwrap_or_else(|| panic!("no term {path}"))
}

#[test]
fn terms_are_met_where_they_should() {
    let mut wrong = Vec::new();
    for &(path, fen, expected) in CASES {
        let position = match Xiangqi::from_fen(fen) {
            Ok(position) => position,
            Err(error) => {
                wrong.push(error.to_string());
                continue;
            }
        };
        let counted = |position: &Xiangqi| balance(position, &Wanted::ALL)[place(path)];
        let found = [
            counted(&position),
            counted(&mirrored(&position)),
            -counted(&exchanged(&position)),
        ];
        if found != [expected; 3] {
            wrong.push(format!("{path}: {fen}: {found:?} for {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_term_is_tried() {
    for (at, (name, _)) in named_terms().iter().enumerate() {
        let cases = || CASES.iter().filter(|(path, ..)| place(path) == at);
        assert!(cases().any(|case| case.2 != 0), "{name} is never met");
        // Mobility varies in every position.
        let numbers: std::collections::BTreeSet<i32> = cases().map(|case| case.2).collect();
        assert!(numbers.len() > 1, "{name} is always met alike");
    }
}

/// At the start both sides have the same counts.
#[test]
fn the_start_is_balanced() {
    assert_eq!(
        balance(&Xiangqi::initial(), &Wanted::ALL),
        [0; Terms::COUNT]
    );
}
