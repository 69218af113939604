//! Compares checks detected before a move with checks seen after playing it.

use super::perft;
use super::random::{legal_moves, play, takes};
use crate::Xiangqi;
use leitai_game::{Move, MoveList, Position};

/// Returns whether the move gives check, by playing it.
fn checks(position: &Xiangqi, mv: Move) -> bool {
    let mut next = position.clone();
    next.make(mv);
    next.in_check()
}

/// Compares both ways in one position and returns the number of checks.
fn compare(position: &Xiangqi) -> usize {
    let moves = legal_moves(position);
    for &mv in &moves {
        let fen = position.to_fen();
        let text = Xiangqi::move_text(mv);
        assert_eq!(position.is_check(mv), checks(position, mv), "{text} {fen}");
    }
    let mut expected = moves.clone();
    expected.retain(|&mut mv| checks(position, mv));
    let count = expected.len();
    expected.retain(|&mut mv| !takes(position, mv));
    let mut listed = MoveList::new();
    position.legal_quiet_checks(&mut listed);
    assert_eq!(listed, expected, "{}", position.to_fen());
    count
}

/// Calls [`compare`] in all positions down to `depth` plies below this one.
fn compare_below(position: &mut Xiangqi, depth: u32) -> usize {
    let mut count = compare(position);
    if depth > 0 {
        for mv in legal_moves(position) {
            let undo = position.make(mv);
            count += compare_below(position, depth - 1);
            position.unmake(mv, undo);
        }
    }
    count
}

#[test]
fn checks_of_random_games_are_found() {
    play(5, 60, 160, |position| {
        compare(position);
    });
}

#[test]
fn checks_below_the_perft_positions_are_found() {
    let mut count = 0;
    for fen in perft::positions().step_by(2) {
        let mut position = Xiangqi::from_fen(fen).unwrap();
        count += compare_below(&mut position, 2);
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn every_kind_of_check_is_found() {
    for (fen, mv, is_check) in [
        // Direct checks by a rook, a horse and a pawn; a leg is blocked.
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a0a9", true),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a0a8", false),
        ("3k5/9/9/9/3N5/9/9/9/9/4K4 w - - 0 1", "d5e7", true),
        ("3k5/9/9/9/3N5/9/9/9/9/4K4 w - - 0 1", "d5f6", false),
        ("3k5/4P4/9/9/3N5/9/9/9/9/4K4 w - - 0 1", "d5e7", false),
        ("3k5/4P4/9/9/9/9/9/9/9/4K4 w - - 0 1", "e8d8", true),
        ("3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1", "e7d7", false),
        // A cannon behind a screen, and one that gets a screen.
        ("3k5/9/3a5/9/9/9/9/9/9/C3K4 w - - 0 1", "a0d0", true),
        ("3k5/9/9/9/9/9/9/9/9/C3K4 w - - 0 1", "a0d0", false),
        ("3k5/9/9/9/2N6/9/9/9/9/3CK4 w - - 0 1", "c5d3", true),
        // A cannon captures over a screen, with or without another screen beyond.
        ("3k5/9/9/3n5/9/3N5/3C5/9/9/4K4 w - - 0 1", "d3d6", false),
        ("3k5/9/3a5/3n5/9/3N5/3C5/9/9/4K4 w - - 0 1", "d3d6", true),
        // One of two screens moves away: a horse, the own king.
        ("3k5/9/3a5/9/3N5/9/9/9/9/3CK4 w - - 0 1", "d5b6", true),
        ("3k5/9/3a5/9/9/9/9/9/3K5/3C5 w - - 0 1", "d1e1", true),
        // The move unblocks a horse.
        ("3k5/2R6/2N6/9/9/9/9/9/9/4K4 w - - 0 1", "c8a8", true),
        ("3k5/2R6/2N6/9/9/9/9/9/9/4K4 w - - 0 1", "c8c9", true),
    ] {
        let position = Xiangqi::from_fen(fen).unwrap();
        let mv = position.parse_move(mv).unwrap();
        assert_eq!(position.is_check(mv), is_check, "{fen}");
    }
}
