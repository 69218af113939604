//! Commands and their answers, with a time limit.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::SolveFault;
use leitai_config::Program;
use leitai_players::player::external::Refusal;
use leitai_players::player::external::dialogue::Dialogue;
use leitai_players::player::external::engine::StartError;
use leitai_players::player::external::lines::{self, Line};
use leitai_players::player::external::process::{Output, Process};
use leitai_players::player::pauses::Deadline;
use leitai_protocols::gtp::exchange::{Exchange, Part};

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reply {
    /// True if the command succeeded.
    pub(super) is_obeyed: bool,
    /// The text of the answer, possibly with several lines.
    pub(super) text: String,
}

/// A time limit for answers.
struct Wait {
    deadline: Deadline,
    patience: Duration,
    talk: lines::OutputCount,
}

/// A running program.
pub(super) struct Conversation {
    process: Process,
    exchange: Exchange<usize>,
}

impl Conversation {
    /// Starts the program.
    pub(super) fn start(program: &Program, cancel: &AtomicBool) -> Result<Self, Refusal> {
        let mut command = Command::new(&program.executable);
        command
            .args(program.command.iter().skip(1))
            .envs(&program.profile.environment);
        if let Some(folder) = &program.working_folder {
            command.current_dir(folder);
        }
        let dialogue = Dialogue::default();
        let process = Process::start(&mut command, "quit", dialogue, program.startup, cancel)?;
        Ok(Self {
            process,
            exchange: Exchange::default(),
        })
    }

    /// Sends the first commands; the program may refuse them.
    pub(super) fn greet(
        &mut self,
        commands: &[String],
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Result<Vec<Reply>, Refusal> {
        let heard = self.ask(commands, patience, cancel);
        let error = match heard {
            Ok(replies) => return Ok(replies),
            Err(SolveFault::Stall(_)) => StartError::Silent {
                expected: "= (the answer to `list_commands`)",
                greeted: false,
                patience,
                last: String::new(),
                errors: self.process.errors(),
            },
            Err(SolveFault::Crash(errors)) => StartError::Ended {
                greeted: false,
                exit: self.process.tree.exit(),
                errors,
            },
            Err(SolveFault::Disconnect) => StartError::Ended {
                greeted: false,
                exit: self.process.tree.exit(),
                errors: self.process.errors(),
            },
            Err(SolveFault::Cancelled) => StartError::Cancelled,
            Err(SolveFault::Flood(flood)) => StartError::Flood(flood),
            Err(_) => StartError::Binary,
        };
        Err(error.into())
    }

    /// Sends commands that must succeed, and reads the answers.
    pub(super) fn send_command(
        &mut self,
        commands: &[String],
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Result<Vec<String>, SolveFault> {
        let replies = self.ask(commands, patience, cancel)?;
        let replies = commands.iter().zip(replies);
        replies
            .map(|(told, reply)| {
                if reply.is_obeyed {
                    Ok(reply.text)
                } else {
                    let (told, answer) = (told.clone(), reply.text);
                    Err(SolveFault::Refused { told, answer })
                }
            })
            .collect()
    }

    /// Sends commands and reads an answer to each.
    fn ask(
        &mut self,
        commands: &[String],
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Result<Vec<Reply>, SolveFault> {
        let mut wait = Wait {
            deadline: Deadline::after(patience),
            patience,
            talk: lines::OutputCount::default(),
        };
        self.process.discard_output(|_| {});
        let numbered = commands.iter().enumerate();
        let lines: Vec<String> = numbered
            .map(|(number, text)| self.exchange.ask(number, text))
            .collect();
        if !lines.is_empty() && !self.process.send(&lines) {
            return Err(self.why_deaf(patience));
        }
        let mut replies = vec![Reply::default(); commands.len()];
        let mut current = None;
        let mut done = commands.is_empty();
        while !done {
            let line = self.line(&mut wait, cancel)?;
            match self.exchange.parse_line(&line) {
                Part::Begins(command, is_obeyed, text) => {
                    current = Some(command.purpose);
                    if let Some(reply) = replies.get_mut(command.purpose) {
                        *reply = Reply { is_obeyed, text };
                    }
                }
                Part::Continues => {
                    let reply = current.and_then(|number| replies.get_mut(number));
                    if let Some(reply) = reply {
                        reply.text.push('\n');
                        reply.text.push_str(line.trim());
                    }
                }
                // Programs answer in order.
                Part::Ends => done = current.is_some_and(|number| number + 1 == replies.len()),
                Part::Stray => {}
            }
        }
        Ok(replies)
    }

    fn line(&mut self, wait: &mut Wait, cancel: &AtomicBool) -> Result<String, SolveFault> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(SolveFault::Cancelled);
            }
            // Checked before each line: a flood must not outlast the deadline.
            let now = Instant::now();
            if wait.deadline.is_over(now) {
                return Err(SolveFault::Stall(wait.patience));
            }
            let output = self.process.next(now, wait.deadline.moment());
            if let Output::Line(line) = &output {
                wait.talk.count(line).map_err(SolveFault::Flood)?;
            }
            match output {
                Output::Line(Line::Text(line)) => return Ok(line),
                Output::Line(Line::Binary(_) | Line::TooLong(_)) => return Err(SolveFault::Binary),
                Output::Ended => return Err(SolveFault::Crash(self.process.errors())),
                Output::Closed => return Err(SolveFault::Disconnect),
                Output::Silence => {}
            }
        }
    }

    /// The reason why the program takes no more commands.
    fn why_deaf(&mut self, patience: Duration) -> SolveFault {
        if self.process.ends_within(Duration::from_millis(100)) {
            SolveFault::Crash(self.process.errors())
        } else {
            SolveFault::Stall(patience)
        }
    }
}
