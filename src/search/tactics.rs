//! What a move means to a search: the game's answers to the questions that
//! move ordering and quiescence ask.

use crate::game::{Move, MoveList, Position};

/// A game that an alpha-beta search with move ordering can play.
pub trait Tactics: Position {
    /// Number of history slots; [`history_slot`](Tactics::history_slot) stays
    /// below it.
    const HISTORY_SLOTS: usize;

    /// The history slot of a move in this position: by piece and target.
    fn history_slot(&self, mv: Move) -> usize;

    /// Whether the legal move `mv` captures: such moves make a position too
    /// unsettled for a static evaluation.
    fn is_capture(&self, mv: Move) -> bool;

    /// Appends the legal captures. The default, for games without captures
    /// that matter, appends nothing.
    fn captures(&self, moves: &mut MoveList) {
        let _ = moves;
    }

    /// The static gain of the legal capture `mv` (Yue & Feng 2009, section
    /// 3.2): value of the victim, less that of the attacker where the victim
    /// is protected. Not called for other moves.
    fn static_gain(&self, mv: Move) -> i32 {
        let _ = mv;
        0
    }

    fn can_pass(&self) -> bool {
        false
    }
    fn gives_check(&self, mv: Move) -> bool {
        let _ = mv;
        false
    }
    fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        let _ = (mv, threshold);
        true
    }

    /// Rank of the moving piece's kind in the order in which plain move
    /// ordering tries the pieces: 0 first.
    fn piece_rank(&self, mv: Move) -> u8;
}
