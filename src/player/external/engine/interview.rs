//! What a diagnosis needs beyond a game: how long everything takes, and what a
//! program says besides its answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::thinking::STOP_GRACE;
use super::{Answer, Engine, Greeted, StartError};
use crate::config::Program;
use crate::player::Failure;
use crate::player::external::codec::{Ask, Heard, Info};
use crate::player::external::dialogue::Dialogue;
use crate::player::external::lines::Line;
use crate::player::external::process::Output;
use crate::player::pauses::Deadline;

/// What came of an order to think.
#[derive(Debug)]
pub(crate) struct Heeded {
    /// The answer in the program's own form; late ones count.
    pub(crate) answer: Result<Answer, Failure>,
    /// From the order to the answer.
    pub(crate) taken: Duration,
    /// From `stop` to the answer; `None` if it was not told to stop.
    pub(crate) after_stop: Option<Duration>,
    /// The last line that was neither thought nor a move.
    pub(crate) remark: Option<String>,
}

/// What is known of a start that succeeded.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) greeted: Greeted,
    /// From the start to the end of the greeting.
    pub(crate) greeting: Duration,
    /// From then until it was ready to play.
    pub(crate) ready: Duration,
    /// What it said while its options were set.
    pub(crate) remarks: Vec<String>,
}

impl Engine {
    /// Starts the program like [`Engine::start`], with a watch in hand. Options
    /// that it does not offer or take are left out.
    pub(crate) fn introduce(
        program: &Program,
        cancel: &AtomicBool,
    ) -> Result<(Self, Start), StartError> {
        let begun = Instant::now();
        let mut engine = Self::spawn(program, Dialogue::default())?;
        let greeted = engine.greet(cancel)?;
        let greeting = begun.elapsed();
        let mut program = program.clone();
        let takes = |name: &str, value: &str| {
            let offer = greeted.offers.iter().find(|offer| offer.is_called(name));
            offer.is_some_and(|offer| offer.refuses(value).is_none())
        };
        let options = &mut program.profile.options;
        options.retain(|name, value| takes(name, value));
        let remarks = engine.set_options(&program, &greeted.offers, cancel)?;
        let start = Start {
            greeted,
            greeting,
            ready: begun.elapsed().saturating_sub(greeting),
            remarks,
        };
        Ok((engine, start))
    }

    /// The number of the process and of its group.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The last lines of its error output.
    pub(crate) fn error_output(&mut self) -> Vec<String> {
        self.process.errors()
    }

    /// Orders the program to think, tells it to stop once `patience` is over, and
    /// gives up half a second later.
    pub(crate) fn heed(&mut self, ask: &Ask, patience: Duration, cancel: &AtomicBool) -> Heeded {
        self.forget();
        let begun = Instant::now();
        let mut stopped = None;
        let mut remark = None;
        let answer = if self.order(ask) {
            self.answer(patience, &mut stopped, &mut remark, cancel)
        } else {
            Err(self.why_deaf())
        };
        Heeded {
            answer,
            taken: begun.elapsed(),
            after_stop: stopped.map(|at: Instant| at.elapsed()),
            remark,
        }
    }

    fn answer(
        &mut self,
        patience: Duration,
        stopped: &mut Option<Instant>,
        remark: &mut Option<String>,
        cancel: &AtomicBool,
    ) -> Result<Answer, Failure> {
        let mut deadline = Deadline::after(patience);
        let mut info = Info::default();
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(Failure::Stall);
            }
            if deadline.is_over() {
                if stopped.is_some() || !self.tell_to_stop() {
                    return Err(Failure::Stall);
                }
                *stopped = Some(Instant::now());
                deadline = Deadline::after(STOP_GRACE);
            }
            let line = match self.process.next(deadline.moment()) {
                Output::Line(Line::Text(line)) => line,
                Output::Line(Line::Binary | Line::TooLong) => return Err(Failure::Malformed),
                Output::Silence => continue,
                Output::Ended => return Err(Failure::Crash),
                Output::Closed => return Err(Failure::Disconnect),
            };
            match self.listen(&line) {
                Heard::Move(mv, last) => {
                    self.speech.played(&mv);
                    info.update(last);
                    return Ok(Answer { mv, info });
                }
                Heard::Info(new) => info.update(new),
                Heard::Resigns | Heard::Refuses => return Err(Failure::Resigned),
                Heard::Malformed => {
                    *remark = Some(line);
                    return Err(Failure::Malformed);
                }
                Heard::Nothing if line.trim().is_empty() => {}
                Heard::Claims(_) | Heard::Nothing => *remark = Some(line),
            }
        }
    }

    /// Says goodbye, and waits until the program has ended: how long that took,
    /// or `None` if it goes on.
    pub(crate) fn farewell(&mut self, patience: Duration) -> Option<Duration> {
        let begun = Instant::now();
        let deadline = begun + patience;
        self.process.send(&["quit"]);
        while Instant::now() < deadline {
            match self.process.next(deadline) {
                Output::Ended => return Some(begun.elapsed()),
                // It ends by and by, or not.
                Output::Closed => std::thread::sleep(Duration::from_millis(1)),
                Output::Line(_) | Output::Silence => {}
            }
        }
        None
    }
}
