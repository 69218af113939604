//! A program that is asked one question at a time, for a diagnosis.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::dialect::Dialect;
use super::engine::{Engine, StartError};
use super::sent_game::SentGame;
use super::{Offer, validate};
use crate::card::{AnyLine, AnyPosition, GameCard};
use crate::config::{Limits, Profile, Program};
use crate::eval::Score;
use crate::player::{Budget, Choice, Failure, Symptoms};

/// What kind of thing went wrong at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no such program, or it cannot be read or started.
    Absent,
    /// It ended before it had greeted.
    Ended,
    /// It did not greet in time.
    Silent,
    /// It greeted, and then ended or did not get ready in time.
    Unready,
    /// What it said is no text, or far too much of it.
    Binary,
    /// Nobody waited for it any more.
    Cancelled,
}

/// Why a program does not start, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of thing is wrong.
    pub fault: Fault,
    /// What is wrong.
    pub reason: String,
    /// What to do about it.
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

/// How a program introduced itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// What it calls itself; empty if it does not say.
    pub name: String,
    /// Who wrote it; empty if it does not say.
    pub author: String,
    /// The options that it offers, in its order.
    pub offers: Vec<Offer>,
    /// From its start to the end of its greeting.
    pub greeting: Duration,
    /// From then, with its options set, until it was ready.
    pub ready: Duration,
    /// What it said while its options were set.
    pub remarks: Vec<String>,
}

/// What a search found, in the program's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The move as it was written.
    pub text: String,
    /// Depth of the last line of thought.
    pub depth: Option<u32>,
    /// Score for the side to move.
    pub score: Option<Score>,
    /// Nodes, as the program counts them.
    pub nodes: Option<u64>,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The answer; one that came late, or after `stop`, is an answer too.
    pub answer: Result<Said, Failure>,
    /// From the question to the answer, or to the end of patience.
    pub taken: Duration,
    /// From `stop` to the answer; `None` if it had not to be told to stop.
    pub after_stop: Option<Duration>,
    /// Its last words, where there was no answer.
    pub symptoms: Symptoms,
}

impl Reply {
    /// Nodes per second; `None` if the program does not count, or took no time.
    pub fn speed(&self) -> Option<u64> {
        let seconds = self.taken.as_secs_f64();
        let nodes = self.answer.as_ref().ok()?.nodes?;
        (seconds > 0.0).then(|| (nodes as f64 / seconds) as u64)
    }
}

/// A running program.
pub struct Probe {
    pub(crate) engine: Engine,
    profile: Profile,
}

impl Probe {
    /// Starts the program, greets it, sets the options that it offers, and waits
    /// until it is ready: all within twice its `startup`.
    ///
    /// # Errors
    /// It cannot be started, does not greet, or does not get ready.
    pub fn start(program: &Program, cancel: &AtomicBool) -> Result<Self, Refusal> {
        Ok(Self::new(Engine::introduce(program, cancel)?, program))
    }

    /// One that has been started, and is ready.
    pub(super) fn new(engine: Engine, program: &Program) -> Self {
        Self {
            engine,
            profile: program.profile.clone(),
        }
    }

    /// Begins a game at this position.
    ///
    /// # Errors
    /// It does not get ready within its `startup`, or is called off.
    pub fn new_game(
        &mut self,
        start: &dyn AnyPosition,
        cancel: &AtomicBool,
    ) -> Result<(), Refusal> {
        let sent = self.begun(start);
        let budget = Budget::default();
        let ask = sent.ask(start.side_to_move(), &budget);
        self.engine.new_game(&ask, cancel).map_err(Refusal::from)
    }

    fn dialect(&self, position: &dyn AnyPosition) -> Dialect {
        Dialect::of(position.card(), &self.profile)
    }

    /// A game that begins at this position.
    fn begun(&self, start: &dyn AnyPosition) -> SentGame {
        let before = start.moves_from_initial();
        SentGame::begun(start, before.as_deref(), self.dialect(start))
    }

    /// Asks for a move at the end of `line`; after `patience` the program is told
    /// to stop, and half a second later nothing more is expected. An empty budget
    /// makes it think until then.
    pub fn ask(
        &mut self,
        line: &dyn AnyLine,
        budget: &Budget,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Reply {
        let mut sent = self.begun(line.start());
        sent.tell_san(self.engine.speech.wants_san());
        sent.tell(line, self.dialect(line.start()), self.profile.protocol);
        let ask = sent.ask(line.position().side_to_move(), budget);
        self.engine.heed(&ask, patience, cancel)
    }

    /// The answer as the referee takes it under these limits.
    ///
    /// # Errors
    /// It is no move, not legal in the position, or cost far more nodes than the
    /// limit.
    pub fn judge(
        &self,
        said: &Said,
        limits: &Limits,
        position: &dyn AnyPosition,
    ) -> Result<Choice, Failure> {
        validate(said, &self.profile, limits, position)
    }

    /// Says goodbye: how long the program took to end, or `None` if it went on
    /// for longer than `patience` and had to be killed. `look` is called before
    /// whatever it leaves behind is ended.
    pub fn quit<T>(
        mut self,
        patience: Duration,
        look: impl FnOnce() -> T,
    ) -> (Option<Duration>, T) {
        let ended = self.engine.farewell(patience);
        (ended, look())
    }
}

/// A move of a program of the game that speaks like this, in the form of Leitai; `None` if
/// the text is no move.
pub fn read_move(card: &'static dyn GameCard, profile: &Profile, theirs: &str) -> Option<String> {
    Dialect::of(card, profile).read(theirs)
}
