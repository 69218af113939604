//! Players, which choose moves.

pub mod external;
mod in_process;
mod observed;
pub mod pauses;
pub(crate) mod pv;
mod symptoms;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

pub use external::{
    Change, DialogueLine, DialogueListener, Dialogues, External, Fault, Finding, LONG_SILENCE,
    MetEngines, Openings, Probe, ProgramError, Refusal, Reply, SearchReply, SilenceListener,
    SkippedOption, SpokenProtocol, UnsentOpenings, detect_preset, detect_protocol, detect_ranks,
    file_digest, identify, locate, parse_engine_move, read_move, unsent_pass,
};
pub use in_process::{InProcess, guarded, share_of_clock, thinker};
pub use leitai_platform::children::{PROGRAM_MARK, adopt_orphans, end_programs};
#[doc(no_inline)]
pub use leitai_protocols::{
    Budget, ClockTimes, Introduction, Offer, OptionKind, Period, TimeBudget,
};
pub use observed::{Observed, Observer, PlayerEvent};
pub use pauses::{Pauses, watch_pauses};
pub use pv::{PvFault, PvWarning, PvWarnings};
pub(crate) use symptoms::quoted_lines;
pub use symptoms::{Awaited, Symptoms};

use crate::play::MoveReport;
use leitai_config::Variant;
use leitai_game::card::{AnyLine, AnyPosition, Rules};
use leitai_game::eval::Score;
use leitai_game::{Cause, Move};

/// Identifies a game of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameId {
    /// Number of the pair in the schedule, from 0.
    pub pair: u64,
    /// Game of the pair: 1 or 2.
    pub game: u8,
    /// Number of the attempt at the pair: 1 or more.
    pub attempt: u32,
}

/// A player's choice of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move; `None` if the player has none, which loses.
    pub mv: Option<Move>,
    /// The score from the mover's point of view.
    pub score: Option<Score>,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// A player's choice, or the reason that it has none.
pub type ChoiceResult = Result<Choice, Failure>;

/// The reason that a player has no move. It loses the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The engine ended, or could not be restarted.
    Crash,
    /// The engine closed its output.
    Disconnect,
    /// The engine did not reply in time.
    Stall,
    /// The engine's reply violates its protocol.
    Malformed,
    /// The move is not legal.
    IllegalMove,
    /// The search took far more nodes than its limit.
    NodeOverrun,
    /// The player resigned.
    Resigned,
    /// The machine could not start the engine: no fault of the player. The game has no result.
    NoResources,
}

impl Failure {
    /// Returns whether the engine answered, without a legal move.
    pub(crate) const fn is_wrong_answer(self) -> bool {
        matches!(self, Self::IllegalMove | Self::Malformed)
    }

    /// The cause in the record of a game that is lost this way.
    pub const fn cause(self) -> Cause {
        match self {
            Failure::Crash => Cause::Crash,
            Failure::Disconnect => Cause::Disconnect,
            Failure::Stall => Cause::Stall,
            Failure::Malformed => Cause::MalformedOutput,
            Failure::IllegalMove => Cause::IllegalMove,
            Failure::NodeOverrun => Cause::NodeOverrun,
            Failure::Resigned => Cause::Resignation,
            Failure::NoResources => Cause::NoResources,
        }
    }
}

/// A player of a game, kept from game to game.
///
/// Its choice must depend only on its inputs since [`new_game`](Player::new_game), or pairs would
/// not be reproducible.
pub trait Player: Send {
    /// Forgets the previous game and prepares for one that begins at `start`, while no clock runs.
    /// The identity of the game is for logs only and must not affect play. Once `cancel` is set,
    /// preparation is unnecessary.
    fn new_game(&mut self, game: GameId, start: &dyn AnyPosition, cancel: &AtomicBool);

    /// Chooses a move at the end of `line`, which is not over. Once `cancel` is set the choice does
    /// not matter, and the method should return at once.
    ///
    /// # Errors
    /// There is no choice. The player can still play the next game.
    fn choose(&mut self, line: &dyn AnyLine, budget: &Budget, cancel: &AtomicBool) -> ChoiceResult;

    /// Thinks on the opponent's time, if the player does: `line` ends with its last choice, the
    /// opponent is to move, and `budget` is the one of its next move, before the opponent's. Returns
    /// at once.
    fn ponder(&mut self, _line: &dyn AnyLine, _budget: &Budget) {}

    /// Ends the game: from now on the player uses no processor. `half_points` is the player's
    /// result, `None` if the game has none.
    fn end_game(&mut self, _half_points: Option<u8>, _cancel: &AtomicBool) {}

    /// Checks the principal variations of the last search, made at the end of the game. The move is
    /// the player's choice, `None` if its answer was not a legal move. Called while no clock runs;
    /// leaves the game unchanged.
    fn pv_warnings(&mut self, _: &mut dyn AnyLine, _: &Rules, _: Option<Move>) -> Vec<PvWarning> {
        Vec::new()
    }

    /// The principal variation of the last choice, made at the end of `line`; empty if it is
    /// unknown.
    fn variation(&self, _line: &dyn AnyLine) -> Vec<Move> {
        Vec::new()
    }

    /// The player's last output after a failure, returned once; `None` if there is nothing to add
    /// to the failure.
    fn symptoms(&mut self) -> Option<Symptoms> {
        None
    }

    /// The player's report on its last choice; `None` if the run keeps none.
    fn report(&mut self) -> Option<MoveReport> {
        None
    }

    /// Duration of the last choice as the player reports it, if it does.
    fn reported_time(&self) -> Option<Duration> {
        None
    }

    /// Switches to this variant from the next game on, exactly like a new player for it; false if
    /// that is impossible, and then nothing has changed.
    fn adopt(&mut self, _: &Variant) -> bool {
        false
    }
}
