//! Other programs as solvers of capture problems, by the Go Text Protocol: GNU Go, and other
//! programs with its commands `attack` and `defend`.

mod conversation;
mod position;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::solver_result::{Caps, SolverResult, Solves};
use conversation::{Conversation, Reply};
use leitai_base::foreign::shown;
use leitai_config::Program;
use leitai_game::search::proof::Event;
use leitai_go::{CaptureVerdict, Play, Problem};
use leitai_players::player::external::engine::{StartError, error_output_ending};
use leitai_players::player::external::identify::locate;
use leitai_players::player::external::lines::Flood;
use leitai_players::player::external::{Fault, Refusal};
use leitai_players::player::pauses::{Deadline, Pauses};
pub use position::Unsent;

/// The commands that a program needs to solve problems.
const NEEDED: [&str; 5] = ["boardsize", "clear_board", "play", "attack", "defend"];
/// Resets the node counter.
const RESET: &str = "reset_reading_node_counter";
/// Prints the nodes since the reset.
const NODES: &str = "get_reading_node_counter";
/// Clears the results of earlier problems.
const FORGET: &str = "clear_cache";

/// Another program that solves capture problems.
///
/// It is started once for many problems. After a fatal fault it is ended, and started again for the
/// next problem.
pub struct ExternalSolver {
    program: Program,
    name: String,
    /// The program's commands.
    commands: Vec<String>,
    talk: Option<Conversation>,
}

/// A program's answer to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalAnswer {
    /// The verdict of its code.
    pub verdict: CaptureVerdict,
    /// The code: 0 the side to move fails, 1 it succeeds, 2 it succeeds if it may ignore the first
    /// ko threat, 3 if it makes the first one itself.
    pub code: u8,
    /// The first play, if there is one: programs name none if they fail.
    pub play: Option<Play>,
    /// The program's node count; `None` if it has no counter.
    pub nodes: Option<u64>,
    /// Time from the question to its answer.
    pub time: Duration,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveFault {
    /// The program could not be started again.
    #[error("it does not start again: {}", .0.reason)]
    Absent(Refusal),
    /// The program ended.
    #[error("it ended{}", error_output_ending(.0))]
    Crash(Vec<String>),
    /// The program closed its output.
    #[error("it closed its output")]
    Disconnect,
    /// The program did not answer in time.
    #[error("it did not answer within {} ms", .0.as_millis())]
    Stall(Duration),
    /// The answer is invalid.
    #[error(
        "invalid answer `{}` to `attack` or `defend`: expected a code from 0 to 3 and a point",
        shown(.0)
    )]
    Malformed(String),
    /// The output is not text.
    #[error("its answer is not text")]
    Binary,
    /// The output is far longer than an answer.
    #[error("it printed {0}")]
    Flood(Flood),
    /// The program refuses a command.
    #[error("it answers `? {}` to `{told}`", shown(answer))]
    Refused {
        /// The command.
        told: String,
        /// The program's message.
        answer: String,
    },
    /// The position cannot be set up by plays.
    #[error(transparent)]
    Unsent(#[from] Unsent),
    /// The caller no longer waits for the answer.
    #[error("nobody waits for it any more")]
    Cancelled,
}

impl SolveFault {
    /// Returns whether the program can continue: the fault affects only this problem.
    pub fn is_harmless(&self) -> bool {
        matches!(self, SolveFault::Refused { .. } | SolveFault::Unsent(_))
    }
}

impl ExternalSolver {
    /// Starts a program with GTP, greets it, and sends the `init` lines and options of its profile.
    ///
    /// # Errors
    ///
    /// The program cannot be started, does not greet within its `startup`, or lacks a required
    /// command.
    pub fn start(program: &Program, cancel: &AtomicBool) -> Result<Self, Refusal> {
        let mut program = program.clone();
        let (path, _) = locate(&program)?;
        program.executable = path;
        let mut solver = Self {
            program,
            name: String::new(),
            commands: Vec::new(),
            talk: None,
        };
        solver.begin(cancel)?;
        Ok(solver)
    }

    /// The name that the program reports, with its version.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the program counts nodes.
    pub fn counts_nodes(&self) -> bool {
        self.knows(RESET) && self.knows(NODES)
    }

    /// Asks for the verdict on a problem: the side to move attacks or defends the target. Clears
    /// the program's results of earlier problems if it has a command for that, so that its nodes do
    /// not depend on their order.
    ///
    /// # Errors
    ///
    /// There is no answer: the position cannot be set up, or the program refuses it, ends, sends an
    /// invalid answer, or takes longer than `patience` in all.
    pub fn solve(
        &mut self,
        problem: &Problem,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Result<ExternalAnswer, SolveFault> {
        let setup = position::commands(problem)?;
        if self.talk.is_none() {
            self.begin(cancel).map_err(SolveFault::Absent)?;
        }
        let answer = self.ask(problem, setup, patience, cancel);
        if answer.as_ref().is_err_and(|fault| !fault.is_harmless()) {
            self.talk = None;
        }
        answer
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Starts the program and asks for its name and commands.
    fn begin(&mut self, cancel: &AtomicBool) -> Result<(), Refusal> {
        let mut talk = Conversation::start(&self.program, cancel)?;
        let patience = self.program.startup;
        let greeting = ["name", "version", "list_commands"].map(str::to_owned);
        let heard = talk.greet(&greeting, patience, cancel)?;
        let words = |reply: &Reply| reply.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let [name, version, list] = heard.as_slice() else {
            return Err(StartError::Binary.into());
        };
        let known = format!("{} {}", words(name), words(version));
        known.trim().clone_into(&mut self.name);
        self.commands = list.text.split_whitespace().map(str::to_owned).collect();
        if let Some(lacking) = NEEDED.iter().find(|command| !self.knows(command)) {
            return Err(Refusal {
                fault: Fault::Unready,
                reason: format!("it does not know the command `{lacking}`"),
                help: "give a program that solves capture problems by GTP, such as \
                       `command = [\"gnugo\", \"--mode\", \"gtp\"]`"
                    .to_owned(),
            });
        }
        let profile = &self.program.profile;
        let options = profile.options.iter();
        let options = options.map(|(name, value)| format!("{name} {value}").trim().to_owned());
        let settings: Vec<String> = profile.init.iter().cloned().chain(options).collect();
        let heard = talk.greet(&settings, patience, cancel)?;
        for (told, reply) in settings.iter().zip(heard) {
            if !reply.is_obeyed {
                let (told, answer) = (told.clone(), format!("? {}", reply.text));
                return Err(StartError::Refused {
                    command: told,
                    answer,
                }
                .into());
            }
        }
        self.talk = Some(talk);
        Ok(())
    }

    fn ask(
        &mut self,
        problem: &Problem,
        mut setup: Vec<String>,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Result<ExternalAnswer, SolveFault> {
        let counts = self.counts_nodes();
        for (command, is_sent) in [(FORGET, self.knows(FORGET)), (RESET, counts)] {
            setup.extend(is_sent.then(|| command.to_owned()));
        }
        let talk = self.talk.as_mut().ok_or(SolveFault::Disconnect)?;
        let mut deadline = Deadline::after(patience);
        let late = |fault| match fault {
            SolveFault::Stall(_) => SolveFault::Stall(patience),
            other => other,
        };
        let mut ask = |commands: &[String]| {
            talk.send_command(commands, deadline.left(), cancel)
                .map_err(late)
        };
        ask(&setup)?;
        let size = problem.board.size();
        let attacks = problem.attacker_moves();
        let verb = if attacks { "attack" } else { "defend" };
        let (begun, before) = (Instant::now(), Pauses::current());
        let heard = ask(&[format!("{verb} {}", problem.target.name(size))])?;
        let elapsed = begun.elapsed();
        let time = elapsed.saturating_sub(before.since().unwrap_or_default());
        let text = heard.into_iter().next().unwrap_or_default();
        let (code, play) = read(&text, size)
            .ok_or_else(|| SolveFault::Malformed(text.chars().take(80).collect()))?;
        let mut nodes = None;
        if counts {
            let heard = ask(&[NODES.to_owned()])?;
            nodes = heard.first().and_then(|text| text.trim().parse().ok());
        }
        Ok(ExternalAnswer {
            verdict: verdict(code, attacks),
            code,
            play,
            nodes,
            time,
        })
    }
}

impl Solves for ExternalSolver {
    /// Node and time limits cannot be transmitted: the program has its own levels. A program
    /// without an answer in time has failed: it may never have one.
    fn solve(
        &mut self,
        problem: &Problem,
        caps: &Caps<'_>,
        _watch: &mut dyn FnMut(Event),
    ) -> Result<SolverResult, String> {
        let patience = caps.time.unwrap_or(self.program.stall);
        let answer = ExternalSolver::solve(self, problem, patience, caps.cancel);
        let answer = answer.map_err(|fault| fault.to_string())?;
        Ok(SolverResult {
            verdict: answer.verdict,
            best: answer.play.map(Play::to_move),
            visited: answer.nodes,
            wall: Some(answer.time),
            ..SolverResult::default()
        })
    }
}

/// Parses the code and the play of an answer: `1 D6`, `0`, `1 PASS`.
fn read(text: &str, size: u8) -> Option<(u8, Option<Play>)> {
    let mut words = text.split_whitespace();
    let code = words.next()?.parse().ok().filter(|code| *code <= 3)?;
    let play = match words.next() {
        None => None,
        Some(word) => Some(Play::from_name(word, size)?),
    };
    words.next().is_none().then_some((code, play))
}

/// The verdict of a code: success by ko alone is a ko.
fn verdict(code: u8, attacks: bool) -> CaptureVerdict {
    match (code, attacks) {
        (0, true) | (1, false) => CaptureVerdict::Escapes,
        (0, false) | (1, true) => CaptureVerdict::Captured,
        _ => CaptureVerdict::Ko,
    }
}
