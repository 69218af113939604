//! A program that has been greeted: what is said to it in which order, and how
//! long is waited for an answer.

mod interview;
mod options;
pub(crate) mod thinking;
mod unread;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use thiserror::Error;

use self::unread::Unread;
use super::codec::{Ask, Greeting, ProtocolCodec, Settled, speech};
use super::dialogue::Dialogue;
use super::lines::{Flood, LONGEST, Line, Talk};
use super::probe::{Fault, Introduction};
use super::process::{Output, Process};
use super::variations::Variations;
use crate::config::Program;
use crate::foreign::shown;
use crate::player::pauses::Deadline;
use crate::player::{Failure, Symptoms};

/// Lines that are kept of what a program says until it is ready.
const REMARKS_KEPT: usize = 40;

/// Why a program could not be started.
#[derive(Debug, Error)]
pub(crate) enum StartError {
    #[error("it cannot be started: {0}")]
    Spawn(std::io::Error),
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
        "it said no `{expected}`{} within {} ms{}",
        if *.greeted { " after its greeting" } else { "" },
        .patience.as_millis(),
        last_words(.errors)
    )]
    Silent {
        expected: &'static str,
        greeted: bool,
        patience: Duration,
        errors: Vec<String>,
    },
    #[error("it answered with something that is no text")]
    Binary,
    #[error("it answered with a line of more than {} KiB", LONGEST / 1024)]
    TooLong,
    #[error("it said {0}")]
    Flood(Flood),
    #[error("it answers `{}` to `{told}`", shown(answer))]
    Refused { told: String, answer: String },
    #[error("it offers no option `{name}`; it offers {}", shown(offered))]
    Option { name: String, offered: String },
    #[error("its option {}", shown(refused))]
    Value { name: String, refused: String },
    #[error("nobody waits for it any more")]
    Cancelled,
}

impl StartError {
    /// What kind of thing is wrong, what a game is lost by that such a program should have
    /// played, and what to do about it.
    pub(crate) fn means(&self) -> (Fault, Failure, &'static str) {
        let protocol = "see that `preset` or `protocol` is what it speaks; if it is slow, give \
                        it `startup = \"60s\"`";
        match self {
            StartError::Spawn(error) => (
                Fault::Absent,
                Failure::Crash,
                match error.kind() {
                    ErrorKind::PermissionDenied => {
                        "make it a program: `chmod +x FILE`; a file on a disk without programs \
                         cannot be one"
                    }
                    ErrorKind::NotFound => {
                        "see that `folder` exists; of a script, that the program which its first \
                         line `#!` names is there"
                    }
                    _ => "see that it is a program for this machine",
                },
            ),
            StartError::Ended { greeted, .. } => (
                if *greeted {
                    Fault::Unready
                } else {
                    Fault::Ended
                },
                Failure::Crash,
                "start it by hand to see why; it may need a file in its `folder`",
            ),
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

/// The wait for a word before play begins.
struct Wait {
    deadline: Deadline,
    expected: &'static str,
    talk: Talk,
}

impl Wait {
    fn of(patience: Duration, expected: &'static str) -> Self {
        Self {
            deadline: Deadline::after(patience),
            expected,
            talk: Talk::default(),
        }
    }
}

/// How a program ended, and the last lines of its error output.
fn ending(exit: Option<&str>, errors: &[String]) -> String {
    let exit = exit.map(|exit| format!(": {exit}"));
    exit.unwrap_or_default() + &last_words(errors)
}

/// The last lines of an error output, as a message carries them.
pub(crate) fn last_words(errors: &[String]) -> String {
    if errors.is_empty() {
        String::new()
    } else {
        format!("; its last words: {}", shown(&errors.join(" / ")))
    }
}

/// A program that has been greeted.
pub(crate) struct Engine {
    pub(crate) process: Process,
    pub(crate) speech: Box<dyn ProtocolCodec>,
    /// What it said of itself.
    pub(crate) introduction: Introduction,
    greeted: bool,
    startup: Duration,
    stall: Duration,
    /// The options of the config as they were set last.
    options: BTreeMap<String, String>,
    /// What it has said of the game beside its moves.
    protest: Option<Protest>,
    /// Whether it is asked to play on although it protested.
    doubted: bool,
    /// Whether it has done all that came before the last order to think: what it said
    /// until then answers something else.
    is_abreast: bool,
    /// Moves that it made unasked: too late, or twice.
    pub(crate) stray: u32,
    /// The line of its last answer, be it a move or not.
    answer: Option<String>,
    /// Lines since it was last ordered to think that could not be read.
    unread: Unread,
    /// The lines of play that it has reported since it was last ordered to think; `None`
    /// where they are not kept.
    pub(crate) variations: Option<Variations>,
    /// How long it says that it has thought then.
    pub(crate) millis: Option<u32>,
}

/// What a program may say instead of playing on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protest {
    /// That it gives up.
    Resigns,
    /// That the game is over, or that it has no move: by rules of its own, since the
    /// referee sees it otherwise.
    Over,
}

impl Engine {
    /// Starts the program, greets it and sets its options; what is said is written
    /// down in the dialogue.
    pub(crate) fn start(
        program: &Program,
        dialogue: Dialogue,
        cancel: &AtomicBool,
    ) -> Result<Self, StartError> {
        let mut engine = Self::spawn(program, dialogue)?;
        let greeted = engine.greet(cancel);
        let ready = greeted.and_then(|()| engine.set_options(program, cancel));
        if let Err(error) = &ready {
            engine.dialogue().note(&error.to_string());
        }
        ready.map(|()| engine)
    }

    /// Starts the program, and says nothing to it yet.
    fn spawn(program: &Program, mut dialogue: Dialogue) -> Result<Self, StartError> {
        let mut command = Command::new(&program.executable);
        command
            .args(&program.command[1..])
            .envs(&program.profile.environment);
        if let Some(folder) = &program.working_folder {
            command.current_dir(folder);
        }
        dialogue.note(&format!("starts {}", program.command.join(" ")));
        let process = Process::start(&mut command, dialogue).map_err(StartError::Spawn)?;
        Ok(Self {
            process,
            speech: speech(&program.profile),
            introduction: Introduction::default(),
            greeted: false,
            startup: program.startup,
            stall: program.stall,
            options: BTreeMap::new(),
            protest: None,
            doubted: false,
            is_abreast: true,
            stray: 0,
            answer: None,
            unread: Unread::default(),
            variations: None,
            millis: None,
        })
    }

    /// Its last words after it has failed so.
    pub(crate) fn symptoms(&mut self, failure: Failure) -> Symptoms {
        let has_answered = matches!(failure, Failure::IllegalMove | Failure::Malformed);
        let errors = self.process.errors();
        let unread = match failure {
            Failure::Crash | Failure::Disconnect | Failure::Stall => {
                self.unread.lines(self.process.pipes.half_line())
            }
            _ => Vec::new(),
        };
        let symptoms = Symptoms {
            answer: self.answer.clone().filter(|_| has_answered),
            exit: self.process.exit(),
            reason: None,
            unread,
            errors,
        };
        symptoms.bounded()
    }

    /// Where what is said is written down.
    pub(crate) fn dialogue(&mut self) -> &mut Dialogue {
        &mut self.process.pipes.dialogue
    }

    /// Says hello, and hears what the program is and offers.
    fn greet(&mut self, cancel: &AtomicBool) -> Result<(), StartError> {
        let (hello, expected) = (self.speech.hello(), self.speech.welcome());
        self.process.send(&hello);
        let mut wait = Wait::of(self.startup, expected);
        let most = self.speech.most_offers();
        loop {
            let line = match self.line_of_start(&mut wait, cancel) {
                // A coloured board, say, before it knows that no person is there.
                Err(StartError::Binary) => continue,
                line => line?,
            };
            for greeting in self.speech.greeting(&line) {
                let said = &mut self.introduction;
                match greeting {
                    Greeting::Name(name) => said.name = name,
                    Greeting::Author(author) => said.author = author,
                    Greeting::Offers(_) if said.offers.len() == most => {
                        return Err(StartError::Flood(Flood::Options(most)));
                    }
                    Greeting::Offers(offer) => said.offers.push(offer),
                    Greeting::Done => {
                        self.greeted = true;
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Begins a game, unless it is called off meanwhile; `ask` holds its start and
    /// limits.
    pub(crate) fn new_game(&mut self, ask: &Ask, cancel: &AtomicBool) -> Result<(), StartError> {
        self.forget();
        self.protest = None;
        self.doubted = false;
        let lines = self.speech.new_game(ask);
        self.process.send(&lines);
        self.wait_until_ready(cancel).map(|_| ())
    }

    /// Waits until all is done so far; gives the first of what is said meanwhile.
    fn wait_until_ready(&mut self, cancel: &AtomicBool) -> Result<Vec<String>, StartError> {
        let (ping, pong) = (self.speech.ping(), self.speech.pong());
        self.process.send(&[ping]);
        let mut wait = Wait::of(self.startup, pong);
        let mut said = Vec::new();
        loop {
            let line = self.line_of_start(&mut wait, cancel)?;
            match self.speech.settled(&line) {
                Settled::Ready => return Ok(said),
                Settled::Refused { told, answer } => {
                    return Err(StartError::Refused { told, answer });
                }
                Settled::Remark => {
                    self.note_stray(&line);
                    if said.len() < REMARKS_KEPT {
                        said.push(line);
                    }
                }
                Settled::Nothing => {}
            }
        }
    }

    /// The next line before play begins.
    fn line_of_start(
        &mut self,
        wait: &mut Wait,
        cancel: &AtomicBool,
    ) -> Result<String, StartError> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(StartError::Cancelled);
            }
            let output = self.process.next(wait.deadline.moment());
            if let Output::Line(line) = &output {
                wait.talk.hear(line).map_err(StartError::Flood)?;
            }
            match output {
                Output::Line(Line::Text(line)) if !wait.deadline.is_over() => return Ok(line),
                Output::Line(Line::Binary(_)) => return Err(StartError::Binary),
                Output::Line(Line::TooLong(_)) => return Err(StartError::TooLong),
                Output::Ended | Output::Closed => {
                    return Err(StartError::Ended {
                        greeted: self.greeted,
                        exit: self.process.exit(),
                        errors: self.process.errors(),
                    });
                }
                _ if wait.deadline.is_over() => {
                    return Err(StartError::Silent {
                        expected: wait.expected,
                        greeted: self.greeted,
                        patience: self.startup,
                        errors: self.process.errors(),
                    });
                }
                _ => {}
            }
        }
    }
}
