//! Checks whether players are fit to play. Starts, questions and times each player of a config as a
//! run would do it, and reports problems with the config line that fixes them.
//!
//! The questions to a program (`greeting`, `positions`, `game`, `repeats`, `limits`, `resources`)
//! are separate from the interpretation of the answers (`diagnosis`, `options`, `compare`), which
//! is pure computation. Every wait is bounded, and every program is ended.

mod check;
mod compare;
mod diagnosis;
mod display;
mod game;
mod greeting;
mod in_process;
mod limits;
mod options;
mod positions;
mod program;
mod rehearsal;
mod repeats;
mod resources;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use check::{Check, Examination, Health, Kind, Status};
pub use rehearsal::rehearse;

use crate::player::{Budget, Offer, Probe, Refusal, Reply, SearchReply};
use crate::schedule::Book;
use leitai_config::{Config, GameChoice, Limits, Program, Variant};
use leitai_game::card::TestPosition;

/// The circumstances of an examination.
#[derive(Clone, Copy, Debug)]
pub struct ExaminationContext<'a> {
    /// True for fewer and shorter searches.
    pub quick: bool,
    /// The number of concurrent games of a run: each keeps a process of each program that it has
    /// met.
    pub threads: usize,
    /// Free memory in MiB; `None` if the system does not report it.
    pub available_mib: Option<u64>,
    /// The openings of the config, if they are readable.
    pub book: Option<&'a Book>,
    /// Set to end the examination at once.
    pub cancel: &'a AtomicBool,
}

impl ExaminationContext<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// One of two values: for a thorough or a quick examination.
    fn pick<T>(&self, thorough: T, quick: T) -> T {
        if self.quick { quick } else { thorough }
    }

    /// A check of a player's memory, `each` MiB, on all threads. Its status is `much` if it takes
    /// more than half of the free memory.
    fn memory(&self, taken: &str, each: u64, help: &str, much: Status) -> Check {
        let (threads, free) = (self.threads as u64, self.available_mib);
        let all = each.saturating_mul(threads);
        let text = format!("{taken}; {}", display::share(all, threads, free));
        let (status, help) = match free {
            Some(free) if all > free => (Status::Failure, Some(help.to_owned())),
            Some(free) if all > free / 2 => (much, None),
            _ => (Status::Ok, None),
        };
        Check::new("memory", status, text)
            .help(help)
            .figure("threads", threads)
            .figure("all_mib", all)
            .figure("available_mib", free)
    }
}

/// A program under examination, with the requirements of the config.
#[derive(Clone)]
struct ExaminedProgram<'a> {
    program: Program,
    limits: Limits,
    game: GameChoice,
    context: &'a ExaminationContext<'a>,
    /// The options that the program offers.
    offers: Vec<Offer>,
    /// The checks so far.
    checks: Vec<Check>,
    /// The highest speed in short searches, in nodes per second.
    speed: Option<u64>,
    /// The highest speed in the long timed searches.
    timed_speed: Option<u64>,
}

/// Time limit for a move without a clock.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

impl ExaminedProgram<'_> {
    /// The test positions of the game.
    fn questions(&self) -> &'static leitai_game::card::ProgramTest {
        &self.game.card.facts().examination
    }

    /// Time limit for a move without a clock.
    fn patience(&self) -> Duration {
        self.program.stall.min(LONGEST_WAIT)
    }

    /// Starts a fresh process.
    fn start(&self) -> Result<Probe, Refusal> {
        Probe::start(&self.program, self.context.cancel)
    }

    /// Test positions with a large choice of moves.
    fn rich(&self) -> [&'static TestPosition; 3] {
        let questions = self.questions();
        questions.rich.map(|index| &questions.places[index])
    }

    /// Begins a game in a test position and asks for a move, with `stop` after `patience`.
    fn reply(
        &self,
        probe: &mut Probe,
        place: &TestPosition,
        budget: &Budget,
        patience: Duration,
    ) -> Result<Reply, String> {
        let line = place.line(self.game.card);
        let begun = probe.new_game(line.start(), self.context.cancel);
        begun.map_err(|refusal| format!("it does not begin a game: {}", refusal.reason))?;
        Ok(probe.ask(&*line, budget, patience, self.context.cancel))
    }

    /// Begins a game in a test position and asks for a move within `patience`.
    fn ask(
        &self,
        probe: &mut Probe,
        place: &TestPosition,
        budget: &Budget,
        patience: Duration,
    ) -> Result<(SearchReply, Reply), NoMove> {
        let missing = |text, is_endless| NoMove { text, is_endless };
        let reply = self.reply(probe, place, budget, patience);
        let reply = reply.map_err(|problem| missing(problem, false))?;
        match &reply.answer {
            Err(failure) => Err(missing(display::failure(*failure, &reply), false)),
            Ok(_) if reply.after_stop.is_some() => Err(missing(ENDLESS.to_owned(), true)),
            Ok(search) => Ok((search.clone(), reply)),
        }
    }
}

/// The problem of a program that moves only after `stop`.
const ENDLESS: &str = "it searches on until `stop`";

/// The problem of a program that makes no move in time.
struct NoMove {
    text: String,
    /// True if it moved after `stop`.
    is_endless: bool,
}

/// The variants that play: in a gate the base and the candidates, otherwise all.
pub fn players(config: &Config) -> Vec<&Variant> {
    let Some(gate) = &config.gate else {
        return config.variants.iter().collect();
    };
    let playing = std::iter::once(&gate.base).chain(&gate.candidates);
    let variants = playing.filter_map(|&index| config.variants.get(index));
    variants.collect()
}

/// Examines one variant of a config. Returns the findings so far if cancelled.
pub fn examine(config: &Config, variant: &Variant, context: &ExaminationContext) -> Examination {
    match &variant.program {
        Some(program) => program::examine(config, variant, program, context),
        None => in_process::examine(config, variant, context),
    }
}
