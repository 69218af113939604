//! A program that has been greeted: what is said to it in which order, and how
//! long is waited for an answer.

mod interview;

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

pub(super) use interview::Heeded;

use super::dialogue::Dialogue;
use super::lines::Line;
use super::offer::Offer;
use super::process::{Output, Process};
use super::speech::{Ask, Greeting, Heard, Info, Speech, speech};
use crate::config::Program;
use crate::player::{Budget, Failure, TimeBudget};

/// How long a program may take to answer once it has been told to stop.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// Lines that are kept of what a program says until it is ready.
const REMARKS_KEPT: usize = 40;
/// How long a program that says that the game is over may take to name a move all
/// the same.
const CLAIM_GRACE: Duration = Duration::from_millis(100);

/// How long it may be silent when it has been told to play on, where no clock
/// bounds it.
const DOUBT: Duration = Duration::from_secs(1);

/// How long a program that takes no more messages may take to end.
const LAST_BREATH: Duration = Duration::from_millis(100);

/// Why a program could not be started.
#[derive(Debug, Error)]
pub(super) enum StartError {
    #[error("it cannot be started: {0}")]
    Spawn(std::io::Error),
    #[error("it ended before it had greeted{}", said(.0))]
    Ended(Vec<String>),
    #[error("it said no `{expected}` within {} ms{}", .patience.as_millis(), said(.errors))]
    Silent {
        expected: &'static str,
        patience: Duration,
        errors: Vec<String>,
    },
    #[error("it answered with something that is no text")]
    Binary,
    #[error("it offers no option `{name}`; it offers {offered}")]
    Option { name: String, offered: String },
    #[error("nobody waits for it any more")]
    Cancelled,
}

/// How a program introduces itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Greeted {
    pub(super) author: String,
    pub(super) offers: Vec<Offer>,
}

/// Where nobody can call off a start.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The last lines of an error output, as a message carries them.
fn said(errors: &[String]) -> String {
    if errors.is_empty() {
        String::new()
    } else {
        format!("; its last words: {}", errors.join(" / "))
    }
}

/// An answer in the program's own form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) mv: String,
    pub(super) info: Info,
}

/// A program that has been greeted.
pub(super) struct Engine {
    process: Process,
    speech: Box<dyn Speech>,
    name: String,
    startup: Duration,
    stall: Duration,
    /// What it has said of the game beside its moves.
    protest: Option<Protest>,
    /// Whether it is asked to play on although it protested.
    doubted: bool,
}

/// What a program may say instead of playing on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protest {
    /// That it gives up.
    Resigns,
    /// That the game is over, or that it has no move: by rules of its own, since the
    /// referee sees it otherwise.
    Over,
}

impl Engine {
    /// Starts the program, greets it and sets its options.
    pub(super) fn start(program: &Program) -> Result<Self, StartError> {
        Self::start_with(program, Dialogue::default())
    }

    /// The same, with what is said written down.
    pub(super) fn start_with(program: &Program, dialogue: Dialogue) -> Result<Self, StartError> {
        let mut engine = Self::spawn(program, dialogue)?;
        let greeted = engine.greet(program, &NEVER);
        let ready = greeted.and_then(|it| engine.set_options(program, &it.offers, &NEVER));
        match ready {
            Ok(_) => Ok(engine),
            Err(error) => {
                engine.dialogue().note(&error.to_string());
                Err(error)
            }
        }
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
            name: String::new(),
            startup: program.startup,
            stall: program.stall,
            protest: None,
            doubted: false,
        })
    }

    /// Where what is said is written down.
    pub(super) fn dialogue(&mut self) -> &mut Dialogue {
        self.process.dialogue()
    }

    /// What the program calls itself; empty if it does not say.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Says hello, and hears what the program is and offers.
    fn greet(&mut self, program: &Program, cancel: &AtomicBool) -> Result<Greeted, StartError> {
        self.process.send(&self.speech.hello());
        let expected = match program.profile.protocol {
            crate::config::Protocol::Uci => "uciok",
            crate::config::Protocol::Ucci => "ucciok",
            crate::config::Protocol::Cecp => "feature done=1",
        };
        let deadline = Instant::now() + self.startup;
        let mut greeted = Greeted::default();
        loop {
            let line = match self.line_of_start(deadline, expected, cancel) {
                // A coloured board, say, before it knows that no person is there.
                Err(StartError::Binary) => continue,
                line => line?,
            };
            for greeting in self.speech.greeting(&line) {
                match greeting {
                    Greeting::Name(name) => self.name = name,
                    Greeting::Author(author) => greeted.author = author,
                    Greeting::Offers(offer) => greeted.offers.push(offer),
                    Greeting::Done => return Ok(greeted),
                }
            }
        }
    }

    /// Sets the options; gives what the program said until it was ready.
    fn set_options(
        &mut self,
        program: &Program,
        offered: &[Offer],
        cancel: &AtomicBool,
    ) -> Result<Vec<String>, StartError> {
        let profile = &program.profile;
        let mut lines = profile.init.clone();
        let offers = |name: &str| offered.iter().any(|offer| offer.is_called(name));
        let usual = profile.usual_options.iter();
        let usual = usual.map(|(name, value)| (name.as_str(), value.as_str()));
        let house = self.speech.house_options().iter().copied();
        for (name, value) in house.chain(usual) {
            if offers(name) {
                lines.push(self.speech.option(name, value));
            }
        }
        for (name, value) in &profile.options {
            if !offers(name) {
                return Err(StartError::Option {
                    name: name.clone(),
                    offered: listed(offered),
                });
            }
            lines.push(self.speech.option(name, value));
        }
        self.process.send(&lines);
        self.wait_until_ready(cancel)
    }

    /// Begins a game.
    pub(super) fn new_game(&mut self) -> Result<(), StartError> {
        self.begin_game(&NEVER)
    }

    /// Begins a game, unless it is called off meanwhile.
    pub(super) fn begin_game(&mut self, cancel: &AtomicBool) -> Result<(), StartError> {
        self.protest = None;
        self.doubted = false;
        self.process.forget_output(|_| {});
        let lines = self.speech.new_game();
        self.process.send(&lines);
        self.wait_until_ready(cancel).map(|_| ())
    }

    /// Waits until all is done so far; gives the first of what is said meanwhile.
    fn wait_until_ready(&mut self, cancel: &AtomicBool) -> Result<Vec<String>, StartError> {
        let ping = self.speech.ping();
        self.process.send(&[ping]);
        let deadline = Instant::now() + self.startup;
        let mut said = Vec::new();
        loop {
            let line = self.line_of_start(deadline, "answer", cancel)?;
            if self.speech.is_pong(&line) {
                return Ok(said);
            }
            if said.len() < REMARKS_KEPT {
                said.push(line);
            }
        }
    }

    /// The next line before play begins.
    fn line_of_start(
        &mut self,
        deadline: Instant,
        expected: &'static str,
        cancel: &AtomicBool,
    ) -> Result<String, StartError> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(StartError::Cancelled);
            }
            match self.process.next(deadline) {
                Output::Line(Line::Text(line)) if Instant::now() < deadline => return Ok(line),
                Output::Line(Line::Binary | Line::TooLong) => return Err(StartError::Binary),
                Output::Ended | Output::Closed => {
                    return Err(StartError::Ended(self.process.errors()));
                }
                _ if Instant::now() >= deadline => {
                    return Err(StartError::Silent {
                        expected,
                        patience: self.startup,
                        errors: self.process.errors(),
                    });
                }
                _ => {}
            }
        }
    }

    /// What it has said since it was last asked, beside its moves. What it says
    /// unasked otherwise is forgotten: a move that comes too late, or twice.
    pub(super) fn protest(&mut self) -> Option<Protest> {
        let (speech, protest) = (&self.speech, &mut self.protest);
        self.process.forget_output(|line| {
            if let Line::Text(line) = line {
                match speech.hear(&line) {
                    Heard::Resigns => *protest = Some(Protest::Resigns),
                    Heard::Claims(_) if protest.is_none() => *protest = Some(Protest::Over),
                    _ => {}
                }
            }
        });
        self.doubted = self.protest.is_some();
        self.protest.take()
    }

    /// Asks for a move and waits for it: under a clock as long as it runs and
    /// twice the margin more, otherwise as long as the program may take. Then it is told to
    /// stop; if that does not help either, it has stalled.
    ///
    /// # Errors
    /// The program is of no more use, except after [`Failure::Resigned`],
    /// [`Failure::NodeOverrun`] and a [`Protest`].
    pub(super) fn think(
        &mut self,
        ask: &Ask,
        margin: Duration,
        cancel: &AtomicBool,
    ) -> Result<Answer, Failure> {
        let lines = self.speech.go(ask);
        let begun = Instant::now();
        if !self.process.send(&lines) {
            return Err(self.why_deaf());
        }
        let timed = ask.budget.time.is_some();
        let mut deadline = begun + patience(ask.budget, margin, self.stall);
        let mut stopped = false;
        let doubted = std::mem::take(&mut self.doubted) && !timed;
        let mut claimed = doubted.then(|| begun + DOUBT);
        let mut info = Info::default();
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(Failure::Stall);
            }
            if Instant::now() >= deadline {
                if stopped || !self.process.send(&[self.speech.stop()]) {
                    return Err(Failure::Stall);
                }
                stopped = true;
                deadline = Instant::now() + STOP_GRACE;
            }
            if claimed.is_some_and(|grace| Instant::now() >= grace) {
                self.protest = Some(Protest::Over);
                return Err(Failure::Malformed);
            }
            let wake = claimed.map_or(deadline, |grace| grace.min(deadline));
            let line = match self.process.next(wake) {
                Output::Line(Line::Text(line)) => line,
                Output::Line(Line::Binary | Line::TooLong) => return Err(Failure::Malformed),
                Output::Silence => continue,
                Output::Ended => return Err(Failure::Crash),
                Output::Closed => return Err(Failure::Disconnect),
            };
            match self.speech.hear(&line) {
                // Too late where no clock says so.
                Heard::Move(_) if stopped && !timed => return Err(Failure::Stall),
                Heard::Move(mv) => {
                    self.speech.played(&mv);
                    return Ok(Answer { mv, info });
                }
                Heard::Info(new) => {
                    // It thinks, whatever it has said.
                    claimed = None;
                    info.update(new);
                }
                Heard::Resigns => return Err(Failure::Resigned),
                Heard::Claims(winner) if winner == Some(ask.side.other()) => {
                    return Err(Failure::Resigned);
                }
                Heard::Claims(_) => claimed = Some(Instant::now() + CLAIM_GRACE),
                Heard::Refuses => {
                    self.protest = Some(Protest::Over);
                    return Err(Failure::Resigned);
                }
                Heard::Malformed => return Err(Failure::Malformed),
                Heard::Nothing => {}
            }
        }
    }

    /// Why a program takes no more messages.
    fn why_deaf(&mut self) -> Failure {
        if self.process.ends_within(LAST_BREATH) {
            Failure::Crash
        } else {
            Failure::Stall
        }
    }
}

/// How long to wait before a program is told to stop.
fn patience(budget: &Budget, margin: Duration, stall: Duration) -> Duration {
    match budget.time {
        // Whoever overstepped by more than the margin has lost already.
        Some(TimeBudget::Move(time)) => time + 2 * margin,
        Some(TimeBudget::Clock { remaining, .. }) => remaining + 2 * margin,
        None => stall,
    }
}

fn listed(offers: &[Offer]) -> String {
    if offers.is_empty() {
        "none".to_owned()
    } else {
        let names: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
        names.join(", ")
    }
}
