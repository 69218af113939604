//! A single engine: start it, ask it for moves.
//!
//! ```no_run
//! use leitai::engine::{Engine, EngineCommand};
//! use leitai::protocol::{Budget, UCI};
//!
//! let command = EngineCommand::new("stockfish", UCI).option("Hash", "64");
//! let mut engine = Engine::start(&command, leitai::games::chess::card())?;
//! let reply = engine.search(None, &["e2e4"], &Budget::of_nodes(10_000))?;
//! println!("{}: {} {:?}", engine.name(), reply.mv, reply.score);
//! # Ok::<(), leitai::engine::EngineError>(())
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use leitai_base::foreign::raw_path;
use leitai_config::{Profile, Program, UnspecifiedProfile};
use leitai_game::card::{AnyLine, AnyPosition, GameCard};
use leitai_players::play::Evidence;
use leitai_players::player::{Failure, Fault, Probe, Refusal, Symptoms, locate, parse_engine_move};
use leitai_protocols::{Budget, Offer, Protocol, Score, TimeBudget};

/// An engine's executable, protocol and settings.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    program: Program,
    search_timeout: Option<Duration>,
}

impl EngineCommand {
    /// A program in `PATH`, or by its path.
    pub fn new(program: impl Into<PathBuf>, protocol: &'static Protocol) -> Self {
        const TIMEOUT: Duration = Duration::from_secs(10);
        let executable = program.into();
        let program = Program {
            command: vec![raw_path(&executable)],
            executable,
            folder: None,
            working_folder: None,
            profile: Profile::of(protocol),
            ponder: false,
            unspecified: UnspecifiedProfile::default(),
            startup: TIMEOUT,
            stall: TIMEOUT,
            new_game: None,
            ping: None,
            found: None,
        };
        Self {
            program,
            search_timeout: None,
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<String>) -> Self {
        self.program.command.push(argument.into());
        self
    }

    /// Sets an option, which the engine must offer.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let options = &mut self.program.profile.options;
        options.insert(name.into(), value.into());
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let environment = &mut self.program.profile.environment;
        environment.insert(name.into(), value.into());
        self
    }

    /// Sets the working folder; by default that of this process.
    #[must_use]
    pub fn current_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.program.working_folder = Some(folder.as_ref().to_owned());
        self
    }

    /// Sets the timeout of the greeting; by default 10 s.
    #[must_use]
    pub fn startup_timeout(mut self, timeout: Duration) -> Self {
        self.program.startup = timeout;
        self
    }

    /// Sets the timeout of a search; by default half a minute more than the time of its budget, and
    /// ten minutes for a budget without a time. Then the engine gets `stop`: its move counts if it
    /// comes within half a second, otherwise the search fails with
    /// [`Timeout`](EngineErrorKind::Timeout).
    #[must_use]
    pub fn search_timeout(mut self, timeout: Duration) -> Self {
        self.search_timeout = Some(timeout);
        self
    }
}

/// Time after which an engine is stopped that has exceeded its own.
const GRACE: Duration = Duration::from_secs(30);
/// Time after which an engine without a limit of time is stopped.
const LONGEST: Duration = Duration::from_mins(10);

/// A running engine. It ends when this value is dropped.
pub struct Engine {
    command: String,
    probe: Probe,
    profile: Profile,
    search_timeout: Option<Duration>,
    game: &'static dyn GameCard,
    /// The start of the game in progress, if there is one.
    start: Option<Box<dyn AnyPosition>>,
}

impl Engine {
    /// Starts an engine, reads its greeting and sets its options.
    ///
    /// # Errors
    /// The program does not exist, does not greet in this protocol, or refuses an option.
    pub fn start(
        command: &EngineCommand,
        game: &'static dyn GameCard,
    ) -> Result<Self, EngineError> {
        let mut program = command.program.clone();
        program.profile.rules = Some(game.rules());
        let name = program.command[0].clone();
        let of_start = |refusal| EngineError::of_start(&name, &refusal);
        (program.executable, _) = locate(&program).map_err(of_start)?;
        let probe = Probe::start_with_options(&program, &AtomicBool::new(false));
        Ok(Self {
            probe: probe.map_err(of_start)?,
            command: name,
            profile: program.profile,
            search_timeout: command.search_timeout,
            game,
            start: None,
        })
    }

    /// The engine's name; empty if it does not report one.
    pub fn name(&self) -> &str {
        &self.probe.introduction().name
    }

    /// The engine's author; empty if it does not report one.
    pub fn author(&self) -> &str {
        &self.probe.introduction().author
    }

    /// The options that the engine offers.
    pub fn options(&self) -> &[Offer] {
        &self.probe.introduction().offers
    }

    /// Starts a new game and asks for a move: after `moves`, in the game's notation, from `position`,
    /// or from the usual start. With an empty budget it searches until the timeout.
    ///
    /// An engine that has failed stays so: start another one.
    ///
    /// # Errors
    /// The position or a move cannot be read, the game is over, the engine does not get ready, or it
    /// does not return a legal move in time.
    pub fn search(
        &mut self,
        position: Option<&str>,
        moves: &[&str],
        budget: &Budget,
    ) -> Result<Reply, EngineError> {
        let start = match position {
            Some(text) => self.game.read(text).map_err(EngineError::of_position)?,
            None => self.game.initial(),
        };
        let mut line = self.game.line(&*start);
        Self::play(&mut *line, moves)?;
        let begun = self.probe.new_game(&*start, &AtomicBool::new(false));
        begun.map_err(|refusal| EngineError::of_new_game(&self.command, &refusal))?;
        self.start = Some(start);
        self.ask(&*line, budget)
    }

    /// Asks for a move in the game of the last search, so that the engine keeps its memory; `moves`
    /// are all moves from the start of that game. The first search begins a game from the usual start.
    ///
    /// # Errors
    /// Those of [`search`](Self::search).
    pub fn continue_game(&mut self, moves: &[&str], budget: &Budget) -> Result<Reply, EngineError> {
        let Some(start) = &self.start else {
            return self.search(None, moves, budget);
        };
        let mut line = self.game.line(&**start);
        Self::play(&mut *line, moves)?;
        self.ask(&*line, budget)
    }

    /// Plays moves that leave the side to move one.
    fn play(line: &mut dyn AnyLine, moves: &[&str]) -> Result<(), EngineError> {
        for text in moves {
            let mv = line.position().parse_move(text);
            line.play(mv.map_err(EngineError::of_position)?);
        }
        if line.position().count_legal_moves() == 0 {
            let problem = "the game is over: there is no legal move";
            return Err(EngineError::of_position(problem));
        }
        Ok(())
    }

    fn ask(&mut self, line: &dyn AnyLine, budget: &Budget) -> Result<Reply, EngineError> {
        let patience = self.search_timeout.unwrap_or(match budget.time {
            Some(TimeBudget::Move(time)) => time.saturating_add(GRACE),
            Some(TimeBudget::Clock(clock)) => clock.remaining.saturating_add(GRACE),
            None => LONGEST,
        });
        let never = AtomicBool::new(false);
        let reply = self.probe.ask(line, budget, patience, &never);
        let of_move = |failure, symptoms| {
            let evidence = Evidence {
                plies: line.len(),
                position: line.position().to_fen(),
                legal_moves: line.position().count_legal_moves(),
                symptoms,
                ..Evidence::default()
            };
            EngineError::of_move(&self.command, failure, &evidence)
        };
        let found = match reply.answer {
            Ok(found) => found,
            Err(failure) => return Err(of_move(failure, reply.symptoms)),
        };
        let mv = parse_engine_move(&self.profile, line.position(), &found.text);
        let mv = mv.map_err(|failure| {
            let answer = Some(found.text);
            of_move(
                failure,
                Symptoms {
                    answer,
                    ..reply.symptoms
                },
            )
        })?;
        Ok(Reply {
            mv: self.game.move_text(mv),
            score: found.score,
            depth: found.depth,
            nodes: found.nodes,
            time: reply.taken,
        })
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Engine");
        shown.field("name", &self.name()).finish_non_exhaustive()
    }
}

/// An engine's move and its report on the search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// The move, in the game's notation.
    pub mv: String,
    /// The score in hundredths of a pawn or disc, for the side to move; see
    /// [`mate_plies`](crate::eval::mate_plies) for mates.
    pub score: Option<Score>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// Nodes by the engine's own count.
    pub nodes: Option<u64>,
    /// Time from the request to the move.
    pub time: Duration,
}

/// An engine's failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    kind: EngineErrorKind,
    message: String,
}

/// The kind of an [`EngineError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EngineErrorKind {
    /// The engine does not exist, does not greet, or does not get ready.
    Start,
    /// The position or a move cannot be read.
    Position,
    /// The engine answered, but not with a legal move.
    IllegalMove,
    /// The engine did not answer in time.
    Timeout,
    /// The engine ended, closed its output, or does not get ready for another game.
    Exited,
    /// The engine resigned.
    Resigned,
}

impl EngineError {
    /// The kind.
    pub fn kind(&self) -> EngineErrorKind {
        self.kind
    }

    fn of_position(problem: impl fmt::Display) -> Self {
        Self {
            kind: EngineErrorKind::Position,
            message: problem.to_string(),
        }
    }

    /// The refusal of an engine that has been started, to begin a game.
    fn of_new_game(engine: &str, refusal: &Refusal) -> Self {
        let kind = match refusal.fault {
            Fault::Ended | Fault::Unready => EngineErrorKind::Exited,
            _ => EngineErrorKind::Start,
        };
        Self {
            kind,
            ..Self::of_start(engine, refusal)
        }
    }

    fn of_start(engine: &str, refusal: &Refusal) -> Self {
        Self {
            kind: EngineErrorKind::Start,
            message: format!("the engine `{engine}` cannot play: {}", refusal.reason),
        }
    }

    fn of_move(engine: &str, failure: Failure, evidence: &Evidence) -> Self {
        let kind = match failure {
            Failure::Crash | Failure::Disconnect => EngineErrorKind::Exited,
            Failure::NoResources => EngineErrorKind::Start,
            Failure::Stall => EngineErrorKind::Timeout,
            Failure::Resigned => EngineErrorKind::Resigned,
            Failure::Malformed | Failure::IllegalMove | Failure::NodeOverrun => {
                EngineErrorKind::IllegalMove
            }
        };
        let event = evidence.sentence(failure.cause());
        let message = format!("the engine `{engine}` returned no legal move: {event}");
        Self { kind, message }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for EngineError {}
