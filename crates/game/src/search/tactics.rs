//! The game's interface for move ordering, quiescence and pruning.
//!
//! Slots and ranks stay within their bounds for any 16-bit move, even an invalid one.

use super::{EndgameSolver, SearchParams};
use crate::{Move, Position, legal_moves};

/// Default number of history slots of a side: one for each move number below this, shared by those
/// above.
const SLOTS: usize = 1 << 9;

/// Default number of slots by origin and target of a side. Can be larger, because no table stores
/// pairs of these slots.
const FROM_TO: usize = 1 << 12;

/// Values of pieces and ranks of moves in the ordering of one search. The indices of kinds are the
/// game's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderValues {
    /// Values for captures, at least 0.
    pub worths: [i32; 8],
    /// Ranks of kinds: 0 first.
    pub kinds: [u8; 8],
    /// Ranks of quiet moves by kind and direction, forward, sideways and back: 0 first.
    pub ways: [[u8; 3]; 8],
}

impl OrderValues {
    /// The values of a game that uses none.
    pub const NONE: Self = Self {
        worths: [0; 8],
        kinds: [0; 8],
        ways: [[0; 3]; 8],
    };
}

/// Appends the legal moves that a function accepts.
fn select<P: Position>(position: &P, moves: &mut P::Moves, accepts: impl Fn(Move) -> bool) {
    moves.extend(legal_moves(position).into_iter().filter(|mv| accepts(*mv)));
}

/// A game that an alpha-beta search with move ordering can play. The defaults suit games without
/// captures whose moves have distinct numbers. A game with captures needs
/// [`HAS_CAPTURES`](Tactics::HAS_CAPTURES), [`is_capture`](Tactics::is_capture) and
/// [`victim_and_attacker`](Tactics::victim_and_attacker), one with checks
/// [`HAS_CHECKS`](Tactics::HAS_CHECKS); the other items about them make it faster.
pub trait Tactics: Position {
    /// Number of history slots; [`history_slot`](Tactics::history_slot) stays below it.
    /// Continuation history takes four bytes for each pair of slots.
    const HISTORY_SLOTS: usize = 2 * SLOTS;

    /// Number of slots by origin and target; [`from_to_slot`](Tactics::from_to_slot) stays below
    /// it.
    const FROM_TO_SLOTS: usize = 2 * FROM_TO;

    /// The values of the usual parameters.
    const USUAL_ORDER: OrderValues = OrderValues::NONE;

    /// True if every line of play ends on the board, and no rule depends on the history: a result
    /// found by searching all lines of a position to their ends is then valid at any depth and on
    /// any path.
    const EVERY_LINE_ENDS: bool = false;

    /// True if moves can capture: without captures, the ordering stages for captures have no
    /// effect.
    const HAS_CAPTURES: bool = false;

    /// True if moves can give check: without checks, the stage of safe checks has no effect.
    const HAS_CHECKS: bool = false;

    /// True if [`response`](Tactics::response) ever returns a move.
    const HAS_RESPONSES: bool = false;

    /// True if there is a [`solver`](Tactics::solver).
    const HAS_SOLVER: bool = false;

    /// An exact solver, with its own memory, for positions with at most this number of empty
    /// squares. The default, for games without one, returns `None`.
    fn solver(_empties: u32) -> Option<Box<dyn EndgameSolver<Self>>> {
        None
    }

    /// The values for these parameters; [`USUAL_ORDER`](Tactics::USUAL_ORDER) for the default ones.
    fn order_values(_params: &SearchParams) -> OrderValues {
        Self::USUAL_ORDER
    }

    /// Number of empty squares, for games with a solver.
    fn empty_squares(&self) -> u32 {
        u32::MAX
    }

    /// The history slot of a move in this position: by piece and target, separate for each side.
    fn history_slot(&self, mv: Move) -> usize {
        self.side_to_move().index() * SLOTS + usize::from(mv.0) % SLOTS
    }

    /// The slot of a move in this position by origin and target, separate for each side.
    #[expect(clippy::wrong_self_convention, reason = "from one square to another")]
    fn from_to_slot(&self, mv: Move) -> usize {
        self.side_to_move().index() * FROM_TO + usize::from(mv.0) % FROM_TO
    }

    /// Returns whether a null move is reasonable for the side to move, that is, zugzwang is
    /// unlikely.
    fn can_pass(&self) -> bool {
        false
    }

    /// The key of the position after the legal move `mv`, if it can be computed quickly without
    /// playing the move.
    fn key_after(&self, _mv: Move) -> Option<u64> {
        None
    }

    /// Returns whether the legal move `mv` captures: such moves make a position too unsettled for a
    /// static evaluation.
    fn is_capture(&self, _mv: Move) -> bool {
        false
    }

    /// Appends the legal captures. The default selects them by
    /// [`is_capture`](Tactics::is_capture).
    fn captures(&self, moves: &mut Self::Moves) {
        if Self::HAS_CAPTURES {
            select(self, moves, |mv| self.is_capture(mv));
        }
    }

    /// Appends the legal moves that are not captures, in the generator's order. The default selects
    /// them by [`is_capture`](Tactics::is_capture).
    fn quiets(&self, moves: &mut Self::Moves) {
        select(self, moves, |mv| {
            !Self::HAS_CAPTURES || !self.is_capture(mv)
        });
    }

    /// Returns whether the legal move `mv` gives check. The default plays it and asks
    /// [`in_check`](Position::in_check).
    fn gives_check(&self, mv: Move) -> bool {
        Self::HAS_CHECKS && {
            let mut after = self.clone();
            after.make(mv);
            after.in_check()
        }
    }

    /// Appends the legal moves that give check and are not captures, in the generator's order. The
    /// default selects them by [`gives_check`](Tactics::gives_check).
    fn quiet_checks(&self, moves: &mut Self::Moves) {
        if Self::HAS_CHECKS {
            select(self, moves, |mv| {
                !self.is_capture(mv) && self.gives_check(mv)
            });
        }
    }

    /// The static gain of the legal capture `mv` (Yue & Feng 2009, section 3.2): value of the
    /// victim, minus that of the attacker if the victim is protected. Not called for other moves.
    /// The default takes the victim for unprotected.
    fn static_gain(&self, mv: Move, order: &OrderValues) -> i32 {
        self.victim_and_attacker(mv, order).0
    }

    /// The gain of the legal move `mv` if both sides then capture on its target square as long as
    /// it pays, in the values of [`static_gain`](Tactics::static_gain). Zero or less for a move
    /// that is not a capture. The default is the static gain.
    fn exchange(&self, mv: Move, order: &OrderValues) -> i32 {
        if self.is_capture(mv) {
            self.static_gain(mv, order)
        } else {
            0
        }
    }

    /// Returns whether [`exchange`](Tactics::exchange) is at least `threshold`; may be faster than
    /// computing the gain.
    fn exchange_at_least(&self, mv: Move, threshold: i32, order: &OrderValues) -> bool {
        self.exchange(mv, order) >= threshold
    }

    /// The value of the piece captured by the legal move `mv`, 0 if none, and that of the moving
    /// piece, as in [`static_gain`](Tactics::static_gain).
    fn victim_and_attacker(&self, _mv: Move, _order: &OrderValues) -> (i32, i32) {
        (0, 0)
    }

    /// The game's standard reply to `last`, the move that led here: searched early if it is legal.
    /// The default returns `None`.
    fn response(&self, _last: Move) -> Option<Move> {
        None
    }

    /// Keys of features that change slowly: the pawns, and the other pieces of either side. A
    /// search corrects evaluations by its results in positions with the same keys. The default, for
    /// games without such features, returns zeros.
    fn structure(&self) -> [u64; 3] {
        [0; 3]
    }

    /// The number of the opponent's moves after the legal move `mv`; 0 for a forced pass.
    fn replies_after(&self, mv: Move) -> u32 {
        let mut after = self.clone();
        after.make(mv);
        after.count_legal_moves() as u32
    }

    /// Rank of the moving piece's kind in plain move ordering: 0 first.
    fn piece_rank(&self, _mv: Move, _order: &OrderValues) -> u8 {
        0
    }

    /// Rank in the static order of quiet moves (Yue & Feng 2009, section 3.2): as
    /// [`piece_rank`](Tactics::piece_rank), and within a kind by the direction of the move. 0
    /// first.
    fn static_rank(&self, mv: Move, order: &OrderValues) -> u8 {
        self.piece_rank(mv, order)
    }
}
