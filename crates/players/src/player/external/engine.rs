//! Engines after their greeting: the order of commands, and the time limits of replies.

mod options;
mod output;
pub(crate) mod thinking;
mod unread;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

pub(crate) use self::output::SearchOutput;
use self::unread::UnreadLines;
use super::dialogue::Dialogue;
use super::lines::{Flood, LONGEST, Line, OutputCount};
use super::probe::Fault;
use super::process::{Output, Process};
use super::shortage;
use super::variations::Variations;
use crate::player::pauses::Deadline;
use crate::player::{Awaited, Failure, GameId, Symptoms};
use leitai_base::foreign::{excerpt, shown};
use leitai_config::Program;
use leitai_game::Move;
use leitai_platform::children::Shortage;
use leitai_protocols::{Codec, Introduction, MoveRequest, Offer, Protocol, ReadyMessage};

/// The time without a move, in games without a clock, that is reported.
pub const LONG_SILENCE: Duration = Duration::from_secs(10);

/// Receives the game and the timeout of an engine that has not moved for [`LONG_SILENCE`].
#[derive(Clone)]
pub struct SilenceListener(pub Arc<dyn Fn(GameId, Duration) + Send + Sync>);

/// Silence that ends the greeting of an engine without `feature done=1`, as in `XBoard`.
pub(crate) const SILENCE: Duration = Duration::from_secs(2);

/// Number of lines kept of an engine's output until it is ready.
const REMARKS_KEPT: usize = 40;

/// The result of starting an engine.
pub(super) type Result<T, E = StartError> = std::result::Result<T, E>;

/// The reason that an engine could not be started.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "each message describes its case")]
pub enum StartError {
    #[error("it cannot be started: {0}")]
    Spawn(std::io::Error),
    #[error(
        "it could not be started for {} s: {}",
        .2.as_secs(),
        shortage::reason(*.0, .1)
    )]
    Shortage(Shortage, std::io::Error, Duration),
    #[error(
        "it ended {}{}",
        if *.greeted { "after its greeting" } else { "before it had greeted" },
        ending(.exit.as_deref(), .errors)
    )]
    Ended {
        greeted: bool,
        exit: Option<String>,
        errors: Vec<String>,
    },
    #[error(
        "no `{expected}`{} within {} ms{}{}",
        if *.greeted { " after its greeting" } else { "" },
        .patience.as_millis(),
        last_line(.last),
        error_output_ending(.errors)
    )]
    Silent {
        expected: &'static str,
        greeted: bool,
        patience: Duration,
        last: String,
        errors: Vec<String>,
    },
    #[error("its answer is not text")]
    Binary,
    #[error("it answered with a line of more than {} KiB", LONGEST / 1024)]
    TooLong,
    #[error("it printed {0}")]
    Flood(Flood),
    #[error("it answers `{}` to `{command}`", shown(answer))]
    Refused { command: String, answer: String },
    #[error("it offers no option `{name}`; it offers {}", shown(offered))]
    Option { name: String, offered: String },
    #[error("its option {}", shown(refused))]
    Value {
        name: String,
        refused: String,
        malformed: bool,
    },
    #[error("its start was cancelled")]
    Cancelled,
}

impl StartError {
    /// The reply that the engine did not give, if that is the problem.
    pub(crate) fn awaited(&self) -> Option<Awaited> {
        match self {
            StartError::Ended { greeted, .. } | StartError::Silent { greeted, .. } => {
                Some([Awaited::Greeting, Awaited::Pong][usize::from(*greeted)])
            }
            _ => None,
        }
    }

    /// The kind of problem, the failure that loses a game with such an engine, and the remedy.
    pub(crate) fn means(&self) -> (Fault, Failure, &'static str) {
        let protocol = "check `preset` or `protocol`; if it is slow, give it \
                        `startup = \"60s\"`";
        match self {
            StartError::Spawn(error) => {
                let help = match error.kind() {
                    ErrorKind::PermissionDenied => {
                        "make it a program: `chmod +x FILE`; a file on a disk without programs \
                         cannot be one"
                    }
                    ErrorKind::NotFound => {
                        "check that `folder` exists; of a script, that the program in its first \
                         line `#!` exists"
                    }
                    _ => {
                        "check that it is a program for this machine; a script needs a first line \
                          such as `#!/usr/bin/env python3`, or its interpreter in `command`"
                    }
                };
                (Fault::Absent, Failure::Crash, help)
            }
            StartError::Shortage(shortage, ..) => (
                Fault::Absent,
                Failure::NoResources,
                shortage::help(*shortage),
            ),
            StartError::Ended { greeted, .. } => {
                let fault = [Fault::Ended, Fault::Unready][usize::from(*greeted)];
                let help = "start it by hand to see why; it may need a file in its `folder`";
                (fault, Failure::Crash, help)
            }
            StartError::Silent { greeted: true, .. } => (
                Fault::Unready,
                Failure::Stall,
                "see what it loads: its `options`, and files in its `folder`; if it is slow, \
                 give it `startup = \"60s\"`",
            ),
            StartError::Silent { .. } => (Fault::Silent, Failure::Stall, protocol),
            StartError::Binary | StartError::TooLong | StartError::Flood(_) => {
                (Fault::Binary, Failure::Malformed, protocol)
            }
            StartError::Refused { .. } => (
                Fault::Unready,
                Failure::Malformed,
                "correct or remove the line in `init` or `options`; if it is none of them, the \
                 program does not play this game",
            ),
            StartError::Option { .. } | StartError::Value { .. } => (
                Fault::Absent,
                Failure::Crash,
                "correct or remove it in `options`, or play without it: `unknown_options = \"skip\"`",
            ),
            StartError::Cancelled => (Fault::Cancelled, Failure::Stall, "start it again"),
        }
    }
}

/// The wait for a reply before play begins.
struct StartWait {
    patience: Duration,
    deadline: Deadline,
    /// The tolerated silence, and its end.
    silence: Option<(Duration, Deadline)>,
    expected: &'static str,
    talk: OutputCount,
    /// The last line; empty before the first.
    last: String,
}

/// The last line that an engine printed, as the end of a sentence.
fn last_line(line: &str) -> String {
    if line.is_empty() {
        return String::new();
    }
    format!("; its last line was `{}`", shown(&excerpt(line, 100)))
}

impl StartWait {
    fn of(patience: Duration, expected: &'static str) -> Self {
        Self {
            patience,
            deadline: Deadline::after(patience),
            silence: None,
            expected,
            talk: OutputCount::default(),
            last: String::new(),
        }
    }

    /// Tolerates this silence from now on.
    fn tolerate(&mut self, silence: Option<Duration>) {
        self.silence = silence.map(|silence| (silence, Deadline::after(silence)));
    }
}

/// The exit status of an engine, and the last lines of its error output.
fn ending(exit: Option<&str>, errors: &[String]) -> String {
    let exit = exit.map(|exit| format!(": {exit}"));
    exit.unwrap_or_default() + &error_output_ending(errors)
}

/// The last lines of an error output, for a message.
pub fn error_output_ending(errors: &[String]) -> String {
    match errors {
        [] => String::new(),
        _ => format!(
            "; its error output ends with: {}",
            shown(&errors.join(" / "))
        ),
    }
}

/// An engine after its greeting.
pub(crate) struct Engine {
    pub(crate) process: Process,
    pub(crate) codec: Box<dyn Codec>,
    pub(crate) protocol: &'static Protocol,
    /// The engine's description of itself.
    pub(crate) introduction: Introduction,
    greeted: bool,
    startup: Duration,
    stall: Duration,
    ping: Option<Duration>,
    new_game: Duration,
    /// Called with the game when a move takes long.
    pub(crate) on_silence: Option<(SilenceListener, GameId)>,
    /// The options of the config as last set, in the engine's spelling.
    pub(crate) options: BTreeMap<String, String>,
    /// The engine's last protest in place of a move.
    protest: Option<Protest>,
    /// True if the engine must continue despite a protest.
    doubted: bool,
    /// True if the engine has processed all commands before the last search command; earlier output
    /// answers something else.
    is_synced: bool,
    /// The output about the last search, as far as it is kept.
    pub(crate) output: SearchOutput,
    /// The reply that the engine ponders on.
    pub(crate) pondered: Option<Move>,
    /// Unsolicited moves: too late, or repeated.
    pub(crate) stray: u32,
    /// The line of the last reply, whether it is a move or not.
    answer: Option<String>,
    /// Unparsed lines since the last search command.
    unread: UnreadLines,
    /// Principal variations reported since the last search command; `None` if they are not kept.
    pub(crate) variations: Option<Variations>,
    /// The last principal variation of the last move, as the engine wrote it; empty without one.
    pub(crate) variation: String,
    /// The engine's own search time of the last move in milliseconds.
    pub(crate) millis: Option<u32>,
}

/// An engine's refusal to continue a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protest {
    /// Resignation.
    Resigns,
    /// A claim that the game is over, or that there is no move: by rules of the engine's own, since
    /// the referee disagrees.
    Over,
}

impl Engine {
    /// Starts the engine, greets it, sets its options and logs the communication to the dialogue.
    pub(crate) fn start(program: &Program, log: Dialogue, cancel: &AtomicBool) -> Result<Self> {
        Self::spawn(program, log, cancel)?.prepared(program, cancel)
    }

    /// Greets the engine and sets its options.
    pub(crate) fn prepared(mut self, program: &Program, cancel: &AtomicBool) -> Result<Self> {
        let greeted = self.greet(None, cancel);
        let ready = greeted.and_then(|()| self.set_options(program, cancel));
        let log = |error: &StartError| self.dialogue().note(&error.to_string());
        ready.inspect_err(log).map(|()| self)
    }

    /// Starts the engine like [`Engine::start`] and measures the time. Skips options that the
    /// engine lacks or refuses.
    pub(crate) fn start_for_diagnosis(program: &Program, cancel: &AtomicBool) -> Result<Self> {
        let begun = Instant::now();
        let mut engine = Self::spawn(program, Dialogue::default(), cancel)?;
        engine.greet(None, cancel)?;
        let greeting = begun.elapsed();
        let mut program = program.clone();
        let takes = |name: &str, value: &str| {
            let offer = Offer::find(&engine.introduction.offers, name);
            offer.is_some_and(|offer| offer.accept(value).is_ok())
        };
        let options = &mut program.profile.options;
        options.retain(|name, value| takes(name, value));
        engine.set_options(&program, cancel)?;
        engine.introduction.greeting = greeting;
        engine.introduction.ready = begun.elapsed().saturating_sub(greeting);
        Ok(engine)
    }

    /// Starts the engine without sending anything.
    pub(crate) fn spawn(
        program: &Program,
        mut dialogue: Dialogue,
        cancel: &AtomicBool,
    ) -> Result<Self> {
        let mut command = Command::new(&program.executable);
        command.args(&program.command[1..]);
        command.envs(&program.profile.environment);
        if let Some(folder) = &program.working_folder {
            command.current_dir(folder);
        }
        dialogue.note(&format!("starts {}", program.command.join(" ")));
        let quit = program.profile.protocol.quit;
        let process = Process::start(&mut command, quit, dialogue, program.startup, cancel)?;
        let mut codec = (program.profile.protocol.codec)(&program.profile.codec_settings());
        if program.ponder {
            codec.enable_pondering();
            process.tree.enlarge_output();
        }
        Ok(Self {
            process,
            codec,
            protocol: program.profile.protocol,
            introduction: Introduction::default(),
            greeted: false,
            startup: program.startup,
            stall: program.stall,
            ping: program.ping,
            new_game: program.new_game.unwrap_or(program.startup),
            on_silence: None,
            options: BTreeMap::new(),
            protest: None,
            doubted: false,
            is_synced: true,
            output: SearchOutput::default(),
            pondered: None,
            stray: 0,
            answer: None,
            unread: UnreadLines::default(),
            variations: None,
            variation: String::new(),
            millis: None,
        })
    }

    /// The engine's last output after the given failure.
    pub(crate) fn symptoms(&mut self, failure: Failure) -> Symptoms {
        let has_answered = failure.is_wrong_answer();
        // Reads the pipes to their ends.
        let errors = self.process.errors();
        let unread = match failure {
            Failure::Crash | Failure::Disconnect | Failure::Stall => {
                self.unread.lines(self.process.lines.unfinished())
            }
            _ => Vec::new(),
        };
        let awaited = match (self.is_synced, self.output.lines > 0) {
            (false, _) => Awaited::Pong,
            (true, false) => Awaited::Output,
            (true, true) => Awaited::Move,
        };
        Symptoms {
            answer: self.answer.clone().filter(|_| has_answered),
            awaited: (!has_answered).then_some(awaited),
            exit: self.process.tree.exit(),
            reason: None,
            unread,
            errors,
        }
        .bounded()
    }

    /// The log of the communication.
    pub(crate) fn dialogue(&mut self) -> &mut Dialogue {
        &mut self.process.dialogue
    }

    /// Sends the greeting and reads the engine's name and options. Silence counts from the time
    /// that the engine has read the greeting; longer silence than the given one is an error.
    pub(crate) fn greet(&mut self, silence: Option<Duration>, cancel: &AtomicBool) -> Result<()> {
        self.process.send(&self.codec.hello());
        let mut wait = StartWait::of(self.startup, self.protocol.greeting_end);
        let most = self.codec.most_offers();
        loop {
            let unfinished = self.codec.unfinished_greeting();
            wait.tolerate(silence.or(unfinished.map(|_| SILENCE)));
            let line = match self.line_of_start(&mut wait, cancel) {
                // For instance a coloured board, before the engine detects a pipe.
                Err(StartError::Binary) => continue,
                Err(StartError::Silent { .. })
                    if unfinished.is_some() && !self.process.has_unread_input() =>
                {
                    self.introduction.unfinished = unfinished;
                    self.greeted = true;
                    return Ok(());
                }
                line => line?,
            };
            let is_done = self.codec.read_greeting(&line, &mut self.introduction);
            if self.introduction.offers.len() > most {
                return Err(StartError::Flood(Flood::Options(most)));
            }
            if is_done {
                self.greeted = true;
                return Ok(());
            }
        }
    }

    /// Starts a game, unless it is cancelled; `ask` holds its start and limits.
    pub(crate) fn new_game(&mut self, ask: &MoveRequest, cancel: &AtomicBool) -> Result<()> {
        self.discard_output();
        self.protest = None;
        self.doubted = false;
        let commands = self.codec.new_game(ask);
        let patience = self.new_game;
        self.send_and_wait(commands, patience, cancel).map(|_| ())
    }

    /// Sends commands and waits until all are processed, if the engine has a command for that;
    /// returns the first lines of the output meanwhile.
    fn send_and_wait(
        &mut self,
        mut commands: Vec<String>,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Result<Vec<String>> {
        let mut remarks = Vec::new();
        let ping = self.codec.ping();
        let waits = ping.is_some();
        commands.extend(ping);
        self.process.send(&commands);
        if !waits {
            return Ok(remarks);
        }
        let mut wait = StartWait::of(patience, self.protocol.pong);
        loop {
            let line = self.line_of_start(&mut wait, cancel)?;
            match self.codec.parse_ready_line(&line) {
                ReadyMessage::Ready => return Ok(remarks),
                ReadyMessage::Refused(command, answer) => {
                    return Err(StartError::Refused { command, answer });
                }
                ReadyMessage::Remark => {
                    self.count_stray_move(&line);
                    if remarks.len() < REMARKS_KEPT {
                        remarks.push(line);
                    }
                }
                _ => {}
            }
        }
    }

    /// The next line before play begins.
    fn line_of_start(&mut self, wait: &mut StartWait, cancel: &AtomicBool) -> Result<String> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(StartError::Cancelled);
            }
            let output = self.process.next(Instant::now(), wait.deadline.moment());
            if let Some((silence, _)) = wait.silence
                && self.process.has_unread_input()
            {
                wait.tolerate(Some(silence));
            }
            let silence = wait.silence.as_mut().map(|(_, deadline)| deadline);
            let is_silent = silence.is_some_and(|deadline| deadline.is_over(Instant::now()));
            let mut is_over = || wait.deadline.is_over(Instant::now());
            if let Output::Line(line) = &output {
                wait.talk.count(line).map_err(StartError::Flood)?;
            }
            match output {
                Output::Line(Line::Text(line)) if !is_over() => {
                    wait.last.clone_from(&line);
                    return Ok(line);
                }
                Output::Line(Line::Binary(_)) => return Err(StartError::Binary),
                Output::Line(Line::TooLong(_)) => return Err(StartError::TooLong),
                Output::Ended | Output::Closed => {
                    return Err(StartError::Ended {
                        greeted: self.greeted,
                        exit: self.process.tree.exit(),
                        errors: self.process.errors(),
                    });
                }
                _ if is_silent || is_over() => {
                    let silence = wait.silence.filter(|_| is_silent);
                    let patience = silence.map_or(wait.patience, |(silence, _)| silence);
                    return Err(StartError::Silent {
                        expected: wait.expected,
                        greeted: self.greeted,
                        patience,
                        last: std::mem::take(&mut wait.last),
                        errors: self.process.errors(),
                    });
                }
                _ => {}
            }
        }
    }
}
