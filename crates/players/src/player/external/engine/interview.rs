//! Measurements for a diagnosis: durations, and output other than replies.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::thinking::Wait;
use super::{Engine, StartError};
use crate::player::Symptoms;
use crate::player::external::codec::Ask;
use crate::player::external::dialogue::Dialogue;
use crate::player::external::probe::Reply;
use crate::player::external::process::Output;
use leitai_config::Program;

impl Engine {
    /// Starts the engine like [`Engine::start`] and measures the time. Skips options that the
    /// engine lacks or refuses.
    pub(crate) fn introduce(program: &Program, cancel: &AtomicBool) -> Result<Self, StartError> {
        let begun = Instant::now();
        let mut engine = Self::spawn(program, Dialogue::default())?;
        engine.greet(cancel)?;
        let greeting = begun.elapsed();
        let mut program = program.clone();
        let takes = |name: &str, value: &str| {
            let mut offers = engine.introduction.offers.iter();
            let offer = offers.find(|offer| offer.is_called(name));
            offer.is_some_and(|offer| offer.refuses(value).is_none())
        };
        let options = &mut program.profile.options;
        options.retain(|name, value| takes(name, value));
        engine.set_options(&program, cancel)?;
        engine.introduction.greeting = greeting;
        engine.introduction.ready = begun.elapsed().saturating_sub(greeting);
        Ok(engine)
    }

    /// Starts a search, sends `stop` after `patience`, and gives up half a second later.
    pub(crate) fn search_until_stopped(
        &mut self,
        ask: &Ask,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Reply {
        self.forget();
        let begun = Instant::now();
        let mut wait = Wait::after(patience, true);
        let answer = self.await_move(ask, &mut wait, cancel);
        Reply {
            taken: begun.elapsed(),
            after_stop: wait.stopped.map(|at| at.elapsed()),
            symptoms: match &answer {
                Ok(_) => Symptoms::default(),
                Err(failure) => self.symptoms(*failure),
            },
            answer,
        }
    }

    /// Asks the engine to quit and returns the time until its end; `None` if it continues.
    pub(crate) fn farewell(&mut self, patience: Duration) -> Option<Duration> {
        let begun = Instant::now();
        let deadline = begun + patience;
        self.process.send(&["quit"]);
        while Instant::now() < deadline {
            match self.process.next(deadline) {
                Output::Ended => return Some(begun.elapsed()),
                // The process may still end, or not.
                Output::Closed => std::thread::sleep(Duration::from_millis(1)),
                Output::Line(_) | Output::Silence => {}
            }
        }
        None
    }
}
