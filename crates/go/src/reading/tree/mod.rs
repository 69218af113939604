//! A capture problem as an AND/OR tree: the attacker proves that the target is
//! taken, the defender that it is not.
//!
//! Kos are settled by masters, see [`Kos`](super::Kos), or fought with threats. Repetition and play
//! without end are the defender's. The defender may pass, the attacker always plays, but
//! where a ban keeps him from a ko: where he has no move he has failed.

mod bans;
mod proving;
mod quick;
mod state;

use leitai_game::Move;
use leitai_game::search::proof::AndOr;

pub use bans::ExternalThreats;
pub use proving::Proving;
pub use quick::Quick;

/// Whose moves are looked at without exception, by a search that is to prove
/// something; the other side plays candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width {
    /// Every move of the attacker that could matter: what fails is an escape.
    pub attacker: bool,
    /// Every move of the defender that could matter: what succeeds is a capture.
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

/// A tree that knows of some positions, without a search, who wins and how.
pub trait Sure: AndOr<Move = Move> {
    /// The winning move of the side to move where the position is decided without a
    /// search, if it needs one: the attacker takes the target at once or begins a ladder that
    /// does, the defender runs to as many liberties as are an escape.
    fn sure_move(&mut self) -> Option<Move>;
}

/// Puts the moves that are candidates first, in the order of those.
pub(super) fn sort_like(candidates: &[Move], moves: &mut [Move]) {
    let place = |mv: &Move| candidates.iter().position(|it| it == mv);
    moves.sort_by_key(|mv| place(mv).unwrap_or(usize::MAX));
}
