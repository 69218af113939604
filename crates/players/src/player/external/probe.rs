//! Single requests to an engine, for a diagnosis.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::dialogue::Dialogue;
use super::engine::{Engine, StartError};
use super::notation::Dialect;
use super::sent_game::SentGame;
use crate::player::{Budget, Failure, Symptoms};
use leitai_config::{Profile, Program};
use leitai_game::card::{AnyLine, AnyPosition, GameCard};
use leitai_game::eval::Score;
use leitai_protocols::Introduction;

/// The kind of problem at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The engine does not exist, or cannot be read or started.
    Absent,
    /// The engine ended before its greeting.
    Ended,
    /// The engine did not greet in time.
    Silent,
    /// The engine greeted, and then ended or did not get ready in time.
    Unready,
    /// The output is not text, or far too long.
    Binary,
    /// The start was cancelled.
    Cancelled,
}

/// The reason in words that an engine does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of problem.
    pub fault: Fault,
    /// The problem.
    pub reason: String,
    /// The remedy.
    pub help: String,
}

impl Refusal {
    pub(crate) fn new(fault: Fault, reason: impl Into<String>, help: &str) -> Self {
        Self {
            fault,
            reason: reason.into(),
            help: help.to_owned(),
        }
    }
}

impl From<StartError> for Refusal {
    fn from(error: StartError) -> Self {
        let (fault, _, help) = error.means();
        Self::new(fault, error.to_string(), help)
    }
}

/// The result of a search, in the engine's own notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReply {
    /// The text of the move.
    pub text: String,
    /// Depth of the last info line.
    pub depth: Option<u32>,
    /// Score for the side to move.
    pub score: Option<Score>,
    /// Nodes by the engine's own count, when it found the score.
    pub nodes: Option<u64>,
    /// The largest number of nodes that the engine reported.
    pub most_nodes: Option<u64>,
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The answer, also if it is late, or came after `stop`.
    pub answer: Result<SearchReply, Failure>,
    /// Time from the request to the answer, or to the timeout.
    pub taken: Duration,
    /// Time from `stop` to the answer; `None` if no `stop` was sent.
    pub after_stop: Option<Duration>,
    /// The engine's last output, if there was no answer.
    pub symptoms: Symptoms,
}

impl Reply {
    /// Nodes per second; `None` if the engine reports no nodes, or took no time.
    pub fn speed(&self) -> Option<u64> {
        let seconds = self.taken.as_secs_f64();
        let nodes = self.answer.as_ref().ok()?.nodes?;
        (seconds > 0.0).then(|| (nodes as f64 / seconds) as u64)
    }
}

/// A running engine.
pub struct Probe {
    pub(crate) engine: Engine,
    profile: Profile,
}

impl Probe {
    /// Starts the engine, greets it, sets its options, and waits until it is ready: all within
    /// twice its `startup`.
    ///
    /// # Errors
    /// The engine cannot be started, does not greet, or does not get ready.
    pub fn start(program: &Program, cancel: &AtomicBool) -> Result<Self, Refusal> {
        let engine = Engine::start_for_diagnosis(program, cancel)?;
        Ok(Self::new(engine, program))
    }

    /// As [`start`](Self::start), but an option that the engine lacks or refuses is an error.
    ///
    /// # Errors
    /// The engine cannot be started, does not greet, refuses an option, or does not get ready.
    pub fn start_with_options(program: &Program, cancel: &AtomicBool) -> Result<Self, Refusal> {
        let engine = Engine::start(program, Dialogue::default(), cancel)?;
        Ok(Self::new(engine, program))
    }

    /// Wraps an engine that is ready.
    pub(crate) fn new(engine: Engine, program: &Program) -> Self {
        Self {
            engine,
            profile: program.profile.clone(),
        }
    }

    /// The engine's description of itself.
    pub fn introduction(&self) -> &Introduction {
        &self.engine.introduction
    }

    /// Starts a game at this position.
    ///
    /// # Errors
    /// The engine does not get ready within its `startup`, or the start is cancelled.
    pub fn new_game(
        &mut self,
        start: &dyn AnyPosition,
        cancel: &AtomicBool,
    ) -> Result<(), Refusal> {
        let (sent, _) = self.begun(start);
        let budget = Budget::default();
        let ask = sent.ask(start.side_to_move(), &budget);
        self.engine.new_game(&ask, cancel).map_err(Refusal::from)
    }

    /// The game from this position, in the notation of the engine.
    fn begun(&self, start: &dyn AnyPosition) -> (SentGame, Dialect) {
        let dialect = Dialect::of(start.card(), &self.profile);
        let before = start.moves_from_initial();
        (SentGame::new(start, before.as_deref(), dialect), dialect)
    }

    /// Requests a move at the end of `line`; sends `stop` after `patience`, and gives up half a
    /// second later. An empty budget lets the engine search until then.
    pub fn ask(
        &mut self,
        line: &dyn AnyLine,
        budget: &Budget,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Reply {
        let (mut sent, dialect) = self.begun(line.start());
        sent.use_san(self.engine.codec.wants_san());
        sent.update(line, dialect, self.profile.protocol);
        let ask = sent.ask(line.position().side_to_move(), budget);
        self.engine.search_until_stopped(&ask, patience, cancel)
    }

    /// Asks the engine to quit and returns the time until its end; `None` if it exceeded `time`
    /// and was killed. Calls `look` before processes that the engine left behind are ended.
    pub fn quit<T>(mut self, time: Duration, look: impl FnOnce() -> T) -> (Option<Duration>, T) {
        let ended = self.engine.quit_and_wait(time);
        (ended, look())
    }
}

/// Converts a move of an engine with this profile to Leitai's notation; `None` if the text is no
/// move.
pub fn read_move(card: &'static dyn GameCard, profile: &Profile, theirs: &str) -> Option<String> {
    Dialect::of(card, profile).read(theirs)
}
