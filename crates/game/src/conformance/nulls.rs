//! Checks of null moves: making them, undoing them, and the moves after them.

use super::{check_fields, same};
use crate::{Line, Move, Position, Scope};

/// Checks null moves at the end of the line, if the game has them.
pub(super) fn check<P: Position>(line: &Line<P>) {
    let before = line.position();
    let fen = before.to_fen();
    let mut line = line.clone();
    if !line.play_null() {
        assert_eq!(line.position(), before, "no null move changes: {fen}");
        return;
    }
    assert!(!before.in_check(), "a null move in check: {fen}");
    check_after(before, line.position(), &fen);
    check_step(&line, before, &fen);
    undo(&mut line, before, &fen);
    // A second null move restores the turn: the board is the same, and it is no repetition.
    line.play_null();
    let once = line.position().clone();
    line.play_null();
    let key = line.position().key();
    same("key after two null moves", &fen, key, before.key());
    check_step(&line, &once, &fen);
    undo(&mut line, &once, &fen);
    undo(&mut line, before, &fen);
}

/// Checks the position after a null move.
fn check_after<P: Position>(before: &P, after: &P, fen: &str) {
    let place = format_args!("{fen}, after a null move");
    let other = before.side_to_move().other();
    same("side to move", place, after.side_to_move(), other);
    let keys = [after, before].map(P::key);
    assert_ne!(keys[0], keys[1], "a null move leaves the key: {fen}");
    assert!(!after.in_check(), "a null move gives check: {fen}");
    check_fields(after, &after.to_fen());
}

/// Checks the line's entry for the last null move.
fn check_step<P: Position>(line: &Line<P>, before: &P, fen: &str) {
    let last = line.len() - 1;
    let place = format_args!("{fen}, at a null move");
    same("step", place, line.step(last).0, Move::NULL);
    same("key before", place, line.key_after(last), before.key());
    let plies = line.position().reversible_plies();
    same("reversible plies after", place, plies, 0);
    for scope in [Scope::Game, Scope::Search { root: 0 }] {
        same("repetition across", place, line.repetition(scope), None);
    }
}

/// Undoes a null move.
fn undo<P: Position>(line: &mut Line<P>, before: &P, fen: &str) {
    let place = format_args!("{fen}, after a null move is undone");
    same("undone move", place, line.undo(), Some(Move::NULL));
    let back = line.position();
    let data = |it: &P| (it.key(), it.in_check(), it.reversible_plies());
    same("position", place, back, before);
    same(
        "key, check, reversible plies",
        place,
        data(back),
        data(before),
    );
    same("integrity", place, back.check_integrity(), Ok(()));
}
