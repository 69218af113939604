//! A capture problem as an AND/OR tree: the attacker proves that the target is taken, the defender
//! that it is not.
//!
//! Masters settle kos, see [`Kos`](super::Kos), or both sides fight them with threats. Repetition
//! and endless play count for the defender. The defender may pass. The attacker always plays,
//! except under a ko ban, and has failed without a move.

mod bans;
mod proving;
mod quick;
mod state;

use leitai_game::Move;
use leitai_game::search::proof::AndOr;

pub use bans::ExternalThreats;
pub use proving::Proving;
pub use quick::Quick;

/// The side whose moves are all searched, for a proof; the other side plays candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width {
    /// True to search every move of the attacker that could matter: a failure proves an escape.
    pub attacker: bool,
    /// True to search every move of the defender that could matter: a success proves a capture.
    pub defender: bool,
}

impl Width {
    /// Proves captures.
    pub const CAPTURE: Self = Self {
        attacker: false,
        defender: true,
    };
    /// Proves escapes.
    pub const ESCAPE: Self = Self {
        attacker: true,
        defender: false,
    };
    /// Proves either.
    pub const FULL: Self = Self {
        attacker: true,
        defender: true,
    };
}

/// A tree that knows the winner and the winning move of some positions without a search.
pub trait Sure: AndOr<Move = Move> {
    /// The winning move of the side to move if the position is decided without a search and needs a
    /// move: the attacker takes the target at once or begins a working ladder, the defender extends
    /// to the number of liberties of an escape.
    fn sure_move(&mut self) -> Option<Move>;
}

/// Moves the candidates to the front, in their own order.
pub(super) fn sort_like(candidates: &[Move], moves: &mut [Move]) {
    let place = |mv: &Move| candidates.iter().position(|it| it == mv);
    moves.sort_by_key(|mv| place(mv).unwrap_or(usize::MAX));
}
