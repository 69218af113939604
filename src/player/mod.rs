//! Whoever chooses moves.

pub(crate) mod external;
mod in_process;
mod observed;
pub(crate) mod pauses;
pub(crate) mod pv;
mod symptoms;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use external::{
    Dialogues, External, Fault, Introduction, Offer, Openings, OptionKind, PROGRAM_MARK, Probe,
    ProgramError, Refusal, Reply, Said, UntoldOpenings, adopt_orphans, end_programs, file_digest,
    identify, locate, read_in, read_move, silent_pass, take_preset, take_ranks,
};
pub use in_process::{InProcess, thinker};
pub(crate) use in_process::{guarded, share_of_clock};
pub(crate) use observed::Observed;
pub use observed::{Observer, Seen};
pub use pauses::{Pauses, watch_pauses};
pub use pv::{PvFault, PvWarning, PvWarnings};
pub use symptoms::Symptoms;
pub(crate) use symptoms::quoted_lines;

use crate::card::{AnyLine, AnyPosition, Rules};
use crate::config::Variant;
use crate::eval::Score;
use crate::game::{Cause, Move};

/// What may be spent on one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Nodes, never overrun.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Wall-clock time.
    pub time: Option<TimeBudget>,
}

impl Budget {
    /// So many nodes.
    pub fn of_nodes(nodes: u64) -> Self {
        let nodes = Some(nodes);
        Self {
            nodes,
            ..Self::default()
        }
    }

    /// So many plies.
    pub fn of_depth(depth: u32) -> Self {
        let depth = Some(depth);
        Self {
            depth,
            ..Self::default()
        }
    }

    /// So long for the move.
    pub fn of_time(time: Duration) -> Self {
        let time = Some(TimeBudget::Move(time));
        Self {
            time,
            ..Self::default()
        }
    }
}

/// Wall-clock time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBudget {
    /// All of it may be spent on this move.
    Move(Duration),
    /// This is what the clock of the whole game shows.
    Clock {
        /// Time left.
        remaining: Duration,
        /// Time that the opponent has left.
        opponent: Duration,
        /// Added after the move.
        increment: Duration,
        /// Added after each of the opponent's.
        opponent_increment: Duration,
        /// The period that the clock is in; `None` if there is one for the whole game.
        period: Option<Period>,
    },
}

/// Where a clock stands that gets more time after every so many moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Moves of a period.
    pub moves: u32,
    /// What is added when a period is over.
    pub time: Duration,
    /// Moves until then, the next one included; 1 to `moves`.
    pub to_go: u32,
    /// The same of the opponent's clock, if that has periods.
    pub opponent_to_go: Option<u32>,
}

/// Which game of a run is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameId {
    /// Number of the pair in the schedule, from 0.
    pub pair: u64,
    /// Game of the pair: 1 or 2.
    pub game: u8,
    /// How often the pair has been begun, this time included: 1 or more.
    pub attempt: u32,
}

/// A player's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move; `None` if the player has none to offer, which loses.
    pub mv: Option<Move>,
    /// Its score from the mover's point of view.
    pub score: Option<Score>,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// Why a player has no answer. It loses the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Its program ended, or could not be started again.
    Crash,
    /// Its program closed its output.
    Disconnect,
    /// Its program did not answer in time.
    Stall,
    /// Its program said what its protocol does not know.
    Malformed,
    /// It named a move that is not legal.
    IllegalMove,
    /// It searched far more nodes than its limit.
    NodeOverrun,
    /// It gave the game up.
    Resigned,
}

impl Failure {
    /// What the record says of a game that is lost this way.
    pub const fn cause(self) -> Cause {
        match self {
            Failure::Crash => Cause::Crash,
            Failure::Disconnect => Cause::Disconnect,
            Failure::Stall => Cause::Stall,
            Failure::Malformed => Cause::MalformedOutput,
            Failure::IllegalMove => Cause::IllegalMove,
            Failure::NodeOverrun => Cause::NodeOverrun,
            Failure::Resigned => Cause::Resignation,
        }
    }
}

/// A player of a game, kept warm from game to game.
///
/// What it chooses must depend only on what it has been told since
/// [`new_game`](Player::new_game), or pairs would not be reproducible.
pub trait Player: Send {
    /// Forgets the previous game and gets ready for one that begins at `start`,
    /// on nobody's clock. Which game that is may be noted, and must not change how
    /// it is played. Once `cancel` is set there is no need to get ready.
    fn new_game(&mut self, game: GameId, start: &dyn AnyPosition, cancel: &AtomicBool);

    /// Chooses a move at the end of `line`, which is not over. Once `cancel`
    /// is set the answer no longer matters and should come at once.
    ///
    /// # Errors
    /// There is no answer. The player plays on in the next game.
    fn choose(
        &mut self,
        line: &dyn AnyLine,
        budget: &Budget,
        cancel: &AtomicBool,
    ) -> Result<Choice, Failure>;

    /// What is wrong with the lines of play that it has reported beside its last choice,
    /// which was `best` at the end of `game` under these rules. Asked on nobody's clock;
    /// `game` is as before in the end.
    fn pv_warnings(
        &mut self,
        _game: &mut dyn AnyLine,
        _rules: &Rules,
        _best: Move,
    ) -> Vec<PvWarning> {
        Vec::new()
    }

    /// Its last words after a failure, once; `None` if there is nothing to add to the failure.
    fn symptoms(&mut self) -> Option<Symptoms> {
        None
    }

    /// How long its last choice took as it says itself; `None` if it does not.
    fn reported_time(&self) -> Option<Duration> {
        None
    }

    /// Plays as this variant from the next game on, exactly as a new player for it
    /// would; false if it cannot, and then nothing has changed.
    fn adopt(&mut self, _: &Variant) -> bool {
        false
    }
}
