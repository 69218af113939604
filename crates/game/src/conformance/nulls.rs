//! Checks of null moves: making them, undoing them, and the moves after them.

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
    assert_eq!(
        line.position().key(),
        before.key(),
        "key after two null moves: {fen}"
    );
    check_step(&line, &once, &fen);
    undo(&mut line, &once, &fen);
    undo(&mut line, before, &fen);
}

/// Checks the position after a null move.
fn check_after<P: Position>(before: &P, after: &P, fen: &str) {
    assert_eq!(
        after.side_to_move(),
        before.side_to_move().other(),
        "a null move leaves the turn: {fen}"
    );
    assert_ne!(
        after.key(),
        before.key(),
        "a null move leaves the key: {fen}"
    );
    assert!(!after.in_check(), "a null move gives check: {fen}");
    assert_eq!(
        after.check_integrity(),
        Ok(()),
        "integrity after a null move: {fen}"
    );
    let fresh = match P::from_fen(&after.to_fen()) {
        Ok(fresh) => fresh,
        Err(error) => panic!("text after a null move does not read back: {error}"),
    };
    assert_eq!(&fresh, after, "text after a null move: {fen}");
    assert_eq!(fresh.key(), after.key(), "key after a null move: {fen}");
}

/// Checks the line's entry for the last null move.
fn check_step<P: Position>(line: &Line<P>, before: &P, fen: &str) {
    let last = line.len() - 1;
    assert_eq!(line.step(last).0, Move::NULL, "step of a null move: {fen}");
    assert_eq!(
        line.key_after(last),
        before.key(),
        "key before a null move: {fen}"
    );
    assert_eq!(
        line.position().reversible_plies(),
        0,
        "reversible plies after a null move: {fen}"
    );
    for scope in [Scope::Game, Scope::Search { root: 0 }] {
        assert_eq!(
            line.repetition(scope),
            None,
            "repetition across a null move: {fen}"
        );
    }
}

/// Undoes a null move.
fn undo<P: Position>(line: &mut Line<P>, before: &P, fen: &str) {
    assert_eq!(line.undo(), Some(Move::NULL), "null move undone: {fen}");
    let back = line.position();
    assert_eq!(back, before, "a null move is not taken back: {fen}");
    assert_eq!(
        (back.key(), back.in_check(), back.reversible_plies()),
        (before.key(), before.in_check(), before.reversible_plies()),
        "key, check or reversible plies after a null move is undone: {fen}"
    );
    assert_eq!(
        back.check_integrity(),
        Ok(()),
        "integrity after a null move is undone: {fen}"
    );
}
