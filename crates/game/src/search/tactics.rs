//! What a move means to a search: the game's answers to the questions that
//! move ordering, quiescence and pruning ask.
//!
//! What is said of slots and ranks holds for any 16 bits: nonsense gets some
//! answer within bounds.

use super::EndgameSolver;
use crate::{Move, MoveList, Position};

/// The history slots of a side where a game does not say its own: one for each of the
/// moves below this, shared by those beyond.
const SLOTS: usize = 1 << 9;

/// The same of slots by origin and target, of which there can be more: no table has one for
/// each two of them.
const FROM_TO: usize = 1 << 12;

/// A game that an alpha-beta search with move ordering can play. The defaults suit games
/// without captures whose moves are told apart by their numbers.
pub trait Tactics: Position {
    /// Number of history slots; [`history_slot`](Tactics::history_slot) stays
    /// below it. The history of answers takes four bytes for each two of them.
    const HISTORY_SLOTS: usize = 2 * SLOTS;

    /// Number of slots by origin and target;
    /// [`from_to_slot`](Tactics::from_to_slot) stays below it.
    const FROM_TO_SLOTS: usize = 2 * FROM_TO;

    /// Whether every line of play comes to an end on the board, and no rule
    /// looks at the history: what is found of a position by searching all its
    /// lines to their ends is then true for good, at any depth and on any path.
    const EVERY_LINE_ENDS: bool = false;

    /// Whether moves capture: without captures, the ordering stages that order
    /// them have nothing to do.
    const HAS_CAPTURES: bool = false;

    /// Whether moves give check: without, the stage of safe checks has nothing to do.
    const HAS_CHECKS: bool = false;

    /// Whether [`response`](Tactics::response) ever names a move.
    const HAS_RESPONSES: bool = false;

    /// Whether there is a [`solver`](Tactics::solver).
    const HAS_SOLVER: bool = false;

    /// An exact solver for positions with at most this number of empty squares, with
    /// a memory of its own. The default, for games without one, gives none.
    fn solver(_empties: u32) -> Option<Box<dyn EndgameSolver<Self>>> {
        None
    }

    /// How many squares are empty, where a solver goes by that.
    fn empty_squares(&self) -> u32 {
        u32::MAX
    }

    /// The history slot of a move in this position: by piece and target, each
    /// side's apart.
    fn history_slot(&self, mv: Move) -> usize {
        self.side_to_move().index() * SLOTS + usize::from(mv.0) % SLOTS
    }

    /// The slot of a move in this position by origin and target, each side's
    /// apart.
    #[expect(clippy::wrong_self_convention, reason = "from one square to another")]
    fn from_to_slot(&self, mv: Move) -> usize {
        self.side_to_move().index() * FROM_TO + usize::from(mv.0) % FROM_TO
    }

    /// Whether the side to move may give the turn away by a null move, without
    /// much risk that having to move is what hurts it.
    fn can_pass(&self) -> bool {
        false
    }

    /// The key of the position after the legal move `mv`, if that is quickly
    /// told without playing it.
    fn key_after(&self, _mv: Move) -> Option<u64> {
        None
    }

    /// Whether the legal move `mv` captures: such moves make a position too
    /// unsettled for a static evaluation.
    fn is_capture(&self, _mv: Move) -> bool {
        false
    }

    /// Appends the legal captures. The default, for games without captures
    /// that matter, appends nothing.
    fn captures(&self, _moves: &mut MoveList) {}

    /// Appends the legal moves that are no captures, in the generator's order.
    /// The default, for games without captures, appends all legal moves.
    fn quiets(&self, moves: &mut MoveList) {
        self.legal_moves(moves);
    }

    /// Whether the legal move `mv` gives check.
    fn gives_check(&self, _mv: Move) -> bool {
        false
    }

    /// Appends the legal moves that give check and are no captures, in the
    /// generator's order.
    fn quiet_checks(&self, _moves: &mut MoveList) {}

    /// The static gain of the legal capture `mv` (Yue & Feng 2009, section
    /// 3.2): value of the victim, less that of the attacker where the victim
    /// is protected. Not called for other moves.
    fn static_gain(&self, _mv: Move) -> i32 {
        0
    }

    /// What the legal move `mv` gains if both sides then take on its target
    /// square as long as it pays them, in the values of
    /// [`static_gain`](Tactics::static_gain). Zero or less for a move that
    /// captures nothing.
    fn exchange(&self, _mv: Move) -> i32 {
        0
    }

    /// Whether [`exchange`](Tactics::exchange) is at least `threshold`; faster
    /// than to ask how much it is.
    fn exchange_at_least(&self, _mv: Move, threshold: i32) -> bool {
        threshold <= 0
    }

    /// The values of the piece that the legal move `mv` takes, 0 if none, and
    /// of the piece that moves, as [`static_gain`](Tactics::static_gain) has
    /// them.
    fn victim_and_attacker(&self, _mv: Move) -> (i32, i32) {
        (0, 0)
    }

    /// The move by which the game's lore answers `last`, the move that led here:
    /// tried early if it is legal. The default, for games without such lore,
    /// knows none.
    fn response(&self, _last: Move) -> Option<Move> {
        None
    }

    /// What stays the same over many moves: a key of the pawns, and one of the other
    /// pieces of either side. A search corrects evaluations by what it found in
    /// positions with the same. The default, for games without such, knows none.
    fn structure(&self) -> [u64; 3] {
        [0; 3]
    }

    /// How many moves the opponent has after the legal move `mv`; a forced pass
    /// is none.
    fn replies_after(&self, mv: Move) -> u32 {
        let mut after = self.clone();
        after.make(mv);
        after.count_legal_moves() as u32
    }

    /// Rank of the moving piece's kind in the order in which plain move
    /// ordering tries the pieces: 0 first.
    fn piece_rank(&self, _mv: Move) -> u8 {
        0
    }

    /// Rank in the static order of quiet moves (Yue & Feng 2009, section 3.2):
    /// as [`piece_rank`](Tactics::piece_rank), and among those of one kind by
    /// what the game says of the way they go. 0 first.
    fn static_rank(&self, mv: Move) -> u8 {
        self.piece_rank(mv)
    }
}
